// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EvictionLab",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Eviction", targets: ["Eviction"]),
    .library(name: "Traces", targets: ["Traces"]),
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
    .testTarget(
      name: "TracesTests", dependencies: ["Traces", "Parameters", "CZlib", "CLZMA", "CZstd"]),
  ]
)
