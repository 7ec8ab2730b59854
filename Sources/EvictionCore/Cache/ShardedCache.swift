import CInline
import Parameters

/// A cache in several parts, each a ``MemoryCache`` with a lock of its own, so that threads seldom wait
/// for each other.
///
///     let cache = ShardedCache<Int, String>(countLimit: 100_000)
///     cache.set("a value", forKey: 7)
///     cache.value(forKey: 7)  // "a value"
///
/// A key belongs to one shard, which its hash chooses. Every shard evicts for itself: its policy sees
/// the requests of its own keys only, and its limits are an equal part of the whole ones. The hit ratio
/// differs a little from that of one cache as large, and an entry can't be larger than a shard.
///
/// - Complexity: that of ``MemoryCache``, plus a multiplication an operation.
public final class ShardedCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  /// One part of the whole.
  public typealias Shard = MemoryCache<Key, Value>

  /// The number of parts.
  public let shardCount: Int
  @usableFromInline let hashing: KeyHashing<Key>
  /// Owned; not an array, as a reference that is taken out of one is counted, and the counts of what every
  /// thread uses would be what threads wait for.
  @usableFromInline let shards: UnsafeMutablePointer<Unmanaged<Shard>>

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - shards: The number of parts; at least 1. By default as many as keep the threads of this machine apart:
  ///     32 for each processor, at most 256, at least 256 entries in each, and with a cost limit at most 16, as no
  ///     entry may cost more than a part.
  ///   - countLimit: The most entries that all shards may hold; nil for no limit. At 0 they hold none.
  ///   - costLimit: The largest sum of costs; nil for no limit. One needs `costs`.
  ///   - costs: The costs of entries that are set without one; nil, where there is no cost limit, for 1.
  ///   - policy: The policy of each shard, with its parameters.
  ///   - admission: The filter that newcomers must pass, each shard having one of its own.
  ///   - lock: Makes a lock; evaluated once for each shard.
  ///   - seed: The start of the policies' random draws and of the hashes of keys; nil for a random one, as for
  ///     a ``MemoryCache``, so that strangers cannot choose keys of one shard either.
  ///   - observer: Learns of every operation, one at a time; by default there is none. The shards wait for
  ///     each other while it is told, unless it observes a sample of the keys.
  ///   - options: The options of each shard beyond its limits; shares of a limit are shares of its part.
  ///   - events: Tells a task of every value that leaves, and of every load; by default there is none.
  ///   - onRemoval: Called with every value that leaves, for whatever cause, by several threads at once if
  ///     values leave in them.
  /// - Precondition: No limit is negative, the options are in their ranges, the policy and the filter can run
  ///   with these limits and parameters, and there is a part of a limit for every shard. Where they are not known before the program runs, `open` throws instead.
  @inlinable
  public convenience init(
    shards: Int? = nil, countLimit: Int? = nil, costLimit: Int? = nil,
    costs: EntryCosts<Value>? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, lock: @autoclosure () -> any CacheLock = AdaptiveLock(),
    seed: UInt64? = nil, observer: (any CacheObserver)? = nil,
    options: MemoryCacheOptions = MemoryCacheOptions(), events: CacheEvents<Key, Value>? = nil,
    onRemoval: Shard.RemovalCallback? = nil
  ) {
    do throws(PolicyError) {
      try self.init(
        shards: shards
          ?? ShardedCache.defaultShardCount(countLimit: countLimit, costLimit: costLimit),
        countLimit: countLimit, costLimit: costLimit, costs: costs, policy: policy,
        admission: admission, lock: lock, hashing: KeyHashing(seed: seed), observer: observer,
        options: options, events: events, onRemoval: onRemoval)
    } catch { fatalError("\(error)") }
  }

  /// Creates an empty cache whose policy or limits are known only when the program runs.
  ///
  /// The parameters are those of
  /// ``init(shards:countLimit:costLimit:costs:policy:admission:lock:seed:observer:options:events:onRemoval:)``.
  ///
  /// - Throws: ``PolicyError`` when a limit is negative, an option out of its range, the policy or the filter
  ///   cannot run with these limits or parameters, or there is no part of a limit for every shard.
  @inlinable
  public static func open(
    shards: Int? = nil, countLimit: Int? = nil, costLimit: Int? = nil,
    costs: EntryCosts<Value>? = nil, policy: CachePolicy = .standard,
    admission: CacheAdmission? = nil, lock: @autoclosure () -> any CacheLock = AdaptiveLock(),
    seed: UInt64? = nil, observer: (any CacheObserver)? = nil,
    options: MemoryCacheOptions = MemoryCacheOptions(), events: CacheEvents<Key, Value>? = nil,
    onRemoval: Shard.RemovalCallback? = nil
  ) throws(PolicyError) -> ShardedCache {
    try ShardedCache(
      shards: shards
        ?? ShardedCache.defaultShardCount(countLimit: countLimit, costLimit: costLimit),
      countLimit: countLimit, costLimit: costLimit, costs: costs, policy: policy,
      admission: admission, lock: lock, hashing: KeyHashing(seed: seed), observer: observer,
      options: options, events: events, onRemoval: onRemoval)
  }

  @usableFromInline
  init(
    shards: Int, countLimit: Int?, costLimit: Int?, costs: EntryCosts<Value>?, policy: CachePolicy,
    admission: CacheAdmission?, lock: () -> any CacheLock, hashing: KeyHashing<Key>,
    observer: (any CacheObserver)?, options: MemoryCacheOptions,
    events: CacheEvents<Key, Value>?, onRemoval: Shard.RemovalCallback?
  ) throws(PolicyError) {
    try PolicyError.checkLimits(count: countLimit, cost: costLimit)
    let name = policy.information.name
    if shards < 1 { throw .option(name: "shards", problem: "must be 1 or more; is \(shards)") }
    for limit in [countLimit, costLimit] {
      if let limit, let problem = ShardedCache.problem(limit, in: shards) {
        throw .conflict(
          policy: name,
          explanation: "\(problem); give at most \(limit) shards or a capacity of 1 for each")
      }
    }
    let observer = observer.map { SharedObserver($0) }
    var made: [Shard] = []
    for index in 0..<shards {
      made.append(
        try Shard(
          countLimit: countLimit.map { ShardedCache.part(index, of: $0, in: shards) },
          costLimit: costLimit.map { ShardedCache.part(index, of: $0, in: shards) },
          costs: costs, policy: policy, admission: admission, lock: lock(), hashing: hashing,
          observer: observer, options: options, events: events, onRemoval: onRemoval))
    }
    observer?.begin()
    self.shards = .allocate(capacity: shards)
    for (index, shard) in made.enumerated() {
      (self.shards + index).initialize(to: Unmanaged.passRetained(shard))
    }
    shardCount = shards
    self.hashing = hashing
  }

  deinit {
    for index in 0..<shardCount { shards[index].release() }
    shards.deallocate()
  }

  /// The shards, in their order.
  package var parts: [Shard] {
    (0..<shardCount).map { shards[$0]._withUnsafeGuaranteedRef { $0 } }
  }

  /// The default number of shards.
  @usableFromInline
  static func defaultShardCount(countLimit: Int?, costLimit: Int?) -> Int {
    let apart = min(32 * Int(evl_processor_count()), costLimit == nil ? 256 : 16)
    let limits = [countLimit.map { $0 / 256 }, costLimit].compactMap(\.self)
    return max(min(apart, limits.min() ?? apart), 1)
  }

  /// A shard's part of a limit: equal ones, as far as it divides; their sum is the limit.
  static func part(_ index: Int, of limit: Int, in shards: Int) -> Int {
    limit / shards + (index < limit % shards ? 1 : 0)
  }

  /// Returns the reason why a limit cannot be split: a shard without a part of it would refuse every one of its
  /// keys.
  private static func problem(_ limit: Int, in shards: Int) -> String? {
    (1..<shards).contains(limit)
      ? "a capacity of \(limit) is too small for \(shards) shards" : nil
  }
}

