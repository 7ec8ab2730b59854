// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Service",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a package of your own: .package(url: "…/EvictionLab", from: "…", traits: […])
    .package(name: "EvictionLab", path: "../../..", traits: ["Lifecycle", "Metrics", "Learned"]),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .executableTarget(
      name: "Service",
      dependencies: [
        .product(name: "DiskTier", package: "EvictionLab"),
        .product(name: "Eviction", package: "EvictionLab"),
        .product(name: "EvictionLifecycle", package: "EvictionLab"),
        .product(name: "EvictionMetrics", package: "EvictionLab"),
        .product(name: "Recording", package: "EvictionLab"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
      ])
  ]
)
