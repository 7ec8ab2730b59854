/// The source of the randomness that an interval is about.
///
/// A deterministic count has none: the hits of a policy on a recorded trace are what they are. What is
/// uncertain is what that count stands for, and an interval that does not say for what says nothing. So
/// each interval here takes one of these.
public enum Estimand: String, Sendable, CaseIterable {
  /// The figure of a whole trace, seen through a sample of its keys.
  case keySampling = "key sampling"
  /// The mean over all seeds of a randomised policy or generator, seen through some seeds.
  case seeds
  /// The median over all orders in which a trace's requests may come, seen through some of them.
  case orders
  /// The mean of a stationary process like a trace, seen through the windows of the trace.
  case stationaryMean = "stationary mean"
  /// The time that the work takes on this machine in this state, seen through repeated measurements.
  case timings
}
