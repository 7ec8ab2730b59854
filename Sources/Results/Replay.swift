/// The measurements of a replay through the real cache beyond hits.
public struct Replay: Sendable, Equatable {
  /// Threads that made requests.
  public var threads: Int
  /// The cache's lock, by name.
  public var lock: String
  /// The system under test, by name; nil for this project's own cache.
  public var system: String?
  /// The durations of operations; nil when they were not measured.
  public var latency: LatencyReport?
  /// The cost of the lock; nil when it was not measured.
  public var contention: ContentionSummary?
  /// True if there were more threads than cores, so that figures of several threads are those of
  /// threads that take turns, and no scaling.
  public var isOversubscribed = false
  /// The moment at which the policy learned of hits, by name.
  public var reads = "strict"
  /// The division of the trace among threads.
  public var division = ReplayDivision.interleaved
  /// The wait of a miss; nil for none.
  public var missPenalty: MissPenalty?
  /// The offered and the served requests; nil for a closed loop.
  public var pace: PaceReport?
  /// From the intended starts of an open loop's requests to their ends.
  public var response: ResponseSummary?
  /// From the actual starts of an open loop's requests to their ends.
  public var service: ResponseSummary?
  /// The delays of an open loop's requests after a thread was free for them: the generator's own doing, and
  /// part of the response times.
  public var lateness: LatencySummary?
  /// The parts before and after the cut; nil without a cut.
  public var cut: CutReport?
  /// The run's use of the machine; nil when it was not measured.
  public var resources: ResourceUse?
  /// The room that the system took; nil for this project's own cache.
  public var systemUse: SystemUse?
  /// The response times of a cache that does nothing at the open loop's schedule: the generator's part and
  /// the machine's.
  public var idle: LatencySummary?
  /// The state of the machine meanwhile; nil when it was not watched.
  public var machine: MachineReport?
  /// The reasons why the metrics are not those of the cache alone: an instrument or the machine beyond its
  /// limit.
  public var disturbed: [String] = []
  /// The figures of several repetitions; nil for one.
  public var repetitions: Repetitions?

  /// A replay with these facts.
  public init(
    threads: Int, lock: String, system: String? = nil, latency: LatencyReport? = nil,
    contention: ContentionSummary? = nil
  ) {
    self.threads = threads
    self.lock = lock
    self.system = system
    self.latency = latency
    self.contention = contention
  }
}

extension Replay {
  /// The median over the repetitions of a time, such as `get.p99` or `response.p50`, in nanoseconds; nil where it is not
  /// known.
  package func median(_ figure: String) -> Int? {
    repetitions?[figure]?.median.map { Int($0.rounded()) }
  }
}

/// The durations of a replay's operations, in nanoseconds.
public struct LatencyReport: Sendable, Equatable {
  /// Every lookup.
  public var get: LatencySummary?
  /// Lookups that found their object.
  public var hit: LatencySummary?
  /// Lookups that did not.
  public var miss: LatencySummary?
  /// Writes.
  public var set: LatencySummary?
  /// Lookups that did not, with the penalty and the write that follow.
  public var fill: LatencySummary?
  /// The cost of an empty measurement: taken off every latency where the ``clock`` is known.
  public var timerOverhead: Double
  /// The number of requests of which one was timed; nil where it is not known.
  public var sample: Int?
  /// The extra time of the timed pass, as a ratio to the bare one; nil for an open loop.
  public var slowdown: Double?
  /// The clock of these times; nil where its cost is part of them.
  public var clock: LatencyClock?

  /// Summaries by operation; nil for one that did not happen.
  public init(
    get: LatencySummary? = nil, hit: LatencySummary? = nil, miss: LatencySummary? = nil,
    set: LatencySummary? = nil, fill: LatencySummary? = nil, timerOverhead: Double,
    sample: Int? = nil,
    slowdown: Double? = nil, clock: LatencyClock? = nil
  ) {
    self.get = get
    self.hit = hit
    self.miss = miss
    self.set = set
    self.fill = fill
    self.timerOverhead = timerOverhead
    self.sample = sample
    self.slowdown = slowdown
    self.clock = clock
  }

