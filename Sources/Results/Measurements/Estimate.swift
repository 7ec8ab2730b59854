import Parameters

/// A figure of a policy at one capacity of one trace, and what it stands for, with an interval.
///
/// What a deterministic run hits is exact and has no interval. An interval is for something beyond the run,
/// which ``estimand`` names: all seeds of a policy that draws random numbers, or a process like the trace.
package struct Estimate: Documented {
  /// The confidence of an interval.
  package static let confidence = 0.95

  package var trace: String
  package var capacity: Int
  package var unit: Measurement.Unit
  package var policy: String
  /// Nil where the figure is the policy's own hit ratio.
  package var against: String?
  package var estimand: Estimand
  package var value: Double
  /// Nil where nothing can be said, for a ``reason``.
  package var interval: ClosedRange<Double>?
  /// Nil for other estimands, and for the best.
  package var nextTrace: ClosedRange<Double>?
  /// Nil for an interval of its own.
  package var comparisons: Int?
  package var isBest = false
  package var samples: Int?
  /// Nil for other estimands.
  package var blockLength: Int?
  /// Nil where it was not tested.
  package var stationarity: Double?
  /// Nil where there is one.
  package var reason: String?

  /// An estimate for a run's policy, nothing known of it but its value.
  ///
  /// - Parameter other: The policy that it is compared with; nil for none.
  package init(_ run: Measurement, against other: Measurement? = nil, of estimand: Estimand) {
    trace = run.trace
    capacity = run.capacity
    unit = run.unit
    policy = run.contender
    against = other?.contender
    self.estimand = estimand
    value = (run.comparedHitRatio ?? 0) - (other?.comparedHitRatio ?? 0)
  }

  package init() { self.init(Measurement(), of: .seeds) }

  package static let fields: [Field<Estimate>] = [
    Field("trace", \.trace, "the trace's name", .exact),
    Field("policy", \.policy, "the policy with its parameters, and the system it runs in", .exact),
    Field("against", \.against, "the policy whose hit ratio is taken off", .exact),
    Field("capacity", \.capacity, "the capacity, in `unit`", .exact, as: .from(0)),
    Field("unit", \.unit, "what the capacity counts", .exact),
    Field("estimand", \.estimand, "what the interval is about", .exact),
    Field("value", \.value, "the hit ratio, or by how much it is above the other one", .exact),
    .constant("confidence", confidence, "the confidence of the interval"),
    Field("interval", \.interval, "what holds the estimand with that confidence", .estimated),
    Field(
      "nextTrace", \.nextTrace,
      "what holds the figure of the next trace, as long as this one, with that confidence",
      .estimated),
    Field(
      "comparisons", \.comparisons, "the number of comparisons whose intervals are valid together",
      .exact),
    .omittable(
      "best", \.isBest,
      "the most hits at the capacity, above the next most; the interval allows for the choice",
      .estimated),
    Field(
      "samples", \.samples, "the seeds, orders, or windows of the trace, of the interval", .exact),
    Field("blockLength", \.blockLength, "windows in a block", .exact),
    Field(
      "stationarity", \.stationarity,
      "the p-value of the test that the traffic stays the same along the trace", .estimated),
    Field("reason", \.reason, "why there is no interval", .descriptive),
  ]
}

extension Estimate {
  /// The estimate in a sentence, its full stop left out: `arc above lru by 6.10 points; 95 % interval for
  /// the mean of a stationary process like this trace [5.20, 7.00], for the next trace [4.83, 7.37],
  /// stationarity p = 0.31`.
  package var text: String {
    let figure =
      if let against {
        "\(policy) \(value < 0 ? "below" : "above") \(isBest ? "the next best, \(against)," : against) "
          + "by \(Estimate.hundredths(abs(value))) points"
      } else {
        "\(policy) hits \(Estimate.hundredths(value)) %"
      }
    return "\(figure); \(intervalText)"
  }

  /// The estimate with its place, in a sentence.
  package var sentence: String {
    "On \(trace) at \(Measurement.text(of: capacity, unit)): \(text)."
  }

  /// The interval in words, or why there is none.
  package var intervalText: String {
    guard let interval else { return "no interval for \(estimandText): \(reason ?? "")" }
    let next = nextTrace.map { ", for the next trace \(Estimate.pair($0))" } ?? ""
    let test = stationarity.map { ", stationarity \(Estimate.probability($0))" } ?? ""
    return "95 % interval for \(estimandText) \(Estimate.pair(interval))" + next + test
  }

  /// The estimand in words: `the mean over all seeds`.
  package var estimandText: String {
    switch estimand {
    case .stationaryMean: "the mean of a stationary process like this trace"
    case .seeds: "the mean over all seeds"
    case .orders: "the median over all such orders"
    case .keySampling, .timings: estimand.rawValue
    }
  }

  private static func pair(_ interval: ClosedRange<Double>) -> String {
    "[\(hundredths(interval.lowerBound)), \(hundredths(interval.upperBound))]"
  }

  /// A p-value: `p = 0.031`, `p < 0.001`.
  private static func probability(_ value: Double) -> String {
    value < 0.001 ? "p < 0.001" : String(printing: "p = %.3f", value)
  }

  /// A ratio in hundredths: per cent, or points.
  package static func hundredths(_ value: Double) -> String {
    String(printing: "%.2f", value * 100)
  }

  /// The source of the interval: `100 windows in blocks of 4`.
  package var basis: String? {
    samples.map { samples in
      blockLength.map { "\(samples) windows in blocks of \($0)" }
        ?? "\(samples) \(estimand.rawValue)"
    }
  }
}

extension Estimand: JSONValue {
  /// The names, and the one that versions before gave the mean of a stationary process.
  package static let format: JSONFormat<Estimand> = {
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    return JSONFormat("one of \(names)", plural: names, write: { .string($0.rawValue) }) {
      guard case .string(let name) = $0 else { return nil }
      return name == "future windows" ? .stationaryMean : Estimand(rawValue: name)
    }
  }()
}
