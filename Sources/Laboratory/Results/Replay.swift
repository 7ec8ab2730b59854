/// What a replay through the real cache measures beyond hits.
public struct Replay: Sendable, Equatable {
  /// Threads that made requests.
  public var threads: Int
  /// The cache's lock, by name.
  public var lock: String
  /// The system under test, by name; nil for this project's own cache.
  public var system: String?
  /// How long operations took; nil when it was not measured.
  public var latency: LatencyReport?
  /// What the lock cost; nil when it was not measured.
  public var contention: ContentionSummary?

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

/// How long a replay's operations took, in nanoseconds.
public struct LatencyReport: Sendable, Equatable {
  /// Every lookup.
  public var get: LatencySummary?
  /// Lookups that found their object.
  public var hit: LatencySummary?
  /// Lookups that did not.
  public var miss: LatencySummary?
  /// Writes.
  public var set: LatencySummary?
  /// What a pair of clock reads costs: contained in every latency.
  public var timerOverhead: Double

  /// Summaries by operation; nil for one that did not happen.
  public init(
    get: LatencySummary? = nil, hit: LatencySummary? = nil, miss: LatencySummary? = nil,
    set: LatencySummary? = nil, timerOverhead: Double
  ) {
    self.get = get
    self.hit = hit
    self.miss = miss
    self.set = set
    self.timerOverhead = timerOverhead
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

/// What a lock cost the threads that took it.
public struct ContentionSummary: Sendable, Equatable {
  /// How often the lock was taken.
  public var acquisitions: Int
  /// How often it had to be waited for.
  public var contended: Int
  /// How long takers waited, in nanoseconds.
  public var wait: DurationSummary
  /// How long the lock was held, in nanoseconds.
  public var hold: DurationSummary

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
