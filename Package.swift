// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EvictionLab",
  // Synchronization's Mutex and Atomic, in nearly every target, need these. On watchOS an Int may have 32 bits,
  // too few for the costs of a cache.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "Parameters", targets: ["Parameters"]),
    .library(name: "Eviction", targets: ["Eviction"]),
    .library(name: "DiskTier", targets: ["DiskTier"]),
    .library(name: "EvictionTesting", targets: ["EvictionTesting"]),
    .library(name: "EvictionMetrics", targets: ["EvictionMetrics"]),
    .library(name: "EvictionLifecycle", targets: ["EvictionLifecycle"]),
    .library(name: "Traces", targets: ["Traces"]),
    .library(name: "Recording", targets: ["Recording"]),
    .library(name: "EvictionLab", targets: ["EvictionLab"]),
    // For other languages: evictionlab.h.
    .library(name: "evictionlab", type: .dynamic, targets: ["EvictionC"]),
    .executable(name: "evict", targets: ["evict"]),
  ],
  traits: [
    .default(enabledTraits: ["Lab"]),
    .trait(
      name: "Lab", description: "The command line, reports and replays, which need other packages."),
    .trait(name: "Metrics", description: "EvictionMetrics: the counts of caches in swift-metrics."),
    .trait(
      name: "Lifecycle",
      description: "EvictionLifecycle: caches that end with a service, in swift-service-lifecycle."),
    .trait(
      name: "Learned",
      description:
        "Policies that learn by gradient-boosted trees: lrb, gl-cache, 3l-cache. Needs libxgboost-dev."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    // System libraries, and inline C functions that Swift has no spelling for.
    .systemLibrary(name: "CInline"),
    .systemLibrary(name: "CEvictionLab"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    // Only the trait Learned needs it: without pkgConfig, who lacks it is not warned.
    .systemLibrary(name: "CXGBoost", providers: [.apt(["libxgboost-dev"])]),

    // Each floor imports only floors above it in this list.
    // 0: what stands alone.
    .target(name: "Parameters", dependencies: ["CInline"]),

    // 1: the contract of policies and the caches; traces; statistics; values of results; drawing.
    .target(name: "EvictionCore", dependencies: ["CInline", "Parameters"]),
    .target(
      name: "Traces", dependencies: ["CInline", "CZlib", "CLZMA", "CZstd", "Parameters"]),
    // GSL is under the GPL: what EvictionCore, Eviction, DiskTier, Traces and Recording link never links it.
    .target(name: "Statistics", dependencies: ["CGSL", "Parameters"]),
    .target(name: "Results", dependencies: ["CInline", "Parameters"]),
    .target(
      name: "Rendering",
      dependencies: [
        "Parameters",
        .product(name: "Mustache", package: "swift-mustache", condition: .when(traits: ["Lab"])),
      ]),

    // 2: what one kind of user needs. Learned is empty without its trait; with it, its policies are in the catalog.
    .target(
      name: "Learned",
      dependencies: [
        "EvictionCore", "Parameters",
        .target(name: "CXGBoost", condition: .when(traits: ["Learned"])),
      ]),
    .target(
      name: "Eviction",
      dependencies: [
        "CInline", "EvictionCore", "Parameters",
        .target(name: "Learned", condition: .when(traits: ["Learned"])),
      ]),
    .target(name: "DiskTier", dependencies: ["CSQLite", "EvictionCore", "Parameters"]),
    .target(name: "Conformance", dependencies: ["CInline", "EvictionCore", "Parameters"]),
    .target(name: "Recording", dependencies: ["CInline", "EvictionCore", "Parameters", "Traces"]),
    // Empty without its trait, as EvictionLifecycle is; with it, another package is needed.
    .target(
      name: "EvictionMetrics",
      dependencies: [
        "EvictionCore",
        .product(
          name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]),
    .target(
      name: "TraceAnalysis",
      dependencies: [
        "CInline", "Parameters", "Rendering", "Results", "Statistics", "Traces",
        .product(
          name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Lab"])),
      ]),
    .target(
      name: "Comparison", dependencies: ["Parameters", "Rendering", "Results", "Statistics"]),
    .target(name: "Reports", dependencies: ["Parameters", "Rendering", "Results"]),

    .target(
      name: "Requests",
      dependencies: ["CInline", "EvictionCore", "Parameters", "Results", "Traces"]),

    // 3: tests for other packages, and the engines, each of which compiles its loops for every policy of
    // the catalog. Nothing above them declares Eviction, so that a policy's edit rebuilds no more than this.
    .target(name: "EvictionTesting", dependencies: ["Conformance", "EvictionCore"]),
    .target(
      name: "EvictionLifecycle",
      dependencies: [
        "DiskTier",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Lifecycle"])),
      ]),
    .target(
      name: "Simulation",
      dependencies: [
        "CInline", "Conformance", "Eviction", "EvictionCore", "Parameters", "Requests", "Results",
        "Traces",
      ]),
    .target(
      name: "Prefixes",
      dependencies: ["Eviction", "EvictionCore", "Parameters", "Requests", "Results", "Traces"]),
    .target(
      name: "CacheReplay",
      dependencies: [
        "CInline", "DiskTier", "EvictionCore", "Parameters", "Requests", "Results", "Traces",
        .product(
          name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Lab"])),
      ]),
    .target(name: "Systems", dependencies: ["DiskTier", "EvictionCore", "Parameters"]),

    // The runner of cells, on which interfaces to other languages stand: it links neither Foundation nor GSL.
    .target(
      name: "Runner",
      dependencies: [
        "CEvictionLab", "CInline", "Conformance", "EvictionCore", "Parameters", "Prefixes",
        "Requests", "Results",
        "Simulation", "Traces",
      ]),

    // 4: the interface in C, and the kinds of experiments that need more than counts. With Swift's libraries inside, the
    // library needs none of them; it shows no name but those of its header.
    .target(
      name: "EvictionC",
      dependencies: [
        "CEvictionLab", "CInline", "Conformance", "EvictionCore", "Parameters", "Requests",
        "Results", "Runner", "Simulation", "Traces",
      ],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-use-ld=lld",
            // Swift's runtime cannot be unloaded.
            "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker", "-soname=libevictionlab.so",
            "-Xlinker",
            "--version-script=\(Context.packageDirectory)/Sources/CEvictionLab/symbols.map",
          ], .when(platforms: [.linux], configuration: .release))
      ]),
    .target(
      name: "Experiments",
      dependencies: [
        "CInline", "CacheReplay", "Conformance", "DiskTier", "EvictionCore", "Parameters",
        "Prefixes", "Rendering", "Requests", "Results", "Runner", "Simulation", "Statistics",
        "Systems", "Traces",
      ],
      resources: [
        .embedInCode("Reproductions/published.json"), .embedInCode("Score/Embedded/search.txt.zst"),
        .embedInCode("Score/Embedded/history.txt.zst"),
        .embedInCode("Score/Embedded/evictionlab_policy.h"),
        .embedInCode("Score/Embedded/evictionlab_lists.h"),
      ]),

    .target(
      name: "Claims",
      dependencies: [
        "CInline", "CSQLite", "CacheReplay", "DiskTier", "EvictionCore", "Parameters", "Requests",
        "Results", "Simulation", "Statistics", "Systems", "Traces",
      ]),

    // 5: the command line: the tree of commands, and one line that runs it.
    .target(
      name: "EvictionLab",
      dependencies: [
        "CInline", "CacheReplay", "Claims", "Comparison", "Conformance", "DiskTier", "EvictionCore",
        "Experiments",
        "Parameters", "Prefixes", "Recording", "Rendering", "Reports", "Requests", "Results",
        "Runner", "Simulation",
        "Systems", "TraceAnalysis", "Traces",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Lab"])),
      ],
      resources: [.embedInCode("Fetching/manifest.json"), .embedInCode("Suite/suite.json")]),
    .target(name: "AllocationCounter"),
    // With Swift's libraries inside, the tool starts in half the time, and runs where there is no Swift. (The other
    // linker warns of a function that is in them and not called.)
    .executableTarget(
      name: "evict", dependencies: ["AllocationCounter", "EvictionLab"],
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-use-ld=lld"]
            + ["CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections"]
            .map { "-l\($0)" },
          .when(platforms: [.linux], configuration: .release))
      ]),

    // Tests mirror the sources.
    .target(
      name: "PolicyModels", dependencies: ["Eviction", "EvictionTesting"],
      path: "Tests/Support/PolicyModels"),
    .target(
      name: "CheckedCaches", dependencies: ["Conformance", "Eviction"],
      path: "Tests/Support/CheckedCaches"),
    .target(name: "TestConditions", path: "Tests/Support/TestConditions"),
    .target(
      name: "ResultSamples", dependencies: ["Results"], path: "Tests/Support/ResultSamples"),
    .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/Support/FaultVFS"),
    .target(
      name: "StoreFaults", dependencies: ["CSQLite", "DiskTier", "Eviction", "FaultVFS"],
      path: "Tests/Support/StoreFaults"),
    .executableTarget(
      name: "StoreWorker", dependencies: ["DiskTier", "Eviction", "StoreFaults"],
      path: "Tests/Support/StoreWorker"),
    .executableTarget(
      name: "CacheWorker", dependencies: ["DiskTier", "Eviction"],
      path: "Tests/Support/CacheWorker"),
    .testTarget(name: "ParametersTests", dependencies: ["CZstd", "Parameters"]),
    .testTarget(
      name: "EvictionCoreTests",
      dependencies: [
        "AllocationCounter", "CheckedCaches", "Conformance", "Eviction", "EvictionCore",
        "EvictionTesting", "Parameters", "PolicyModels", "TestConditions",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "CheckedCaches", "Conformance", "Eviction", "EvictionTesting", "Parameters",
        "TestConditions",
      ]),
    .testTarget(
      name: "EvictionTests",
      dependencies: [
        "AllocationCounter", "Conformance", "Eviction", "EvictionTesting", "Parameters",
        "PolicyModels", "TestConditions",
      ]),
    // Empty without the trait Learned.
    .testTarget(
      name: "LearnedTests",
      dependencies: [
        "Conformance", "Eviction", "EvictionCore", "EvictionTesting", "Learned", "Parameters",
      ]),
    .testTarget(
      name: "DiskTierTests",
      dependencies: [
        "AllocationCounter", "CSQLite", "CacheWorker", "DiskTier", "Eviction", "Parameters",
        "StoreFaults", "StoreWorker", "TestConditions",
      ]),
    .testTarget(
      name: "TracesTests",
      dependencies: ["CLZMA", "CZlib", "CZstd", "Parameters", "TestConditions", "Traces"]),
    .target(
      name: "IntervalCoverage",
      dependencies: ["Comparison", "Experiments", "Results", "Runner", "Statistics"],
      path: "Tests/Support/IntervalCoverage"),
    .testTarget(
      name: "StatisticsTests", dependencies: ["IntervalCoverage", "Statistics", "TestConditions"]),
    .executableTarget(
      name: "StatisticsProbe", dependencies: ["Statistics"], path: "Tests/Support/StatisticsProbe"),
    .target(
      name: "RecordedTraces", dependencies: ["Traces"], path: "Tests/Support/RecordedTraces"),
    .testTarget(name: "ResultsTests", dependencies: ["ResultSamples", "Results"]),
    .testTarget(name: "RenderingTests", dependencies: ["Rendering"]),
    .testTarget(
      name: "RecordingTests", dependencies: ["Eviction", "EvictionCore", "Recording", "Traces"]),
    .testTarget(
      name: "TraceAnalysisTests",
      dependencies: [
        "EvictionCore", "RecordedTraces", "Rendering", "Results", "TraceAnalysis", "Traces",
      ]),
    .testTarget(
      name: "ComparisonTests",
      dependencies: ["Comparison", "EvictionCore", "Reports", "ResultSamples", "Results"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Comparison", "Rendering", "Reports", "ResultSamples", "Results"]),
    .testTarget(
      name: "PrefixesTests",
      dependencies: [
        "Eviction", "EvictionCore", "Parameters", "Prefixes", "RecordedTraces", "Requests",
        "Results", "TestConditions", "Traces",
      ]),
    .testTarget(
      name: "CacheReplayTests",
      dependencies: ["CacheReplay", "Eviction", "EvictionCore", "Results"]),
    .testTarget(
      name: "SystemsTests",
      dependencies: [
        "CSQLite", "DiskTier", "EvictionCore", "Parameters", "StoreFaults", "Systems",
      ]),
    .testTarget(
      name: "RequestsTests",
      dependencies: ["Parameters", "Requests", "Results", "Runner", "Simulation", "Traces"]),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "AllocationCounter", "Conformance", "Eviction", "EvictionCore", "EvictionTesting",
        "Parameters", "PolicyModels", "RecordedTraces", "Requests", "Results", "Runner",
        "SimulatedCounts", "Simulation", "TestConditions", "Traces",
      ]),
    .target(
      name: "SimulatedCounts",
      dependencies: ["Parameters", "Requests", "Results", "Runner", "Simulation"],
      path: "Tests/Support/SimulatedCounts"),
    .testTarget(
      name: "ExperimentsTests",
      dependencies: [
        "AllocationCounter", "CEvictionLab", "CacheReplay", "Comparison", "Conformance", "DiskTier",
        "Eviction",
        "EvictionCore", "EvictionTesting", "Experiments", "Parameters",
        "PolicyModels", "RecordedTraces", "Reports", "Requests", "ResultSamples", "Results",
        "Runner",
        "SimulatedCounts", "Simulation", "Statistics", "Systems", "Traces",
      ]),
    .testTarget(name: "ClaimsTests", dependencies: ["Claims", "Results", "Statistics"]),
    .testTarget(
      name: "EvictionLabTests",
      dependencies: [
        "Eviction", "EvictionCore", "EvictionLab", "Experiments", "Prefixes", "Recording",
        "Requests", "Results", "Runner", "Traces",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Lab"])),
        .product(
          name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["Lab"])),
      ]),
    .executableTarget(
      name: "CacheStress", dependencies: ["CheckedCaches", "Conformance", "Eviction"],
      path: "Tests/Stress"),
    .target(name: "UsualCaches", path: "Tests/Support/UsualCaches"),
    .executableTarget(
      name: "ThreadBenchmark", dependencies: ["CInline", "Eviction", "UsualCaches"],
      path: "Tests/Benchmarks/ThreadBenchmark"),
    .target(name: "SimulatedCores", path: "Tests/Support/SimulatedCores"),
    .executableTarget(
      name: "LineBenchmark",
      dependencies: ["CInline", "Eviction", "Parameters", "SimulatedCores"],
      path: "Tests/Benchmarks/LineBenchmark"),
    .executableTarget(
      name: "CoverageBenchmark", dependencies: ["IntervalCoverage"],
      path: "Tests/Benchmarks/CoverageBenchmark"),
    .executableTarget(
      name: "CacheBenchmark",
      dependencies: ["AllocationCounter", "CInline", "Eviction", "Traces", "UsualCaches"],
      path: "Tests/Benchmarks/CacheBenchmark"),
    .executableTarget(
      name: "DiskBenchmark", dependencies: ["CInline", "CSQLite", "DiskTier", "Eviction"],
      path: "Tests/Benchmarks/DiskBenchmark"),
    .executableTarget(
      name: "RecordingBenchmark",
      dependencies: ["CInline", "Eviction", "EvictionCore", "Recording", "Traces"],
      path: "Tests/Benchmarks/RecordingBenchmark"),
    .executableTarget(
      name: "TraceBenchmark", dependencies: ["TraceAnalysis", "Traces"],
      path: "Tests/Benchmarks/TraceBenchmark"),
  ]
)

// These tests compute much themselves; not optimised, the others compile in half the time or less.
let optimised = [
  "ConformanceTests", "EvictionCoreTests", "EvictionTests", "PrefixesTests", "SimulationTests",
  "StatisticsTests",
]
for target in package.targets where target.type == .test && !optimised.contains(target.name) {
  target.swiftSettings = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}