  /// The time below which a latency says no more than that it is shorter, in nanoseconds.
  public var floor: Double { clock?.floor ?? 0 }
}

/// The clock of latencies.
public struct LatencyClock: Sendable, Equatable {
  /// The clock's name: `counter`, the processor's own, or `monotonic`, the system's.
  public var source: String
  /// Its step, in nanoseconds.
  public var resolution: Double
  /// Three standard deviations of an empty measurement, or the step: what is shorter is not told from nothing.
  public var floor: Double

  /// A clock with these facts.
  public init(source: String, resolution: Double, floor: Double) {
    self.source = source
    self.resolution = resolution
    self.floor = floor
  }
}

/// The distribution of one operation's latency, in nanoseconds.
public struct LatencySummary: Sendable, Equatable {
  /// Operations timed.
  public var count: Int
  /// Their mean.
  public var mean: Double
  /// The median.
  public var p50: Int
  /// Nine of ten took at most this.
  public var p90: Int
  /// 99 of 100 took at most this.
  public var p99: Int
  /// 999 of 1000 took at most this.
  public var p999: Int
  /// The longest.
  public var max: Int
  /// More of the distribution, by rising share; none where only the above is known.
  public var percentiles: [LatencyPercentile] = []

  /// A distribution with these facts.
  public init(count: Int, mean: Double, p50: Int, p90: Int, p99: Int, p999: Int, max: Int) {
    self.count = count
    self.mean = mean
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.p999 = p999
    self.max = max
  }
}

/// The cost of a lock for the threads that took it.
public struct ContentionSummary: Sendable, Equatable {
  /// The sign of a contended acquisition.
  public enum Criterion: String, Sendable, CaseIterable {
    /// A try-lock failed.
    case failedTry
    /// The lock has no try: another taker, which excludes this one, was inside or waiting.
    case takersPresent
  }

  /// The number of acquisitions of the lock.
  public var acquisitions: Int
  /// The acquisitions that had to wait.
  public var contended: Int
  /// The waits of these, in nanoseconds.
  public var wait: DurationSummary
  /// The durations of holdings of the lock, in nanoseconds; the total is an estimate.
  public var hold: DurationSummary
  /// The number of acquisitions of each shard's lock; empty for a cache in one part.
  public var shards: [Int] = []
  /// The sign of a contended acquisition.
  public var criterion = Criterion.failedTry
  /// The time that meters add, as a fraction of the bare pass's; nil for an open loop.
  public var slowdown: Double?

  /// A lock's cost.
  public init(
    acquisitions: Int, contended: Int, wait: DurationSummary, hold: DurationSummary
  ) {
    self.acquisitions = acquisitions
    self.contended = contended
    self.wait = wait
    self.hold = hold
  }

  /// The share of the acquisitions that had to wait.
  public var contendedRatio: Double {
    acquisitions == 0 ? 0 : Double(contended) / Double(acquisitions)
  }

  /// The acquisitions of the busiest shard's lock, as a ratio to the mean of all; nil for one part.
  public var shardSkew: Double? {
    guard let most = shards.max(), acquisitions > 0 else { return nil }
    return Double(most) * Double(shards.count) / Double(acquisitions)
  }
}

/// The distribution of a lock's wait or hold times, in nanoseconds.
public struct DurationSummary: Sendable, Equatable {
  /// The median.
  public var p50: Int
  /// 99 of 100 took at most this.
  public var p99: Int
  /// The longest.
  public var max: Int
  /// The sum.
  public var total: Int

  /// A distribution with these facts.
  public init(p50: Int, p99: Int, max: Int, total: Int) {
    self.p50 = p50
    self.p99 = p99
    self.max = max
    self.total = total
  }
}
