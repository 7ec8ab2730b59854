import EvictionCore
import Requests
import Synchronization
import Traces

/// Drives a real cache with a key stream: a get, and on a miss the set that follows.
///
/// The stream runs once for each instrument, each time through a new cache: bare, for the counts and the
/// throughput; with a clock around operations, for latency; and with a meter around the lock, for contention.
/// So no figure is of a system that another instrument slowed down, and each one's cost is known. An open
/// loop is offered in the last two, with a fraction of the bare throughput as its rate if that was
/// requested, and once more to a cache that does nothing.
///
/// With one thread the hits are those of the simulation. With more they depend on who comes first.
package struct ReplayPasses<Failure: Error> {
  let stream: RequestStream
  let options: ReplayOptions
  /// Makes an empty cache with these locks.
  let makeCache: (LockMaker) throws(Failure) -> ReplayedCache

  package init(
    stream: RequestStream, options: ReplayOptions,
    makeCache: @escaping (LockMaker) throws(Failure) -> ReplayedCache
  ) {
    self.stream = stream
    self.options = options
    self.makeCache = makeCache
  }

  /// Replays the whole stream.
  ///
  /// - Parameter observer: Called now and then with the requests done in all passes; false stops.
  /// - Returns: The measurements, or nil if `observer` stopped it.
  package func run(observer: (Int) -> Bool) throws(Failure) -> ReplayOutcome? {
    var before = 0
    func next(
      _ instrument: ReplayInstrument, at arrivals: ArrivalPlan? = nil, isIdle: Bool = false
    ) throws(Failure) -> ReplayPass? {
      let done = before
      before += options.work(stream.requests)
      return try pass(instrument, at: arrivals, isIdle: isIdle) { observer(done + $0) }
    }
    guard let bare = try next(.none) else { return nil }
    let arrivals = ArrivalPlan(options, capacity: bare.requestsPerSecond)
    guard let timed = try next(.stopwatch, at: arrivals) else { return nil }
    guard let metered = try next(.lockMeters, at: arrivals) else { return nil }
    var idle: ReplayPass?
    if arrivals != nil {
      idle = try next(.stopwatch, at: arrivals, isIdle: true)
      if idle == nil { return nil }
    }
    return ReplayOutcome(
      bare: bare, timed: timed, metered: metered, idle: idle,
      sample: options.sample(of: stream.requests), arrivals: arrivals, lock: options.lock)
  }

  private func pass(
    _ instrument: ReplayInstrument, at arrivals: ArrivalPlan?, isIdle: Bool,
    observer: (Int) -> Bool
  ) throws(Failure) -> ReplayPass? {
    let isBare = instrument == .none
    let resources = options.conditions.measuresResources && isBare ? ResourceMeter() : nil
    let meters =
      instrument == .lockMeters
      ? LockMeters(threads: options.threads, locks: options.shards ?? 1) : nil
    let cache: ReplayedCache =
      isIdle
      ? .idle
      : try makeCache(LockMaker(usual: options.lock, meters: meters))
    let warmup = min(options.run.warmup, stream.requests)
    _ = phase(0..<warmup, cache: cache, instrument: .none, observer: observer)
    let before = cache.statistics()
    let machine = MachineWatch()
    resources?.startCounting()
    var phases: [ReplayPhase] = []
    var isFull = false
    for range in ranges(from: warmup, isOpen: arrivals != nil) {
      // Between the cold phase and the one after it. Not when timed: it takes the lock.
      if isBare && !phases.isEmpty { isFull = cache.statistics().hasTurnedAway }
      let phase = phase(
        range, cache: cache, instrument: instrument, meters: meters, at: arrivals,
        observer: observer)
      guard let phase else {
        _ = machine.finish([])
        return nil
      }
      phases.append(phase)
    }
    var result = ReplayPass(phases: phases, isFullAtCut: isFull)
    result.resources = resources?.use(allocations: result.record.allocations)
    result.machine = machine.finish(phases.map { ($0.record.times, $0.seconds) })
    result.locks = meters?.record
    result.record.counts.add(cache.statistics(), since: before)
    result.record.counts.learning = cache.learning()
    cache.ends()
    return result
  }

  /// The counted requests, in two parts if there is a cut. An open loop is never cut: while its threads
  /// waited for each other there, its queue would drain.
  private func ranges(from warmup: Int, isOpen: Bool) -> [Range<Int>] {
    let all = warmup..<stream.requests
    guard !isOpen,
      let cut = options.conditions.cut?.place(in: stream, capacity: options.run.capacity),
      all.contains(cut), cut > warmup
    else { return [all] }
    return [warmup..<cut, cut..<stream.requests]
  }

  /// Runs some of the requests on all threads; nil if the observer stopped them.
  private func phase(
    _ range: Range<Int>, cache: ReplayedCache, instrument: ReplayInstrument,
    meters: LockMeters? = nil, at arrivals: ArrivalPlan? = nil, observer: (Int) -> Bool
  ) -> ReplayPhase? {
    if range.isEmpty { return ReplayPhase() }
    let schedule = arrivals?.schedule(of: range, stream: stream)
    let parts = options.conditions.division.parts(
      of: range, stream: stream, threads: options.threads,
      // Anyone who is free takes the next arrival, none of which waits for a busy thread.
      batch: schedule == nil ? ReplayClient.batch : 1)
    let records = Mutex([ReplayRecord]())
    let times =
      instrument == .stopwatch
      ? ThreadParts(threads: options.threads) { ReplayTimes(isOpen: schedule != nil) } : nil
    let shares = parts.map { part in
      ReplayClient(
        cache: cache, stream: stream, options: options, part: part, times: times,
        meters: meters, schedule: schedule, yields: options.isOversubscribed,
        resizes: options.run.arguments.flag("resize"))
    }
    let dealers = parts.map(\.dealer).reduce(into: [RequestDealer]()) { dealers, dealer in
      if dealers.last !== dealer { dealers.append(dealer) }
    }
    _ = ThreadGang.run(
      options.threads,
      poll: {
        let done = dealers.reduce(options.work(range.lowerBound)) { $0 + $1.dealt }
        if !observer(done) { dealers.forEach { $0.stop() } }
      },
      body: { thread, start in
        let record = shares[thread].run(thread: thread, start: start)
        records.withLock { $0.append(record) }
      })
    if dealers.contains(where: \.isStopped) { return nil }
    return ReplayPhase(
      record: records.withLock { $0.reduce(into: ReplayRecord()) { $0.add($1) } },
      times: times?.values.reduce(into: ReplayTimes?.none) { sum, part in
        sum.merge(part) { $0.add($1) }
      },
      requests: options.work(range.count), scheduledSeconds: schedule?.seconds,
      clock: schedule?.clock)
  }
}

