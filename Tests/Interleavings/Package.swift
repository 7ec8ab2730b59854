// swift-tools-version: 6.1
import PackageDescription

// The calls of POSIX that are points of a schedule: the linker sends those of the caches to Sources/System.
let wrapped = [
  "clock_gettime", "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock",
  "pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock",
  "pthread_rwlock_unlock", "pthread_rwlock_wrlock", "sched_yield", "sysconf",
]

let package = Package(
  name: "Interleavings",
  platforms: [.macOS(.v15)],
  targets: [
    // The explorer, which knows nothing of caches.
    .target(name: "Interleaving"),

    // Twins: modules that the caches import by these names, whose operations are points of the schedule.
    .target(
      name: "Synchronization", dependencies: ["Interleaving"],
      swiftSettings: [.enableExperimentalFeature("RawLayout"), .swiftLanguageMode(.v5)]),
    .target(
      name: "Dispatch", dependencies: ["Interleaving"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "System", dependencies: ["Interleaving"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .systemLibrary(name: "CInline"),

    // The product's own sources, as they are.
    .target(name: "Parameters", dependencies: ["CInline", "Synchronization"]),
    .target(
      name: "EvictionCore", dependencies: ["CInline", "Dispatch", "Parameters", "Synchronization"],
      exclude: ["EvictionCore.docc"]),

    .executableTarget(
      name: "Interleavings",
      dependencies: ["CInline", "EvictionCore", "Interleaving", "Synchronization", "System"],
      linkerSettings: [
        .unsafeFlags(wrapped.flatMap { ["-Xlinker", "--wrap=\($0)"] })
      ]),
  ]
)
