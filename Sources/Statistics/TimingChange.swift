import Foundation

/// True if times measured before and after a change differ, and by what factor, where single times are
/// wild and the machine drifts.
///
///     let change = try TimingChange(before: old, after: new)
///     print(change.ratio, change.interval() as Any, change.verdict())
///
/// Times are compared as logarithms, so that the answer is a factor: two sets, one measured after the other, with
/// rank sums. Each is first put into batches that do not depend on each other (Fishman, 1978); where even the
/// longest batches do, the machine was not the same throughout, and the verdict is `drifting`.
///
/// - Paper: those of `RankSumTest` and `SerialIndependenceTest`; on why outliers and drift
///   decide benchmarks, J. Chen and J. Revels, “Robust benchmarking in noisy environments”, 2016.
/// - Assumes: that nothing changed between the sets but what is studied; no statistic can know. Up to three in ten
///   times may be wild.
/// - Does not say: why. Two processes differ by more than repetitions within one (memory layout, for one):
///   where that matters, give one time per process.
/// - Complexity: that of the tests, O(n log n) for many times.
package struct TimingChange: Sendable, Equatable {
  /// The verdict.
  package enum Verdict: String, Sendable {
    /// Later times are longer.
    case slower
    /// Later times are shorter.
    case faster
    /// No difference beyond the tolerance shows; it may be there, within the interval.
    case unchanged
    /// The times drift in themselves, so that no comparison holds.
    case drifting
  }

  private let ranks: RankSumTest
  /// The smaller p-value of the tests that the times of a set are in random order, in their batches.
  package let independence: Double
  /// Times in a batch, in the longer ones.
  package let batchLength: Int

  /// Compares two sets of times in any one unit, in the order of measurement.
  ///
  /// - Throws: For fewer than ten times in a set, and for times that are not positive.
  package init(before: [Double], after: [Double]) throws(StatisticsError) {
    let first = try IndependentBatches(TimingChange.logarithms(before))
    let second = try IndependentBatches(TimingChange.logarithms(after))
    ranks = try RankSumTest(first.medians, second.medians, of: .timings)
    independence = min(first.independence.pValue, second.independence.pValue)
    batchLength = max(first.length, second.length)
  }

  /// The time after the change, as a multiple of that before.
  package var ratio: Double { exp(ranks.estimate) }

  /// The probability that chance alone makes such a difference where there is none.
  package var pValue: Double { ranks.pValue }

  /// An interval that holds the ratio with this confidence, which lies between 0 and 1; nil where there are
  /// too few times for it.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    ranks.interval(confidence: confidence).map { exp($0.lowerBound)...exp($0.upperBound) }
  }

  /// Returns the verdict at this confidence. A difference counts where the whole interval lies beyond the
  /// tolerance: 0.01 lets factors of 1.01 and 1 / 1.01 pass.
  package func verdict(confidence: Double = 0.95, tolerance: Double = 0) -> Verdict {
    if independence < 0.01 { return .drifting }
    guard let interval = interval(confidence: confidence) else { return .unchanged }
    if interval.lowerBound > 1 + tolerance { return .slower }
    if interval.upperBound < 1 / (1 + tolerance) { return .faster }
    return .unchanged
  }

  private static func logarithms(_ times: [Double]) throws(StatisticsError) -> [Double] {
    if let index = times.firstIndex(where: { !($0 > 0 && $0.isFinite) }) {
      throw .badValue("time", index: index, value: times[index], wanted: "times are positive")
    }
    guard times.count >= IndependentBatches.least else {
      throw .tooFew(
        "times in a set", count: times.count, needed: IndependentBatches.least,
        remedy: "repeat the measurement")
    }
    return times.map { log($0) }
  }
}
