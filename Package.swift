// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EvictionLab",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Eviction", targets: ["Eviction"]),
    .library(name: "Traces", targets: ["Traces"]),
    .library(name: "Laboratory", targets: ["Laboratory"]),
    .library(name: "EvictionLab", targets: ["EvictionLab"]),
    .executable(name: "evict", targets: ["evict"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .systemLibrary(name: "CInline"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .target(name: "Parameters"),
    .target(name: "Eviction", dependencies: ["CInline", "Parameters"]),
    .target(
      name: "Traces", dependencies: ["CInline", "CZlib", "CLZMA", "CZstd", "Parameters"]),
    .target(
      name: "Laboratory",
      dependencies: [
        "CInline", "Eviction", "Traces", "Parameters",
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .target(
      name: "EvictionLab",
      dependencies: [
        "Laboratory", "Eviction", "Traces", "Parameters",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "evict", dependencies: ["EvictionLab"]),
    .testTarget(
      name: "TracesTests", dependencies: ["Traces", "Parameters", "CZlib", "CLZMA", "CZstd"]),
  ]
)
