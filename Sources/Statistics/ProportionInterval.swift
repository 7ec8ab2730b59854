import CGSL

/// The proportion of events among attempts, with an interval that no number of events makes too short.
///
/// - Paper: C. J. Clopper and E. S. Pearson, “The use of confidence or fiducial limits illustrated in the
///   case of the binomial”, Biometrika 26(4), 1934.
/// - Assumes: attempts independent of each other.
/// - Complexity: O(1).
package struct ProportionInterval: Sendable, Equatable {
  /// The number of events.
  package let events: Int
  /// The number of attempts.
  package let attempts: Int

  /// Events among attempts; there is at least one attempt.
  package init(events: Int, attempts: Int) {
    precondition(attempts > 0 && (0...attempts).contains(events), "events are among attempts")
    self.events = events
    self.attempts = attempts
  }

  /// The proportion.
  package var value: Double { Double(events) / Double(attempts) }

  /// An interval that holds the probability with at least this confidence, which lies between 0 and 1.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    GSL.returnsErrors
    let tail = 1 - NormalDistribution.upperLevel(confidence)
    let (events, others) = (Double(events), Double(attempts - events))
    let low = events == 0 ? 0 : gsl_cdf_beta_Pinv(tail, events, others + 1)
    let high = others == 0 ? 1 : gsl_cdf_beta_Qinv(tail, events + 1, others)
    return low...high
  }
}
