import DiskTier
import EvictionCore
import Synchronization

/// The arguments that a test opens a cache on disk with, changed one by one.
@dynamicMemberLookup
struct DiskSetup {
  var options = DiskCacheOptions()
  var countLimit: Int?
  var costLimit: Int?
  var admission: CacheAdmission?
  var seed: UInt64?

  subscript<Value>(dynamicMember path: WritableKeyPath<DiskCacheOptions, Value>) -> Value {
    get { options[keyPath: path] }
    set { options[keyPath: path] = newValue }
  }
}

extension DiskCache {
  static func open(
    path: String, policy: CachePolicy, options: DiskSetup, coder: ValueCoder<Value>,
    environment: StoreEnvironment = StoreEnvironment()
  ) throws(DiskCacheError) -> DiskCache {
    let limits = DiskCacheLimits(
      count: options.countLimit, cost: options.costLimit, policy: policy,
      admission: options.admission, seed: options.seed)
    return try open(
      path: path, limits: limits, options: options.options, coder: coder, environment: environment)
  }
}

/// The arguments that a test opens a cache in tiers with.
@dynamicMemberLookup
struct TieredSetup {
  var options = TieredCacheOptions()
  var memoryCountLimit: Int?
  var memoryCostLimit: Int?

  subscript<Value>(dynamicMember path: WritableKeyPath<TieredCacheOptions, Value>) -> Value {
    get { options[keyPath: path] }
    set { options[keyPath: path] = newValue }
  }
}

extension TieredCache {
  static func open(
    disk: DiskCache<Key, Value>, policy: CachePolicy, options: TieredSetup,
    memoryCost: (@Sendable (Value) -> Int)? = nil
  ) throws(DiskCacheError) -> TieredCache {
    try open(
      disk: disk, countLimit: options.memoryCountLimit, costLimit: options.memoryCostLimit,
      policy: policy, options: options.options, memoryCost: memoryCost)
  }
}

/// Counts calls from any thread.
final class Counter: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .acquiring) }
  func increment() { value.add(1, ordering: .acquiringAndReleasing) }
}

extension TemporaryFolder {
  /// A cache on disk that evicts by LRU and does not trim by itself.
  func openDisk(
    _ environment: StoreEnvironment = StoreEnvironment(),
    _ configure: (inout DiskSetup) -> Void = { _ in }
  ) throws -> DiskCache<String, Int> {
    var options = DiskSetup()
    options.trimInterval = nil
    configure(&options)
    return try DiskCache<String, Int>.open(
      path: store, policy: .lru, options: options, coder: .json, environment: environment)
  }

  /// A cache in two tiers, four entries of it in memory.
  func openTiered(
    _ configure: (inout TieredSetup) -> Void = { _ in }
  ) throws -> TieredCache<String, Int> {
    var options = TieredSetup()
    options.memoryCountLimit = 4
    // While other tests run, a load's task may wait for minutes.
    options.memory.loadWaitLimit = nil
    configure(&options)
    let disk = try DiskCache<String, Int>.open(path: store, policy: .sieve, coder: .json)
    return try TieredCache.open(disk: disk, policy: .lru, options: options)
  }
}
