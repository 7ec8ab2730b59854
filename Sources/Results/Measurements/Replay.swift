/// The measurements of a replay through the real cache beyond hits.
package struct Replay: Documented {
  package var threads = 0
  package var lock = ""
  /// Nil for this project's own cache.
  package var system: String?
  /// Nil when they were not measured.
  package var latency: LatencyReport?
  /// Nil for one thread.
  package var hitRatiosOfOrders: ClosedRange<Double>?
  /// Nil when it was not measured.
  package var contention: ContentionSummary?
  package var isOversubscribed = false
  package var reads = "strict"
  package var division = ReplayDivision.interleaved
  /// Nil for none.
  package var missPenalty: MissPenalty?
  /// Nil for a closed loop.
  package var pace: PaceReport?
  package var response: ResponseSummary?
  package var service: ResponseSummary?
  package var lateness: LatencySummary?
  /// Nil without a cut.
  package var cut: CutReport?
  /// Nil when it was not measured.
  package var resources: ResourceUse?
  /// Nil for this project's own cache.
  package var systemUse: SystemUse?
  package var idle: LatencySummary?
  /// Nil when it was not watched.
  package var machine: MachineReport?
  package var disturbed: [String] = []
  /// Nil for one.
  package var repetitions: Repetitions?

  package init() {}

  package static let fields: [Field<Replay>] = [
    Field("threads", \.threads, "the number of clients", .exact),
    Field("lock", \.lock, "the cache's lock", .exact),
    Field("system", \.system, "the system under test; `null` for this project's cache", .exact),
    Field("latency", \.latency, "how long operations took"),
    Field("contention", \.contention, "how often and how long clients waited for the lock"),
    .omittable("oversubscribed", \.isOversubscribed, "more threads than cores", .timed),
    .omittable(
      "hitRatiosOfOrders", \.hitRatiosOfOrders,
      "with several threads: between which hit ratios the policy alone lies by the order in which two threads reach it: as recorded, and in two orders each of a lock that is kept for up to 16, 64, 256, 1024, 4096, 16384 and 65536 requests (`--jitter 16:lock`)",
      .exact),
    .omittable("reads", \.reads, "when the policy learns of hits: `strict` or `buffered`", .exact),
    .omittable("share", \.division, "what each thread takes of the trace", .exact),
    .omittable("missPenalty", \.missPenalty, "what a miss waits for"),
    .omittable("pace", \.pace, "what was offered and served in an open loop"),
    .omittable("response", \.response, "from the intended starts of requests to their ends"),
    .omittable("service", \.service, "from the actual starts of requests to their ends"),
    .omittable("lateness", \.lateness, "the delay that the load generator adds"),
    .omittable("idle", \.idle, "response times of a cache that does nothing, same schedule"),
    .omittable("machine", \.machine, "what the machine did meanwhile"),
    .omittable("disturbed", \.disturbed, "why the figures are not of the cache alone", .timed),
    .spread(only: "of a run in two parts", \.cut),
    .spread(only: "with `--resources`", \.resources),
    .spread(only: "with `--system`", \.systemUse),
    .spread(only: "with `--repeat`", \.repetitions),
  ]
}

extension Replay {
  /// The median over the repetitions of a time, such as `get.p99` or `response.p50`, in nanoseconds; nil where it is not
  /// known.
  package func median(_ figure: String) -> Int? {
    repetitions?[figure]?.median.map { Int($0.rounded()) }
  }
}

/// The durations of a replay's operations, in nanoseconds.
package struct LatencyReport: Documented {
  package var get: LatencySummary?
  package var hit: LatencySummary?
  package var miss: LatencySummary?
  package var set: LatencySummary?
  package var fill: LatencySummary?
  package var timerOverhead = 0.0
  /// Nil where it is not known.
  package var sample: Int?
  /// Nil for an open loop.
  package var slowdown: Double?
  /// Nil where its cost is part of them.
  package var clock: LatencyClock?

  package init() {}

  package static let fields: [Field<LatencyReport>] = [
    .constant("unit", "ns", "the unit of times"),
    .group(
      "operation",
      Field("get", \.get, "every lookup"),
      Field("hit", \.hit, "lookups that found their object"),
      Field("miss", \.miss, "lookups that did not"),
      Field("set", \.set, "writes"),
      .omittable("fill", \.fill, "misses with the penalty and the set that follow")),
    Field(
      "timerOverhead", \.timerOverhead, "an empty measurement, in ns; taken off with `clock`",
      .timed),
    .omittable("sample", \.sample, "one request in this number was timed", .timed),
    .omittable(
      "slowdown", \.slowdown, "the time that timing adds, as a fraction of the run's", .timed),
    .omittable("clock", \.clock, "the clock of the times"),
  ]

  /// The time below which a latency says no more than that it is shorter, in nanoseconds.
  package var floor: Double { clock?.floor ?? 0 }
}

