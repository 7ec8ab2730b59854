// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "MyLab",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a package of your own: .package(url: "…/EvictionLab", from: "…")
    .package(name: "EvictionLab", path: "../../..")
  ],
  targets: [
    // The policies need the cache library alone; a policy with parameters needs Parameters, too.
    .target(
      name: "MyPolicies", dependencies: [.product(name: "Eviction", package: "EvictionLab")]),
    .executableTarget(
      name: "my-lab",
      dependencies: ["MyPolicies", .product(name: "EvictionLab", package: "EvictionLab")]),
    .testTarget(
      name: "MyPoliciesTests",
      dependencies: ["MyPolicies", .product(name: "EvictionTesting", package: "EvictionLab")]),
  ]
)
