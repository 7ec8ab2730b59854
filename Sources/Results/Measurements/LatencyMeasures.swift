/// The latencies of requests in virtual time, where a miss lasts and further requests of its object wait for it.
package struct LatencyMeasures: Documented {
  /// The unit of latencies.
  package enum Unit: String, Sendable, CaseIterable, JSONValue {
    /// Of the trace's times.
    case nanoseconds
    /// Each request lasts one.
    case requests
  }

  package var unit = Unit.nanoseconds
  /// The delay: the latency of a miss.
  package var miss = 0
  package var delayedHits = 0
  package var misses = 0
  package var total = 0
  package var p50 = 0
  package var p99 = 0
  /// Nil without requests.
  package var mean: Double?
  /// A sum that the latencies of no policy are below, told the future or not.
  package var least = 0

  /// Nothing measured yet.
  package init() {}
}

extension LatencyMeasures {
  package static let fields: [Field<LatencyMeasures>] = [
    Field("unit", \.unit, "the unit of the latencies", .exact),
    Field("miss", \.miss, "the latency of a miss (`--delay`)", .exact, as: .from(0)),
    Field(
      "delayedHits", \.delayedHits, "requests that waited for a fetch that had begun", .exact,
      as: .count),
    Field("misses", \.misses, "requests that began a fetch", .exact, as: .count),
    Field("total", \.total, "the sum of the latencies; a hit has none", .exact, as: .from(0)),
    Field("mean", \.mean, "`total` / `requests`", .exact),
    Field("p50", \.p50, "the median latency, the lower of two", .exact, as: .from(0)),
    Field(
      "p99", \.p99, "the lowest latency that 99 % of the requests do not exceed", .exact,
      as: .from(0)),
    Field(
      "least", \.least,
      "no policy has a lower `total`, not even one that knows the future: the volume bound", .exact,
      as: .from(0)),
  ]
}
