// swift-tools-version: 6.1
import PackageDescription

// The tests whose sources assert invariants, which debug builds check; the others would say nothing here that they don't
// in release. The targets are those of the package above, with no other package and no command line to build.
let package = Package(
  name: "Invariants",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CInline"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    .systemLibrary(name: "CLZMA", pkgConfig: "liblzma"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    .target(name: "AllocationCounter"),
    .target(name: "Parameters", dependencies: ["CInline"]),
    .target(name: "EvictionCore", dependencies: ["CInline", "Parameters"]),
    // Built as with the trait Learned, so that its policies are compiled and tested without a build of their own.
    .systemLibrary(name: "CXGBoost"),
    .target(
      name: "Learned", dependencies: ["EvictionCore", "Parameters", "CXGBoost"],
      swiftSettings: [.define("Learned")]),
    .target(
      name: "Eviction", dependencies: ["CInline", "EvictionCore", "Parameters", "Learned"],
      swiftSettings: [.define("Learned")]),
    .target(name: "Conformance", dependencies: ["CInline", "EvictionCore", "Parameters"]),
    .target(name: "EvictionTesting", dependencies: ["Conformance", "EvictionCore"]),
    .target(
      name: "Traces", dependencies: ["CInline", "CZlib", "CLZMA", "CZstd", "Parameters"]),
    .target(name: "Results", dependencies: ["CInline", "Parameters"]),
    .target(
      name: "Requests",
      dependencies: ["CInline", "EvictionCore", "Parameters", "Results", "Traces"]),
    .target(
      name: "Prefixes",
      dependencies: ["Eviction", "EvictionCore", "Parameters", "Requests", "Results", "Traces"]),

    .target(
      name: "PolicyModels", dependencies: ["Eviction", "EvictionTesting"],
      path: "Support/PolicyModels"),
    .target(
      name: "CheckedCaches", dependencies: ["Conformance", "Eviction"],
      path: "Support/CheckedCaches"),
    .target(name: "TestConditions", path: "Support/TestConditions"),
    .target(name: "RecordedTraces", dependencies: ["Traces"], path: "Support/RecordedTraces"),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "CheckedCaches", "Conformance", "Eviction", "EvictionTesting", "Parameters",
        "TestConditions",
      ], path: "ConformanceTests"),
    .testTarget(
      name: "EvictionCoreTests",
      dependencies: [
        "AllocationCounter", "CheckedCaches", "Conformance", "Eviction", "EvictionCore",
        "EvictionTesting", "Parameters", "PolicyModels", "TestConditions",
      ], path: "EvictionCoreTests"),
    .testTarget(
      name: "EvictionTests",
      dependencies: [
        "AllocationCounter", "Conformance", "Eviction", "EvictionTesting", "Parameters",
        "PolicyModels", "TestConditions",
      ], path: "EvictionTests", swiftSettings: [.define("Learned")]),
    .testTarget(
      name: "LearnedTests",
      dependencies: [
        "Conformance", "Eviction", "EvictionCore", "EvictionTesting", "Learned", "Parameters",
      ],
      path: "LearnedTests", swiftSettings: [.define("Learned")]),
    .testTarget(
      name: "PrefixesTests",
      dependencies: [
        "Eviction", "EvictionCore", "Parameters", "Prefixes", "RecordedTraces", "Requests",
        "Results", "TestConditions", "Traces",
      ], path: "PrefixesTests"),
  ]
)