// MARK: - Entries

extension ShardedCache {
  /// Returns the shard of a key with this hash.
  ///
  /// A shard's index looks at the high half of the hash; this is made of the low half, all bits of which
  /// count, so that no single one is the same for all of a shard's keys, as sketches use them.
  @inlinable @inline(__always)
  func shardIndex(of hash: UInt64) -> Int {
    let mixed = UInt32(truncatingIfNeeded: hash) &* 0x9E37_79B1
    return Int((UInt64(mixed) &* UInt64(truncatingIfNeeded: shardCount)) &>> 32)
  }

  /// Runs `body` with the key's shard and hash.
  @inlinable @inline(__always)
  func withShard<Result>(of key: Key, _ body: (Shard, UInt64) -> Result) -> Result {
    let hash = hashing(key)
    return shards[shardIndex(of: hash)]._withUnsafeGuaranteedRef { body($0, hash) }
  }

  /// The key's shard, for what is done seldom.
  @inlinable
  func shard(of key: Key) -> Shard { withShard(of: key) { shard, _ in shard } }

  /// The value of `key`, or nil. A hit tells the shard's policy, a miss does not.
  @inlinable
  public func value(forKey key: Key) -> Value? {
    withShard(of: key) { shard, hash in shard.value(forKey: key, hash: hash) }
  }

