// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EvictionLab",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Eviction", targets: ["Eviction"]),
    .library(name: "Traces", targets: ["Traces"]),
    .library(name: "Laboratory", targets: ["Laboratory"]),
    .library(name: "EvictionTesting", targets: ["EvictionTesting"]),
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
    .target(name: "Laboratory", dependencies: ["Eviction", "Traces", "Parameters"]),
    .target(name: "EvictionTesting", dependencies: ["Eviction", "Parameters"]),
    .target(
      name: "PolicyModels", dependencies: ["Eviction", "EvictionTesting"],
      path: "Tests/PolicyModels"),
    .testTarget(name: "ParametersTests", dependencies: ["Parameters"]),
    .testTarget(
      name: "EvictionTests",
      dependencies: ["Eviction", "EvictionTesting", "Parameters", "PolicyModels"]),
    .testTarget(name: "TracesTests", dependencies: ["Traces"]),
    .testTarget(
      name: "LaboratoryTests",
      dependencies: [
        "Eviction", "EvictionTesting", "Laboratory", "Parameters", "PolicyModels", "Traces",
      ]),
  ]
)
