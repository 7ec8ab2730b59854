import Foundation

/// What a comparison looks up in the other document: a run, or a curve.
public enum ComparedCell: Hashable, Sendable {
  /// A run at one capacity.
  case run(CellIdentity)
  /// A curve over many capacities.
  case curve(CurveIdentity)

  /// The trace's name.
  public var trace: String {
    switch self {
    case .run(let run): run.trace
    case .curve(let curve): curve.trace
    }
  }

  /// The policy as it is written on the command line.
  public var policy: String {
    switch self {
    case .run(let run): run.policy
    case .curve(let curve): curve.policy
    }
  }

  /// In words, without the trace: `arc at 1000`, `lru curve, 1 % of the keys`.
  public var label: String {
    switch self {
    case .run(let run): run.label
    case .curve(let curve): curve.label
    }
  }
}

/// What tells one curve from another in a results document, and is the same in the next one.
///
/// How the curve was found is left out: all exact ways find the same.
public struct CurveIdentity: Hashable, Sendable {
  /// The trace's name.
  public let trace: String
  /// The policy as it is written on the command line.
  public let policy: String
  /// What capacities count.
  public let unit: Measurement.Unit
  /// Where every random draw started from.
  public let seed: Int
  /// The share of the keys that were looked at.
  public let rate: Double

  /// The identity of a curve.
  public init(_ curve: MissRatioCurve) {
    trace = curve.trace
    policy = curve.policyLabel
    unit = curve.unit
    seed = curve.seed
    rate = curve.rate
  }

  /// In words, without the trace: `lru curve in bytes, 1 % of the keys`.
  public var label: String {
    var label = "\(policy) curve"
    if unit == .bytes { label += " in bytes" }
    if rate != 1 { label += String(format: ", %g %% of the keys", rate * 100) }
    if seed != 42 { label += ", seed \(seed)" }
    return label
  }
}