  /// Stores `value` under `key`; see ``MemoryCache/set(_:forKey:cost:missCost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> Bool {
    withShard(of: key) { shard, _ in
      shard.set(value, forKey: key, cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value it had, or nil.
  @inlinable @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    withShard(of: key) { shard, _ in shard.removeValue(forKey: key) }
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value.
  @inlinable @discardableResult
  public func remove(_ key: Key) -> Bool {
    withShard(of: key) { shard, _ in shard.remove(key) }
  }

  /// Removes every entry, one shard after the other.
  @inlinable
  public func removeAll() { forEachShard { $0.removeAll() } }

  /// Returns true if `key` has a value. The policy does not learn of the question.
  @inlinable
  public func contains(_ key: Key) -> Bool {
    withShard(of: key) { shard, _ in shard.contains(key) }
  }

  /// The cost of a resident key, or nil. The policy does not learn of the question.
  @inlinable
  public func cost(forKey key: Key) -> Int? {
    withShard(of: key) { shard, _ in shard.cost(forKey: key) }
  }

  /// Corrects the cost of a resident key; see ``MemoryCache/setCost(_:forKey:)``.
  @inlinable
  public func setCost(_ cost: Int, forKey key: Key) {
    withShard(of: key) { shard, _ in shard.setCost(cost, forKey: key) }
  }

  @inlinable
  func forEachShard(_ body: (Shard) -> Void) {
    for index in 0..<shardCount { shards[index]._withUnsafeGuaranteedRef(body) }
  }
}

// MARK: - Limits and statistics

extension ShardedCache {
  /// The number of entries that the shards hold; while others write, a number between those before and after.
  public var count: Int { sum { $0.count } }

  /// The sum of the entries' costs, or the largest number, which hundreds of shards without a limit may go
  /// beyond.
  public var totalCost: Int { sum { $0.totalCost } }

  /// The counts of each shard: they show whether keys and requests are spread evenly.
  public var shardStatistics: [CacheStatistics] {
    (0..<shardCount).map { shards[$0]._withUnsafeGuaranteedRef { $0.statistics } }
  }

  /// The counts of all shards together.
  public var statistics: CacheStatistics { shardStatistics.reduce(into: .init()) { $0.add($1) } }

  /// The most entries that all shards may hold; nil for no limit. A lower limit evicts before the call
  /// returns, in every shard down to its part.
  ///
  /// - Precondition: 0, with which the shards hold nothing, or at least ``shardCount``, so that every shard
  ///   has a part; likewise for ``costLimit``.
  public var countLimit: Int? {
    get { limit { $0.countLimit } }
    set {
      PolicyError.demandLimits(count: newValue)
      setLimits(newValue) { $0.countLimit = $1 }
    }
  }

  /// The largest sum of costs; nil for no limit. A lower limit evicts before the call returns.
  public var costLimit: Int? {
    get { limit { $0.costLimit } }
    set {
      PolicyError.demandLimits(cost: newValue)
      setLimits(newValue) { $0.costLimit = $1 }
    }
  }

  /// True if no shard holds anything.
  public var isEmpty: Bool { count == 0 }

  /// The age at which entries expire; see ``MemoryCache/ageLimit``.
  public var ageLimit: Duration? {
    get { shards[0]._withUnsafeGuaranteedRef { $0.ageLimit } }
    set { forEachShard { $0.ageLimit = newValue } }
  }

  /// The sum of a number of every shard, or the largest number.
  func sum(_ part: (Shard) -> Int) -> Int {
    var sum = 0
    forEachShard { sum = sum.saturatingAdd(part($0)) }
    return sum
  }

  /// The sum of what `part` does with each shard's part of a limit.
  func sum(splitting limit: Int, _ part: (Shard, Int) -> Int) -> Int {
    (0..<shardCount).reduce(0) { sum, index in
      let share = ShardedCache.part(index, of: limit, in: shardCount)
      return sum + shards[index]._withUnsafeGuaranteedRef { part($0, share) }
    }
  }

  private func limit(_ part: (Shard) -> Int?) -> Int? {
    var whole: Int? = 0
    forEachShard { shard in whole = part(shard).flatMap { limit in whole.map { $0 + limit } } }
    return whole
  }

  private func setLimits(_ limit: Int?, _ set: (Shard, Int?) -> Void) {
    if let problem = limit.flatMap({ ShardedCache.problem($0, in: shardCount) }) {
      preconditionFailure("\(problem); give a capacity of 1 for each, or 0 to hold nothing")
    }
    for index in 0..<shardCount {
      shards[index]._withUnsafeGuaranteedRef {
        set($0, limit.map { ShardedCache.part(index, of: $0, in: shardCount) })
      }
    }
  }
}
