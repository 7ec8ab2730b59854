import Foundation

/// The rule of a condition: a statistic, and the side of a limit on which the claim lies.
package struct ClaimRule: Sendable, Equatable {
  /// The number that trials estimate.
  package enum Statistic: String, Sendable {
    /// The claimed value over the other, averaged as a logarithm.
    case ratio
    /// The claimed value less the other.
    case difference
    /// The events among all attempts.
    case proportion
  }

  /// The side of the limit on which the claim lies.
  package enum Side: String, Sendable { case below, above }

  /// A difference of times counts from here.
  package static let timeMargin = 0.1
  /// A difference of hit ratios, or of proportions, counts from here.
  package static let pointMargin = 0.005

  package let statistic: Statistic
  package let side: Side
  package let limit: Double
  /// True where a trial has the same outcome each time: one is enough, and its interval is a point.
  package let isExact: Bool

  package init(_ statistic: Statistic, _ side: Side, _ limit: Double, isExact: Bool = false) {
    self.statistic = statistic
    self.side = side
    self.limit = limit
    self.isExact = isExact
  }

  /// Takes less time than the other, by the margin.
  package static let faster = ClaimRule(.ratio, .below, 1 / (1 + timeMargin))
  /// Takes more time than the other, by the margin.
  package static let slower = ClaimRule(.ratio, .above, 1 + timeMargin)
  /// Takes no more time than the other and the margin.
  package static let notSlower = ClaimRule(.ratio, .below, 1 + timeMargin)
  /// Hits more often than the other, by the margin, in a count without chance.
  package static let hitsMore = ClaimRule(.difference, .above, pointMargin, isExact: true)
  /// Hits no less often than the other less the margin, in a count without chance.
  package static let hitsNoLess = ClaimRule(.difference, .above, -pointMargin, isExact: true)
  /// Happens in fewer attempts than the margin.
  package static let neverHappens = ClaimRule(.proportion, .below, pointMargin)
  /// Happens in more attempts than the margin.
  package static let happens = ClaimRule(.proportion, .above, pointMargin)

  /// True if it compares times, which depend on what else the machine does.
  package var isTimed: Bool { statistic == .ratio && !isExact }

  /// The margin in the scale in which the statistic is averaged.
  package var margin: Double {
    statistic == .ratio ? log(1 + ClaimRule.timeMargin) : ClaimRule.pointMargin
  }
}

extension ClaimRule: CustomStringConvertible {
  package var description: String {
    "\(side.rawValue) \(String(format: "%.4g", limit)) (\(statistic.rawValue)"
      + (isExact ? ", exact)" : ")")
  }
}
