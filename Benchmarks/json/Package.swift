// swift-tools-version: 6.2
import PackageDescription

/// A program that uses the library as anybody would. A package of its own, so that nobody who builds Garland builds it.
let package = Package(
  name: "json-benchmark",
  dependencies: [.package(name: "garland", path: "../..")],
  targets: [
    .executableTarget(
      name: "JSONBenchmark", dependencies: [.product(name: "GarlandJSON", package: "garland")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
  ]
)
