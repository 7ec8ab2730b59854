import Consistency
import Eviction
import Parameters
import Synchronization

extension ReplaySession {
  /// Uses the cache of every cell as the trace says, with sets, insertions, loads, removals, expirations,
  /// trims and changes of the limit at random between, and judges every value that is returned: whether
  /// it was ever written, belongs to its key, is whole, has not expired, and was neither replaced nor
  /// removed before the call began.
  ///
  /// A value is stamped with its key, version and a checksum. Each object counts one. The capacity is the
  /// count limit at the start, to which the changes return now and then. Pace, share, miss
  /// penalty and repetitions play no part.
  ///
  /// - Parameters:
  ///   - seconds: How long each cell is used, over and over; nil for one pass through the trace.
  ///   - cancellation: Stops the work; the cells done by then are returned, and the one under way.
  ///   - progress: Called about ten times a second, on any of the threads.
  ///   - finished: Called with each cell.
  /// - Returns: Every cell up to the first with a violation.
  /// - Throws: `PolicyError` when a policy refuses to run after all.
  public func verify(
    seconds: Double? = nil, cancellation: Cancellation = Cancellation(),
    progress: @escaping @Sendable (VerificationProgress) -> Void = { _ in },
    finished: (VerifiedCell) -> Void = { _ in }
  ) throws(PolicyError) -> [VerifiedCell] {
    var verified: [VerifiedCell] = []
    let pulse = Pulse()
    let (begin, total) = (Clock.now(), count)
    var before = 0
    for cell in cells where !cancellation.isCancelled {
      let stream = streams[cell.plan]
      var check = ConsistencyCheck(keys: stream.keyStream, operations: stream.requests)
      if seconds != nil { check.operations = .max / 2 }
      check.threads = cell.threads
      check.expiring = 100
      check.seed = options(of: cell).run.seed
      let start = Clock.now()
      let duration = seconds.map { UInt64($0 * 1e9) }
      let (done, earlier) = (verified.count, before)
      let subject = try cell.plan.policy.entry.caches.verifiableCache(
        options(of: cell), policy: cell.plan.policy.specification)
      let outcome = check.run(
        subject,
        poll: { operations in
          let now = Clock.now()
          if pulse.isDue(at: now) {
            let share =
              duration.map { Double(now - start) / Double($0) }
              ?? Double(operations) / Double(stream.requests)
            progress(
              VerificationProgress(
                cells: done, totalCells: total, operations: earlier + operations,
                seconds: Double(now - begin) / 1e9,
                fraction: (Double(done) + min(share, 1)) / Double(total)))
          }
          return !cancellation.isCancelled && duration.map { now - start < $0 } ?? true
        })
      before += outcome.operations
      let label = plan.measurement(of: cell.plan, kind: .replay)
      let row = VerifiedCell(
        trace: label.trace, policy: label.policyLabel, capacity: label.capacity, seed: label.seed,
        lock: cell.lock, reads: cell.reads, threads: cell.threads, operations: outcome.operations,
        judged: outcome.hits, seconds: outcome.seconds,
        violations: outcome.violations.map(\.description))
      finished(row)
      verified.append(row)
      if !row.violations.isEmpty { break }
    }
    return verified
  }
}

/// Lets one of several threads do something ten times a second.
private final class Pulse: Sendable {
  private let next = Atomic<UInt64>(0)

  func isDue(at now: UInt64) -> Bool {
    let due = next.load(ordering: .relaxed)
    return now >= due
      && next.compareExchange(expected: due, desired: now + 100_000_000, ordering: .relaxed)
        .exchanged
  }
}

extension PolicyCaches {
  /// An empty cache of the policy whose reads can be checked.
  func verifiableCache(
    _ options: ReplayOptions, policy: Specification
  ) throws(PolicyError) -> VerifiableCache {
    try makeVerifiable(
      PolicyDescription.ownParameters(of: policy), options.run,
      CacheArrangement(options, clock: .precise), { options.lock.init() })
  }

  /// Not specialised for the policy: as many caches again would double what is compiled here, and what is
  /// checked is not speed.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  static func makeVerifiable<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, parameters: Specification, options: RunOptions,
    arrangement: CacheArrangement, lock: () -> any CacheLock
  ) throws(PolicyError) -> VerifiableCache {
    let admission = options.arguments.nested("admission")
    if let shards = arrangement.shards {
      let cache = try ShardedCache<UInt64, StampedValue, Policy>(
        shards: shards, countLimit: options.capacity, parameters: parameters,
        admission: admission, lock: lock, seed: options.seed, options: arrangement.options)
      return VerifiableCache(cache)
    }
    let cache = try MemoryCache<UInt64, StampedValue, Policy>(
      countLimit: options.capacity, parameters: parameters, admission: admission, lock: lock(),
      seed: options.seed, options: arrangement.options)
    return VerifiableCache(cache)
  }
}

extension RequestStream {
  /// The keys of all requests.
  fileprivate var keyStream: [UInt32] { Array(UnsafeBufferPointer(start: ids, count: requests)) }
}
