/// The offered and the served requests of an open loop.
package struct PaceReport: Sendable, Equatable {
  /// The pace as it was requested: `100000`, `120%`, `trace:10`.
  package var label: String
  /// The distribution of arrivals in time.
  package var arrivals: ArrivalModel
  /// Requests a second that were meant to start.
  package var offered: Double
  /// Requests a second that were served.
  package var achieved: Double
  /// The bare throughput that the rate is a fraction of, in requests a second; nil for another pace.
  package var capacity: Double?
  /// The tick of the trace's clock, in nanoseconds; nil where its times were not followed.
  package var tick: Int?
  /// True if requests came faster than they were served: more than one in a hundred was behind at the
  /// end, and responses took half as long again at least in the run's last quarter as in its first.
  package var isOverload: Bool
  /// Requests at one reading of that clock, on average: above 1 the arrival model spreads them.
  package var requestsPerReading: Double?

  /// A pace with these facts.
  package init(
    label: String, arrivals: ArrivalModel, offered: Double, achieved: Double,
    isOverload: Bool, capacity: Double? = nil, tick: Int? = nil,
    requestsPerReading: Double? = nil
  ) {
    self.label = label
    self.arrivals = arrivals
    self.offered = offered
    self.achieved = achieved
    self.isOverload = isOverload
    self.capacity = capacity
    self.tick = tick
    self.requestsPerReading = requestsPerReading
  }
}

/// The distribution of what an open loop's requests took, in nanoseconds, and how it changed.
package struct ResponseSummary: Sendable, Equatable {
  /// Of all requests.
  package var whole: LatencySummary
  /// The medians of the run's four quarters: they rise as long as a queue grows.
  package var quarters: [Int]

  /// A distribution with these facts.
  package init(whole: LatencySummary, quarters: [Int]) {
    self.whole = whole
    self.quarters = quarters
  }

  /// The last quarter's median over the first's; nil where the first is 0.
  package var growth: Double? {
    guard let first = quarters.first, let last = quarters.last, first > 0 else { return nil }
    return Double(last) / Double(first)
  }
}

/// A run in two parts: until the cache was full, and from there.
package struct CutReport: Sendable, Equatable {
  /// One part of a run.
  package struct Part: Sendable, Equatable {
    /// Counted requests.
    package var requests: Int
    /// Those that found their object resident.
    package var hits: Int
    /// The seconds of the part without any instrument.
    package var seconds: Double
    /// The durations of its lookups; nil where there was none, and for an open loop, which is not cut.
    package var get: LatencySummary?

    /// A part with these facts.
    package init(requests: Int, hits: Int, seconds: Double, get: LatencySummary?) {
      self.requests = requests
      self.hits = hits
      self.seconds = seconds
      self.get = get
    }

    /// The share of the requests that were hits; nil when none was counted.
    package var hitRatio: Double? { requests == 0 ? nil : Double(hits) / Double(requests) }

    /// Requests in a second.
    package var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }
  }

  /// Before the cut.
  package var cold: Part
  /// After the cut; nil if the cache was not full then.
  package var postFill: Part?

  /// A run in these parts.
  package init(cold: Part, postFill: Part?) {
    self.cold = cold
    self.postFill = postFill
  }
}

/// The use that a run made of the machine.
package struct ResourceUse: Sendable, Equatable {
  /// The time of all threads of the process on processors, in seconds.
  package var cpuSeconds: Double
  /// The number of allocations that the threads made for their requests; nil where that is not counted.
  package var allocations: Int?
  /// The bytes resident at most, less those before the cache was made; nil where the system does not say.
  package var peakMemory: Int?

  /// A use of these.
  package init(cpuSeconds: Double, allocations: Int? = nil, peakMemory: Int? = nil) {
    self.cpuSeconds = cpuSeconds
    self.allocations = allocations
    self.peakMemory = peakMemory
  }
}