/// Makes the locks of a cache in one pass.
package struct LockMaker: Sendable {
  private let usual: any CacheLock.Type
  private let meters: LockMeters?

  init(usual: any CacheLock.Type, meters: LockMeters?) {
    self.usual = usual
    self.meters = meters
  }

  /// A lock of that kind, or of the replay's, with a meter around it where locks are watched.
  package func callAsFunction(_ kind: (any CacheLock.Type)? = nil) -> any CacheLock {
    let lock = (kind ?? usual).init()
    return meters?.meter(lock) ?? lock
  }
}

/// The instrument of a pass.
enum ReplayInstrument {
  /// Nothing.
  case none
  /// A clock around operations, or requests.
  case stopwatch
  /// Meters around the cache's locks.
  case lockMeters
}

extension CacheStatistics {
  /// True if the cache was full at some time: something had to leave, or was not let in.
  fileprivate var hasTurnedAway: Bool { evictions + rejections > 0 }
}

extension ReplayCut {
  /// The first request after the cut; nil where the cache never fills.
  package func place(in stream: RequestStream, capacity: Int) -> Int? {
    switch self {
    case .requests(let count): return count
    case .fill:
      var objects = ObjectBytes()
      for index in 0..<stream.requests {
        objects.add(stream.ids[index], stream.sizes?[index] ?? 1)
        if objects.total > capacity { return index + 1 }
      }
      return nil
    }
  }
}
