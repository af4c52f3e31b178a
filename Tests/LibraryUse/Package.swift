// swift-tools-version: 6.2
import PackageDescription

// An application that depends on the library as a user's does: one product, one import, every import visible to its own file only.
// `Tests/LibraryUse/run` copies it to `.build` and writes its sources from the documentation.
let garland: Package.Dependency =
  if let url = Context.environment["GARLAND_URL"], let version = Context.environment["GARLAND_VERSION"] {
    .package(url: url, exact: Version(stringLiteral: version), traits: [])
  } else {
    .package(name: "garland", path: Context.environment["GARLAND_PATH"] ?? "../..", traits: [])
  }

let package = Package(
  name: "LibraryUse",
  dependencies: [garland],
  targets: [
    .executableTarget(
      name: "LibraryUse", dependencies: [.product(name: "GarlandNetworking", package: "garland")],
      swiftSettings: [
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
      ])
  ]
)
