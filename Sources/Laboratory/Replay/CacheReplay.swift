import Eviction
import Synchronization

/// How a real cache is driven.
public struct ReplayOptions: Sendable {
  /// Capacity, parameters, seed and warm-up.
  public var run: SimulationOptions
  /// The cache's lock.
  public var lock: any CacheLock.Type
  /// Threads that share the trace: each takes the next few requests when it is done with its last.
  public var threads: Int

  /// Options for one replay.
  public init(run: SimulationOptions, lock: any CacheLock.Type = MutexLock.self, threads: Int = 1) {
    self.run = run
    self.lock = lock
    self.threads = threads
  }
}

/// What a replay measured.
public struct ReplayOutcome: Sendable {
  /// What the requests found.
  public var counts: RequestCounts
  /// How long the counted requests took without any instrument.
  public var seconds: Double
  /// How long operations took, in a second pass with a clock around each.
  public var latency: LatencyReport
  /// What the lock cost, in the same second pass.
  public var contention: ContentionSummary
}

/// Drives a real cache with a key stream: a get, and on a miss the set that follows.
///
/// The stream runs twice, each time through a new cache: bare, for the counts and the throughput, and
/// with a clock around every operation and a meter around the lock, for latency and contention.
///
/// With one thread the hits are those of the simulation. With more they depend on who comes first.
struct CacheReplay {
  let stream: RequestStream
  let options: ReplayOptions
  /// Makes an empty cache with a lock.
  let makeCache: (any CacheLock) throws(PolicyError) -> ReplayedCache

  /// Replays the whole stream.
  ///
  /// - Parameter observer: Called now and then with the requests done in both passes; false stops.
  /// - Returns: What was measured, or nil if `observer` stopped it.
  func run(observer: (Int) -> Bool) throws(PolicyError) -> ReplayOutcome? {
    guard let bare = try pass(lock: options.lock.init(), isTimed: false, observer: observer) else {
      return nil
    }
    let meter = MeteredLock(options.lock.init())
    let secondPass = { observer(stream.requests + $0) }
    guard let timed = try pass(lock: meter, isTimed: true, observer: secondPass) else {
      return nil
    }
    return ReplayOutcome(
      counts: bare.record.counts, seconds: bare.seconds, latency: timed.record.latency,
      contention: timed.contention)
  }

  private func pass(
    lock: any CacheLock, isTimed: Bool, observer: (Int) -> Bool
  ) throws(PolicyError) -> Pass? {
    let cache = try makeCache(lock)
    let warmup = min(options.run.warmup, stream.requests)
    _ = phase(0..<warmup, cache: cache, isTimed: false, observer: observer)
    let before = cache.statistics()
    let meter = lock as? MeteredLock
    meter?.reset()
    let counted = warmup..<stream.requests
    guard var result = phase(counted, cache: cache, isTimed: isTimed, observer: observer) else {
      return nil
    }
    // Before anything else takes the lock.
    if let meter { result.contention = meter.summary }
    let after = cache.statistics()
    result.record.counts.insertions = after.insertions - before.insertions
    result.record.counts.evictions = after.evictions - before.evictions
    result.record.counts.rejections = after.rejections - before.rejections
    return result
  }

  /// Runs some of the requests on all threads; nil if the observer stopped them.
  private func phase(
    _ range: Range<Int>, cache: ReplayedCache, isTimed: Bool, observer: (Int) -> Bool
  ) -> Pass? {
    if range.isEmpty { return Pass() }
    let dealer = RequestDealer(range)
    let records = Mutex([ReplayRecord]())
    let share = ReplayShare(
      cache: cache, stream: stream, options: options, dealer: dealer, isTimed: isTimed)
    let seconds = ThreadGang.run(
      options.threads,
      poll: {
        if !observer(range.lowerBound + dealer.dealt) { dealer.stop() }
      },
      body: {
        let record = share.run()
        records.withLock { $0.append(record) }
      })
    if dealer.isStopped { return nil }
    return Pass(
      record: records.withLock { $0.reduce(into: ReplayRecord()) { $0.add($1) } }, seconds: seconds)
  }

  private struct Pass {
    var record = ReplayRecord()
    var seconds = 0.0
    var contention = ContentionSummary.none
  }
}