/// The clock of latencies.
package struct LatencyClock: Documented {
  package var source = ""
  package var resolution = 0.0
  package var floor = 0.0

  package init() {}

  package static let fields: [Field<LatencyClock>] = [
    Field("source", \.source, "`counter` (the processor's) or `monotonic` (the system's)", .timed),
    Field("resolution", \.resolution, "its step, in ns", .timed),
    Field("floor", \.floor, "the shortest time that it tells from nothing, in ns", .timed),
  ]
}

/// The distribution of one operation's latency, in nanoseconds.
package struct LatencySummary: Documented {
  package var count = 0
  package var mean = 0.0
  package var p50 = 0
  package var p90 = 0
  package var p99 = 0
  package var p999 = 0
  package var max = 0
  package var percentiles: [LatencyPercentile] = []

  package init() {}

  package static let fields: [Field<LatencySummary>] = [
    Field("count", \.count, "operations timed", .timed),
    Field("mean", \.mean, "their mean, in ns", .timed),
    Field("p50", \.p50, "the median, in ns", .timed),
    Field("p90", \.p90, "the 90th percentile, in ns", .timed),
    Field("p99", \.p99, "the 99th percentile, in ns", .timed),
    Field("p999", \.p999, "the 99.9th percentile, in ns", .timed),
    Field("max", \.max, "the longest, in ns", .timed),
    .omittable(
      "percentiles", \.percentiles, "more of the distribution, by rising percentage", .timed),
  ]
}

/// The cost of a lock for the threads that took it.
package struct ContentionSummary: Documented {
  /// The sign of a contended acquisition.
  package enum Criterion: String, Sendable, CaseIterable, JSONValue {
    /// A try-lock failed.
    case failedTry
    /// The lock has no try: another taker, which excludes this one, was inside or waiting.
    case takersPresent
  }

  package var acquisitions = 0
  package var contended = 0
  package var wait = DurationSummary()
  package var hold = DurationSummary()
  package var shards: [Int] = []
  package var criterion = Criterion.failedTry
  /// Nil for an open loop.
  package var slowdown: Double?

  package init() {}

  package static let fields: [Field<ContentionSummary>] = [
    Field("acquisitions", \.acquisitions, "how often the lock was taken", .timed),
    Field("contended", \.contended, "how often its taker had to wait", .timed),
    .derived("contendedRatio", \.contendedRatio, "`contended` / `acquisitions`", .timed),
    Field("wait", \.wait, "how long takers waited"),
    Field("hold", \.hold, "how long the lock was held"),
    .omittable("criterion", \.criterion, "what makes an acquisition contended", .timed),
    .omittable(
      "slowdown", \.slowdown, "the time that meters add, as a fraction of the run's", .timed),
    .omittable("shards", \.shards, "how often the lock of each shard was taken", .timed),
    .only(
      "with `shards`", if: { !$0.shards.isEmpty },
      .derived("shardSkew", \.shardSkew, "the busiest shard's acquisitions over the mean", .timed)),
  ]

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
package struct DurationSummary: Documented {
  package var p50 = 0
  package var p99 = 0
  package var p9999 = 0
  package var max = 0
  package var total = 0

  package init() {}

  package static let fields: [Field<DurationSummary>] = [
    Field("p50", \.p50, "the median, in ns", .timed),
    Field("p99", \.p99, "the 99th percentile, in ns", .timed),
    .omittable("p9999", \.p9999, "the 99.99th percentile, in ns", .timed),
    Field("max", \.max, "the longest, in ns", .timed),
    Field("total", \.total, "the sum, in ns; of holdings estimated", .timed),
  ]
}
