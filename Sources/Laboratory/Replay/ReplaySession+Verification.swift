import Consistency
import Eviction
import Parameters

/// What a verification found of one cell.
public struct VerifiedCell: Sendable {
  /// The trace's name.
  public let trace: String
  /// The policy as it is written.
  public let policy: String
  /// The capacity, in objects.
  public let capacity: Int
  /// The cache's lock, and how often there is one.
  public let lock: LockChoice
  /// When the policy learned of hits.
  public let reads: CacheReads
  /// Threads that used the cache.
  public let threads: Int
  /// Gets, sets and removals.
  public let operations: Int
  /// Gets that returned a value, each of which was judged.
  public let judged: Int
  /// How long they took.
  public let seconds: Double
  /// What a get returned that no cache may return, in a line each; a cell ends with its first.
  public let violations: [String]
}

extension ReplaySession {
  /// Uses the cache of every cell as the trace says, with sets, removals and expirations at random
  /// between, and judges every value that a get returns: whether it was ever written, belongs to its key,
  /// is whole, has not expired, and was neither replaced nor removed before the get began.
  ///
  /// A value is stamped with its key, version and a checksum. Each object counts one. Pace, miss penalty
  /// and repetitions play no part.
  ///
  /// - Parameters:
  ///   - seconds: How long each cell is used, over and over; nil for one pass through the trace.
  ///   - cancellation: Stops the work; the cells done by then are returned, and the one under way.
  ///   - finished: Called with each cell.
  /// - Returns: Every cell up to the first with a violation.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func verify(
    seconds: Double? = nil, cancellation: Cancellation = Cancellation(),
    finished: (VerifiedCell) -> Void = { _ in }
  ) throws(PolicyError) -> [VerifiedCell] {
    var verified: [VerifiedCell] = []
    for cell in cells where !cancellation.isCancelled {
      let stream = streams[cell.plan]
      var check = ConsistencyCheck(keys: stream.keyStream, operations: stream.requests)
      if seconds != nil { check.operations = .max / 2 }
      check.threads = cell.threads
      check.expiring = 100
      check.seed = options(of: cell).run.seed
      let end = seconds.map { Clock.now() + UInt64($0 * 1e9) } ?? .max
      let subject = try cell.plan.policy.runner.verifiableCache(
        options(of: cell), policy: cell.plan.policy.specification)
      let outcome = check.run(
        subject.cache,
        poll: { _ in !cancellation.isCancelled && Clock.now() < end })
      let label = plan.measurement(of: cell.plan, kind: .replay)
      let row = VerifiedCell(
        trace: label.trace, policy: label.policyLabel, capacity: label.capacity, lock: cell.lock,
        reads: cell.reads,
        threads: cell.threads, operations: outcome.operations, judged: outcome.hits,
        seconds: outcome.seconds, violations: outcome.violations.map(\.description))
      finished(row)
      verified.append(row)
      if !row.violations.isEmpty { break }
    }
    return verified
  }
}

/// A cache whose reads can be checked, whatever its policy.
@usableFromInline
struct CacheUnderCheck {
  let cache: VerifiableCache

  init(_ cache: VerifiableCache) { self.cache = cache }
}

extension PolicyRunner {
  /// An empty cache of the policy whose reads can be checked.
  func verifiableCache(
    _ options: ReplayOptions, policy: Specification
  ) throws(PolicyError) -> CacheUnderCheck {
    try makeVerifiable(
      cacheParameters(of: policy), options.run, CacheArrangement(options, clock: .precise),
      { options.lock.init() })
  }

  /// Not specialised for the policy: as many caches again would double what is compiled here, and what is
  /// checked is not speed.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  static func makeVerifiable<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, parameters: Specification, options: SimulationOptions,
    arrangement: CacheArrangement, lock: () -> any CacheLock
  ) throws(PolicyError) -> CacheUnderCheck {
    let admission = options.arguments.nested("admission")
    if let shards = arrangement.shards {
      let cache = try ShardedCache<UInt64, StampedValue, Policy>(
        shards: shards, countLimit: options.capacity, parameters: parameters,
        admission: admission, lock: lock, seed: options.seed, options: arrangement.options)
      return CacheUnderCheck(VerifiableCache(cache))
    }
    let cache = try MemoryCache<UInt64, StampedValue, Policy>(
      countLimit: options.capacity, parameters: parameters, admission: admission, lock: lock(),
      seed: options.seed, options: arrangement.options)
    return CacheUnderCheck(VerifiableCache(cache))
  }
}

extension RequestStream {
  /// The keys of all requests.
  fileprivate var keyStream: [UInt32] { Array(UnsafeBufferPointer(start: ids, count: requests)) }
}
