/// The measurements of a replay through the real cache beyond hits.
package struct Replay: Sendable, Equatable {
  /// Threads that made requests.
  package var threads: Int
  /// The cache's lock, by name.
  package var lock: String
  /// The system under test, by name; nil for this project's own cache.
  package var system: String?
  /// The durations of operations; nil when they were not measured.
  package var latency: LatencyReport?
  /// The cost of the lock; nil when it was not measured.
  package var contention: ContentionSummary?
  /// True if there were more threads than cores, so that figures of several threads are those of
  /// threads that take turns, and no scaling.
  package var isOversubscribed = false
  /// The moment at which the policy learned of hits, by name.
  package var reads = "strict"
  /// The division of the trace among threads.
  package var division = ReplayDivision.interleaved
  /// The wait of a miss; nil for none.
  package var missPenalty: MissPenalty?
  /// The offered and the served requests; nil for a closed loop.
  package var pace: PaceReport?
  /// From the intended starts of an open loop's requests to their ends.
  package var response: ResponseSummary?
  /// From the actual starts of an open loop's requests to their ends.
  package var service: ResponseSummary?
  /// The delays of an open loop's requests after a thread was free for them: the generator's own doing, and
  /// part of the response times.
  package var lateness: LatencySummary?
  /// The parts before and after the cut; nil without a cut.
  package var cut: CutReport?
  /// The run's use of the machine; nil when it was not measured.
  package var resources: ResourceUse?
  /// The room that the system took; nil for this project's own cache.
  package var systemUse: SystemUse?
  /// The response times of a cache that does nothing at the open loop's schedule: the generator's part and
  /// the machine's.
  package var idle: LatencySummary?
  /// The state of the machine meanwhile; nil when it was not watched.
  package var machine: MachineReport?
  /// The reasons why the metrics are not those of the cache alone: an instrument or the machine beyond its
  /// limit.
  package var disturbed: [String] = []
  /// The figures of several repetitions; nil for one.
  package var repetitions: Repetitions?

  /// A replay with these facts.
  package init(
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
package struct LatencyReport: Sendable, Equatable {
  /// Every lookup.
  package var get: LatencySummary?
  /// Lookups that found their object.
  package var hit: LatencySummary?
  /// Lookups that did not.
  package var miss: LatencySummary?
  /// Writes.
  package var set: LatencySummary?
  /// Lookups that did not, with the penalty and the write that follow.
  package var fill: LatencySummary?
  /// The cost of an empty measurement: taken off every latency where the ``clock`` is known.
  package var timerOverhead: Double
  /// The number of requests of which one was timed; nil where it is not known.
  package var sample: Int?
  /// The extra time of the timed pass, as a ratio to the bare one; nil for an open loop.
  package var slowdown: Double?
  /// The clock of these times; nil where its cost is part of them.
  package var clock: LatencyClock?

  /// Summaries by operation; nil for one that did not happen.
  package init(
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
  package var floor: Double { clock?.floor ?? 0 }
}

/// The clock of latencies.
package struct LatencyClock: Sendable, Equatable {
  /// The clock's name: `counter`, the processor's own, or `monotonic`, the system's.
  package var source: String
  /// Its step, in nanoseconds.
  package var resolution: Double
  /// Three standard deviations of an empty measurement, or the step: what is shorter is not told from nothing.
  package var floor: Double

  /// A clock with these facts.
  package init(source: String, resolution: Double, floor: Double) {
    self.source = source
    self.resolution = resolution
    self.floor = floor
  }
}

/// The distribution of one operation's latency, in nanoseconds.
package struct LatencySummary: Sendable, Equatable {
  /// Operations timed.
  package var count: Int
  /// Their mean.
  package var mean: Double
  /// The median.
  package var p50: Int
  /// Nine of ten took at most this.
  package var p90: Int
  /// 99 of 100 took at most this.
  package var p99: Int
  /// 999 of 1000 took at most this.
  package var p999: Int
  /// The longest.
  package var max: Int
  /// More of the distribution, by rising share; none where only the above is known.
  package var percentiles: [LatencyPercentile] = []

  /// A distribution with these facts.
  package init(count: Int, mean: Double, p50: Int, p90: Int, p99: Int, p999: Int, max: Int) {
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
package struct ContentionSummary: Sendable, Equatable {
  /// The sign of a contended acquisition.
  package enum Criterion: String, Sendable, CaseIterable {
    /// A try-lock failed.
    case failedTry
    /// The lock has no try: another taker, which excludes this one, was inside or waiting.
    case takersPresent
  }

  /// The number of acquisitions of the lock.
  package var acquisitions: Int
  /// The acquisitions that had to wait.
  package var contended: Int
  /// The waits of these, in nanoseconds.
  package var wait: DurationSummary
  /// The durations of holdings of the lock, in nanoseconds; the total is an estimate.
  package var hold: DurationSummary
  /// The number of acquisitions of each shard's lock; empty for a cache in one part.
  package var shards: [Int] = []
  /// The sign of a contended acquisition.
  package var criterion = Criterion.failedTry
  /// The time that meters add, as a fraction of the bare pass's; nil for an open loop.
  package var slowdown: Double?

  /// A lock's cost.
  package init(
    acquisitions: Int, contended: Int, wait: DurationSummary, hold: DurationSummary
  ) {
    self.acquisitions = acquisitions
    self.contended = contended
    self.wait = wait
    self.hold = hold
  }

  /// The share of the acquisitions that had to wait.
  package var contendedRatio: Double {
    acquisitions == 0 ? 0 : Double(contended) / Double(acquisitions)
  }

  /// The acquisitions of the busiest shard's lock, as a ratio to the mean of all; nil for one part.
  package var shardSkew: Double? {
    guard let most = shards.max(), acquisitions > 0 else { return nil }
    return Double(most) * Double(shards.count) / Double(acquisitions)
  }
}

/// The distribution of a lock's wait or hold times, in nanoseconds.
package struct DurationSummary: Sendable, Equatable {
  /// The median.
  package var p50: Int
  /// 99 of 100 took at most this.
  package var p99: Int
  /// 9999 of 10000 took at most this; 0 where that is not known.
  package var p9999 = 0
  /// The longest.
  package var max: Int
  /// The sum.
  package var total: Int

  /// A distribution with these facts.
  package init(p50: Int, p99: Int, max: Int, total: Int) {
    self.p50 = p50
    self.p99 = p99
    self.max = max
    self.total = total
  }
}
