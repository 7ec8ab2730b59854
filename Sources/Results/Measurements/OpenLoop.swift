/// The offered and the served requests of an open loop.
package struct PaceReport: Documented {
  package var label = ""
  package var arrivals = ArrivalModel.poisson
  package var offered = 0.0
  package var achieved = 0.0
  /// Nil for another pace.
  package var capacity: Double?
  /// Nil where its times were not followed.
  package var tick: Int?
  package var isOverload = false
  package var requestsPerReading: Double?

  package init() {}

  package static let fields: [Field<PaceReport>] = [
    Field("pace", \.label, "the pace as on the command line", .exact),
    Field("arrivals", \.arrivals, "the distribution of arrival times", .exact),
    Field("offered", \.offered, "requests a second that were meant to start", .timed),
    Field("achieved", \.achieved, "requests a second that were served", .timed),
    Field("overload", \.isOverload, "requests came faster than they were served", .timed),
    Field("capacity", \.capacity, "requests a second of the bare pass", .timed),
    Field("tick", \.tick, "the tick of the trace's clock, in ns", .timed),
    Field("requestsPerReading", \.requestsPerReading, "requests in one tick, on average", .timed),
  ]
}

/// The distribution of what an open loop's requests took, in nanoseconds, and how it changed.
package struct ResponseSummary: Documented {
  /// Of all requests.
  package var whole = LatencySummary()
  package var quarters: [Int] = []

  package init() {}

  package static let fields: [Field<ResponseSummary>] = [
    .spread(\.all),
    Field("quarters", \.quarters, "the medians of the run's four quarters, in ns", .timed),
  ]

  private var all: LatencySummary? {
    get { whole }
    set { if let newValue { whole = newValue } }
  }

  /// The last quarter's median over the first's; nil where the first is 0.
  package var growth: Double? {
    guard let first = quarters.first, let last = quarters.last, first > 0 else { return nil }
    return Double(last) / Double(first)
  }
}

/// A run in two parts: until the cache was full, and from there.
package struct CutReport: Documented {
  /// One part of a run.
  package struct Part: Documented {
    package var requests = 0
    package var hits = 0
    package var seconds = 0.0
    /// Nil where there was none, and for an open loop, which is not cut.
    package var get: LatencySummary?

    package init() {}

    package static let fields: [Field<CutReport.Part>] = [
      Field("requests", \.requests, "counted requests", .exact),
      Field("hits", \.hits, "those that found their object", .exact),
      .derived("hitRatio", \.hitRatio, "`hits` / `requests`", .exact),
      Field("seconds", \.seconds, "the time of the part, in seconds, nothing timed", .timed),
      .derived("requestsPerSecond", \.requestsPerSecond, "`requests` / `seconds`", .timed),
      Field("get", \.get, "how long lookups took"),
    ]

    /// The share of the requests that were hits; nil when none was counted.
    package var hitRatio: Double? { requests == 0 ? nil : Double(hits) / Double(requests) }

    /// Requests in a second.
    package var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }
  }

  package var cold = Part()
  /// Nil if the cache was not full then.
  package var postFill: Part?

  package init() {}

  package static let fields: [Field<CutReport>] = [
    Field("cold", \.cold, "the run until the cache was full"),
    Field("postFill", \.postFill, "the rest of the run"),
  ]
}

/// The use that a run made of the machine.
package struct ResourceUse: Documented {
  package var cpuSeconds = 0.0
  /// Nil where that is not counted.
  package var allocations: Int?
  /// Nil where the system does not say.
  package var peakMemory: Int?

  package init() {}

  package static let fields: [Field<ResourceUse>] = [
    Field("cpuSeconds", \.cpuSeconds, "processor time of all threads, in seconds", .timed),
    Field("allocations", \.allocations, "allocations while requests were made", .estimated),
    Field("peakMemory", \.peakMemory, "memory that the cache added at most, in bytes", .timed),
  ]
}
