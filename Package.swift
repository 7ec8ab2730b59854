// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EvictionLab",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Eviction", targets: ["Eviction"])
  ],
  targets: [
    .systemLibrary(name: "CInline"),
    .target(name: "Parameters"),
    .target(name: "Eviction", dependencies: ["CInline", "Parameters"]),
  ]
)
