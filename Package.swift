// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours is held to the same rules: Swift 6 mode comes with the tools version, `any` is spelled out, and a warning is a defect.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Links programs by LLVM's linker, which takes 0.4 of the time that Swift's default for Linux (gold) takes for all tests.
///
/// As the other unsafe flag here, only programs and tests have it: no other package can depend on them.
let fastLinker = LinkerSetting.unsafeFlags(["-use-ld=lld"], .when(configuration: .debug))

// Single modules: the product `Collections` has three more, which nothing here needs.
let (deque, heap, ordered) = (collection("DequeModule"), collection("HeapModule"), collection("OrderedCollections"))
func collection(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-collections") }

let histogram = Target.Dependency.product(
  name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Command"]))
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
  .product(name: $0, package: "swift-nio", condition: .when(traits: ["Command"]))
}

/// Takes the validation of all declarations of options out of debug builds.
///
/// A debug build of the argument parser repeats it for each group of options within a group, and thus needs half of the CPU time of `garland run`,
/// and nine tenths of that of `garland run --help`. `OptionDeclarationTests` validates them once. The linker puts a function of the target `garland`
/// (`Options/OptionValidation.swift`) in the place of `ParsableArguments._validate(parent:)`.
let withoutOptionValidation = LinkerSetting.unsafeFlags(
  [
    "-Xlinker", "--defsym", "-Xlinker",
    "$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ=garland_acceptOptionDeclarations",
  ], .when(configuration: .debug))

let package = Package(
  name: "garland",
  products: [
    .executable(name: "garland", targets: ["garland"]),
    .library(name: "GarlandTransfer", targets: ["GarlandTransfer"]),
    .library(name: "GarlandNetworking", targets: ["GarlandNetworking"]),
    .library(name: "GarlandAuth", targets: ["GarlandAuth"]),
    .library(name: "GarlandJSON", targets: ["GarlandJSON"]),
    .library(name: "GarlandYAML", targets: ["GarlandYAML"]),
  ],
  // Without the trait, packages that only the command needs are not even fetched.
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(name: "Command", description: "The command `garland` and its sandbox. Applications that use the libraries alone turn it off."),
  ],
  // Apple's packages keep to semantic versioning, and applications have others that need them as well: a narrow range would be in their way.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    // Before 1.0, any minor version may break.
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", .upToNextMinor(from: "0.2.0")),
  ],
  targets: [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CNetlink"),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    room("GarlandText"),
    room("GarlandDiagnostics", ["GarlandText"]),
    room("GarlandYAML", ["GarlandText", "GarlandDiagnostics", "CYAML"]),
    room("GarlandJSON", ["GarlandText", "CPCRE2"]),
    room("GarlandCrypto", ["GarlandText", "GarlandJSON", "COpenSSL"]),
    room(
      "GarlandTransfer",
      [
        "GarlandText", "GarlandJSON", "GarlandCrypto", "CCurl", "CNetlink", "COpenSSL", "CPSL", "CZlib", "CBrotli", "CZstd", httpTypes,
        deque, ordered,
      ]),
    room("GarlandAuth", ["GarlandText", "GarlandJSON", "GarlandCrypto", "GarlandTransfer", httpTypes]),
    // Sessions for users of the library: the command needs none.
    room("GarlandNetworking", ["GarlandText", "GarlandJSON", "GarlandTransfer", "GarlandAuth", httpTypes, ordered]),
    room("GarlandWorkflow", ["GarlandText", "GarlandDiagnostics", "GarlandYAML", "GarlandJSON", "GarlandCrypto"]),
    room("GarlandPlanner", ["GarlandText", "GarlandDiagnostics", "GarlandJSON", "GarlandWorkflow"]),
    room("GarlandResults", ["GarlandText", "GarlandDiagnostics", "GarlandJSON", histogram]),
    room(
      "GarlandRunner",
      [
        "GarlandText", "GarlandDiagnostics", "GarlandJSON", "GarlandWorkflow", "GarlandPlanner", "GarlandResults", "GarlandTransfer",
        "GarlandAuth", "GarlandCrypto", httpTypes, deque, heap,
      ]),
    // The page is embedded by .ci/embed-page.
    room("GarlandReports", ["GarlandText", "GarlandDiagnostics", "GarlandJSON", "GarlandResults", "CZlib"], exclude: ["HTML/Page"]),
    room("GarlandImport", ["GarlandText", "GarlandDiagnostics", "GarlandJSON", "GarlandWorkflow"]),
    // The run times of scripts are embedded by .ci/embed-page.
    room(
      "GarlandExport", ["GarlandDiagnostics", "GarlandJSON", "GarlandTransfer", "GarlandWorkflow", "GarlandPlanner"], exclude: ["Runtime"]),
    room("GarlandSandbox", ["GarlandText", "GarlandJSON", "GarlandCrypto"] + nio),
    .executableTarget(
      name: "garland",
      dependencies: [
        "GarlandText", "GarlandDiagnostics", "GarlandYAML", "GarlandJSON", "GarlandTransfer", "GarlandAuth", "GarlandWorkflow",
        "GarlandPlanner",
        "GarlandResults", "GarlandRunner", "GarlandReports", "GarlandSandbox", "GarlandImport", "GarlandExport", argumentParser, httpTypes,
      ],
      swiftSettings: strict, linkerSettings: [fastLinker, withoutOptionValidation]),

    // Measures the planner and the scheduler: Benchmarks/planner says how.
    .executableTarget(
      name: "PlannerBenchmark",
      dependencies: [
        "GarlandText", "GarlandDiagnostics", "GarlandYAML", "GarlandWorkflow", "GarlandPlanner", "GarlandResults", "GarlandRunner",
        "ScheduleSimulation",
      ],
      path: "Benchmarks/planner/Sources", swiftSettings: strict, linkerSettings: [fastLinker]),
    // Schedules in simulated time, for that and for the tests.
    .target(
      name: "ScheduleSimulation", dependencies: ["GarlandText", "GarlandResults", "GarlandRunner"],
      path: "Benchmarks/planner/Simulation", swiftSettings: strict),

    // Helpers that several test targets share: real servers on free loopback ports, golden files,
    // temporary folders.
    .target(
      name: "TestSupport", dependencies: ["GarlandText", "GarlandDiagnostics", "GarlandSandbox"], path: "Tests/TestSupport",
      swiftSettings: strict),
    tests("GarlandTextTests", ["GarlandText", "TestSupport"]),
    tests("GarlandDiagnosticsTests", ["GarlandDiagnostics", "TestSupport"]),
    tests("GarlandYAMLTests", ["GarlandYAML", "TestSupport"]),
    tests("GarlandJSONTests", ["GarlandJSON", "TestSupport"]),
    tests("GarlandCryptoTests", ["GarlandText", "GarlandCrypto", "GarlandJSON", "TestSupport"]),
    // Runs in a network namespace of its own, where tests take links down and routes away.
    .executableTarget(
      name: "NetworkAgent", dependencies: ["GarlandNetworking", "TestSupport"], path: "Tests/NetworkAgent", swiftSettings: strict,
      linkerSettings: [fastLinker]),
    // Servers and recorders for the tests of both HTTP targets.
    .target(
      name: "TransferTestSupport", dependencies: ["GarlandText", "GarlandTransfer", "GarlandCrypto", "TestSupport"],
      path: "Tests/TransferTestSupport",
      swiftSettings: strict),
    tests(
      "GarlandTransferTests",
      ["CCurl", "GarlandText", "GarlandTransfer", "GarlandSandbox", "TestSupport", "TransferTestSupport", "NetworkAgent"]),
    tests("GarlandNetworkingTests", ["GarlandText", "GarlandNetworking", "GarlandSandbox", "TestSupport", "TransferTestSupport"]),
    tests("GarlandAuthTests", ["GarlandText", "GarlandAuth", "GarlandNetworking", "GarlandJSON", "GarlandSandbox", "TestSupport"]),
    tests("GarlandWorkflowTests", ["GarlandText", "GarlandWorkflow", "TestSupport"]),
    tests("GarlandPlannerTests", ["GarlandText", "GarlandPlanner", "TestSupport"]),
    tests("GarlandResultsTests", ["GarlandDiagnostics", "GarlandResults", "TestSupport"]),
    tests(
      "GarlandRunnerTests",
      ["GarlandText", "GarlandRunner", "GarlandSandbox", "ScheduleSimulation", "TestSupport", "TransferTestSupport"]),
    tests("GarlandReportsTests", ["GarlandText", "GarlandReports", "TestSupport"]),
    tests("GarlandImportTests", ["GarlandImport", "GarlandWorkflow", "GarlandPlanner", "TestSupport"]),
    tests("GarlandSandboxTests", ["GarlandText", "GarlandSandbox", "GarlandJSON", "GarlandCrypto", "TestSupport"]),
    tests(
      "GarlandCommandTests",
      [
        "garland", "GarlandDiagnostics", "GarlandImport", "GarlandJSON", "GarlandReports", "GarlandSandbox", "GarlandWorkflow",
        "TestSupport", "TransferTestSupport",
      ]),
    // The folder `Tests/Conformance`, with the command that is built beside them.
    tests(
      "ConformanceTests",
      ["garland", "GarlandWorkflow", "GarlandPlanner", "GarlandRunner", "GarlandSandbox", "GarlandYAML", "GarlandJSON", "TestSupport"]),
    tests("TestSupportTests", ["TestSupport"]),

    // The entry points of the fuzzer, and a short deterministic run of them. See
    // Tests/Fuzz/README.md.
    .target(
      name: "FuzzTargets",
      dependencies: ["GarlandText", "GarlandDiagnostics", "GarlandJSON", "GarlandTransfer", "GarlandWorkflow", "GarlandPlanner"],
      path: "Tests/Fuzz/FuzzTargets", swiftSettings: strict),
    tests("FuzzTargetsTests", ["FuzzTargets", "TestSupport"]),
  ]
)

// Some targets, and what they need: `make sanitize`.
if let names = Context.environment["GARLAND_TARGETS"] {
  var wanted = Set(names.split(separator: "|").map(String.init))
  var found = wanted
  while !found.isEmpty {
    let dependencies = package.targets.filter { found.contains($0.name) }.flatMap(\.dependencies)
    found = Set(dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }).subtracting(wanted)
    wanted.formUnion(found)
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products = []
}

// The fuzzer itself, with libFuzzer and the address sanitizer in everything of ours: `make fuzz`.
if Context.environment["GARLAND_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzTargets", "CFuzzer"], path: "Tests/Fuzz/Driver", swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
  for target in package.targets where target.swiftSettings?.isEmpty == false {
    target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer,address"]))
  }
}
