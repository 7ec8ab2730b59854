import EvictionCore
import Parameters
import Requests
import Results

/// A cache that a replay drives, behind closures, which cost a fraction of the cheapest lock to call: the
/// replay is the same whatever the cache is.
///
/// A value is its key's id, so that a wrong one is noticed.
package struct ReplayedCache: Sendable {
  /// Returns the value that a get finds.
  let value: @Sendable (ReplayKey) -> UInt32?
  /// Stores the key's id, with a cost, what it costs to make again, and a time to live in nanoseconds; 0 is for ever.
  let set: @Sendable (ReplayKey, Int, Double, Int64) -> Void
  let removeValue: @Sendable (ReplayKey) -> Void
  /// The cost of a resident key.
  let cost: @Sendable (ReplayKey) -> Int?
  let setCost: @Sendable (Int, ReplayKey) -> Void
  /// Gives a resident key another time to live; nil where nothing expires.
  var setTimeToLive: (@Sendable (Int64, ReplayKey) -> Void)?
  let statistics: @Sendable () -> CacheStatistics
  /// The costs of what the policies trained and predicted; nil where nothing learns.
  private(set) var learning: @Sendable () -> LearningMeasures? = { nil }
  /// Hears of each request, by its index in the trace, before it is made; nil where no part of the cache
  /// follows the trace's time.
  var begins: (@Sendable (Int) -> Void)?
  /// Called after the last request of a pass.
  var ends: @Sendable () -> Void = {}

  /// An empty cache of the policy, within the options' capacity: objects, or bytes in a sized run.
  ///
  /// - Parameters:
  ///   - times: The times of the trace's requests, which a cache whose entries expire follows.
  ///   - lock: Makes the cache's lock, or each shard's.
  /// - Throws: ``PolicyError`` if the policy cannot run so.
  init(
    of policy: CachePolicy, options: RunOptions, isSized: Bool, arrangement: CacheArrangement,
    times: UnsafePointer<Int64>?, lock: () -> any CacheLock
  ) throws(PolicyError) {
    if policy.needs.contains(.expiry) && !options.expires {
      throw .conflict(
        policy: policy.information.name,
        explanation: "it needs times to live, which a replay has with --expire only")
    }
    var arrangement = arrangement
    let clock = MovedClock()
    if options.expires { arrangement.options.clock = clock.clock }
    let countLimit = isSized ? nil : options.capacity
    let costLimit = isSized ? options.capacity : nil
    let admission = options.arguments.nested("admission").map { CacheAdmission($0) }
    let setExpiration: @Sendable (Expiration, ReplayKey) -> Void
    if let shards = arrangement.shards {
      let cache = try ShardedCache<ReplayKey, UInt32>.open(
        shards: shards, countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission, lock: lock(), seed: options.seed, options: arrangement.options)
      self.init(cache)
      learning = { LearningMeasures(cache.learningCosts) }
      setExpiration = { cache.setExpiration($0, forKey: $1) }
    } else {
      let cache = try MemoryCache<ReplayKey, UInt32>.open(
        countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission,
        lock: lock(), seed: options.seed, options: arrangement.options)
      self.init(cache)
      learning = { LearningMeasures(cache.learningCosts) }
      setExpiration = { cache.setExpiration($0, forKey: $1) }
    }
    if options.expires, let times {
      nonisolated(unsafe) let times = times
      begins = { clock.move(to: times[$0]) }
      setTimeToLive = { setExpiration(Expiration(traceTimeToLive: $0) ?? .never, $1) }
    }
  }

  init(_ cache: some InMemoryCache<ReplayKey, UInt32>) {
    self.init(
      value: { cache.value(forKey: $0) },
      set: {
        _ = cache.set(
          $0.id, forKey: $0, cost: $1, missCost: $2, expiration: Expiration(traceTimeToLive: $3))
      },
      removeValue: { _ = cache.remove($0) },
      cost: { cache.cost(forKey: $0) },
      setCost: { cache.setCost($0, forKey: $1) },
      statistics: { cache.statistics })
  }

  package init(
    value: @escaping @Sendable (ReplayKey) -> UInt32?,
    set: @escaping @Sendable (ReplayKey, Int, Double, Int64) -> Void,
    removeValue: @escaping @Sendable (ReplayKey) -> Void,
    cost: @escaping @Sendable (ReplayKey) -> Int?,
    setCost: @escaping @Sendable (Int, ReplayKey) -> Void,
    statistics: @escaping @Sendable () -> CacheStatistics,
    begins: (@Sendable (Int) -> Void)? = nil, ends: @escaping @Sendable () -> Void = {}
  ) {
    self.value = value
    self.set = set
    self.removeValue = removeValue
    self.cost = cost
    self.setCost = setCost
    self.statistics = statistics
    self.begins = begins
    self.ends = ends
  }
}

extension LearningMeasures {
  /// The costs of all policies of a cache; nil if there are none.
  fileprivate init?(_ costs: [LearningCosts]) {
    if costs.isEmpty { return nil }
    self.init()
    for costs in costs { add(LearningMeasures(costs)) }
  }
}

/// A trace's key in a real cache: its id, its length, and its stable hash, the one that a simulation
/// gives to policies.
package struct ReplayKey: StablyHashable {
  /// The trace's number for the key.
  package let id: UInt32
  let length: UInt32
  let hash: UInt64

  @inline(__always)
  init(_ request: Request) {
    id = request.slot
    length = UInt32(clamping: request.keyLength)
    hash = request.keyHash
  }

  @inline(__always)
  package static func == (left: ReplayKey, right: ReplayKey) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  @inline(__always)
  package func stableHash(seed: UInt64) -> UInt64 { hash }

  @inline(__always)
  package var keyLength: Int { Int(length) }
}
