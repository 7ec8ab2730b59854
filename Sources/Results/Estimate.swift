import Foundation
import Parameters

/// A figure of a policy at one capacity of one trace, and what it stands for, with an interval.
///
/// What a deterministic run hits is exact and has no interval. An interval is for something beyond the run,
/// which ``estimand`` names: all seeds of a policy that draws random numbers, or traffic to come.
public struct Estimate: Sendable, Equatable {
  /// The confidence of an interval.
  public static let confidence = 0.95

  /// The trace's name.
  public package(set) var trace: String
  /// The capacity, in ``unit``.
  public package(set) var capacity: Int
  /// The unit of the capacity.
  public package(set) var unit: Measurement.Unit
  /// The policy with its parameters, in the system it runs in.
  public package(set) var policy: String
  /// The policy whose hit ratio is taken off; nil where the figure is the policy's own hit ratio.
  public package(set) var against: String?
  /// The estimand of the interval.
  public package(set) var estimand: Estimand
  /// The hit ratio, or by how much it is above the other one.
  public package(set) var value: Double
  /// The interval that holds the estimand with that confidence; nil where nothing can be said, for a
  /// ``reason``.
  public package(set) var interval: ClosedRange<Double>?
  /// Seeds, or blocks of the trace, that the interval comes from.
  public package(set) var samples: Int?
  /// Requests of a block of the trace, on average.
  public package(set) var blockRequests: Int?
  /// Requests that pass while an object stays in the cache, of two policies the longer time.
  public package(set) var evictionAge: Double?
  /// True if the traffic stays the same along the trace; nil where it was not tested.
  public package(set) var isStationary: Bool?
  /// The reason why there is no interval; nil where there is one.
  public package(set) var reason: String?

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
    value = (run.hitRatio ?? 0) - (other.map { $0.hitRatio ?? 0 } ?? 0)
  }
}

extension Estimate {
  /// The estimate in a sentence, its full stop left out: `arc above lru by 6.10 points; 95 % interval for
  /// future windows of this trace [5.20, 7.00]; stationary: yes`.
  public var text: String {
    let figure =
      if let against {
        "\(policy) \(value < 0 ? "below" : "above") \(against) by "
          + "\(Estimate.hundredths(abs(value))) points"
      } else {
        "\(policy) hits \(Estimate.hundredths(value)) %"
      }
    return "\(figure); \(intervalText)"
  }

  /// The estimate with its place, in a sentence.
  public var sentence: String {
    "On \(trace) at \(Measurement.text(of: capacity, unit)): \(text)."
  }

  /// The interval in words, or why there is none.
  package var intervalText: String {
    guard let interval else { return "no interval for \(estimandText): \(reason ?? "")" }
    let text = "95 % interval for \(estimandText) [\(Estimate.hundredths(interval.lowerBound)), "
    let stationary = isStationary.map { "; stationary: \($0 ? "yes" : "no")" } ?? ""
    return text + "\(Estimate.hundredths(interval.upperBound))]" + stationary
  }

  /// The estimand in words: `future windows of this trace`.
  package var estimandText: String {
    switch estimand {
    case .futureWindows: "future windows of this trace"
    case .seeds: "the mean over all seeds"
    case .keySampling, .timings: estimand.rawValue
    }
  }

  /// A ratio in hundredths: per cent, or points.
  package static func hundredths(_ value: Double) -> String { String(format: "%.2f", value * 100) }

  /// The source of the interval: `25 blocks of 36566 requests`.
  package var basis: String? {
    samples.map { samples in
      blockRequests.map { "\(samples) blocks of \($0) requests" } ?? "\(samples) seeds"
    }
  }
}

extension Estimand: JSONValue {}

extension Estimate: Documented {
  package static let blank = Estimate(.blank, of: .seeds)
  package static let fields: [Field<Estimate>] = [
    Field("trace", \.trace, "the trace's name"),
    Field("policy", \.policy, "the policy with its parameters, and the system it runs in"),
    Field("against", \.against, "the policy whose hit ratio is taken off"),
    Field("capacity", \.capacity, .from(0), "the capacity, in `unit`"),
    Field("unit", \.unit, "what the capacity counts"),
    Field("estimand", \.estimand, "what the interval is about"),
    Field("value", \.value, "the hit ratio, or by how much it is above the other one"),
    .constant("confidence", confidence, "the confidence of the interval"),
    Field("interval", \.interval, "what holds the estimand with that confidence"),
    Field("samples", \.samples, "the seeds, or blocks of the trace, of the interval"),
    Field("blockRequests", \.blockRequests, "requests of a block, on average"),
    Field("evictionAge", \.evictionAge, "requests that pass while an object stays in the cache"),
    Field("stationary", \.isStationary, "the traffic stays the same along the trace"),
    Field("reason", \.reason, "why there is no interval"),
  ]
}
