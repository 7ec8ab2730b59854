import Parameters
import Foundation

/// True if times measured before and after a change differ, and by what factor, where single times are
/// wild and the machine drifts.
///
///     let change = try TimingChange(before: old, after: new, .interleaved)
///     print(change.ratio, change.interval() as Any, change.verdict())
///
/// Times are compared as logarithms, so that the answer is a factor. Interleaved times, one before and one
/// after in each round, are compared round by round with signed ranks: whatever both have in common leaves,
/// drift included. Separate sets, one measured after the other, are compared with rank sums. Either is first
/// put into batches that do not depend on each other (Fishman, 1978); where even the longest batches do, the
/// machine was not the same throughout, and the verdict is `drifting`.
///
/// - Paper: those of `SignedRankTest`, `RankSumTest` and `SerialIndependenceTest`; on why outliers and drift
///   decide benchmarks, J. Chen and J. Revels, “Robust benchmarking in noisy environments”, 2016.
/// - Assumes: of interleaved sets, that a round is short against the drift, and best that a coin says which
///   side goes first. Of separate sets, that nothing changed between
///   them but what is studied; no statistic can know. Up to three in ten times may be wild.
/// - Does not say: why. Two processes differ by more than repetitions within one (memory layout, for one):
///   where that matters, give one time per process.
/// - Complexity: that of the tests, O(n log n) for many times.
package struct TimingChange: Sendable, Equatable {
  /// In which order the times were measured.
  package enum Arrangement: Sendable {
    /// One before, one after, and so on: `before[i]` and `after[i]` are of one round.
    case interleaved
    /// All of one set, then all of the other.
    case separate
  }

  /// The verdict.
  package enum Verdict: String, Sendable {
    /// Later times are longer.
    case slower
    /// Later times are shorter.
    case faster
    /// No difference beyond the tolerance shows; it may be there, within the interval.
    case unchanged
    /// The times drift in themselves, so that no comparison holds. Measure interleaved.
    case drifting
  }

  private enum Ranks: Equatable {
    case signed(SignedRankTest)
    case sum(RankSumTest)
  }

  private let ranks: Ranks
  /// The smallest p-value of the tests that times (or rounds) are in random order, in their batches.
  package let independence: Double
  /// Times (or rounds) in a batch, in the longer ones.
  package let batchLength: Int

  /// Compares two sets of times in any one unit, in the order of measurement.
  ///
  /// - Throws: For fewer than ten times in a set, times that are not positive, and rounds without partner.
  package init(
    before: [Double], after: [Double], _ arrangement: Arrangement
  ) throws(StatisticsError) {
    let (before, after) = (try TimingChange.logarithms(before), try TimingChange.logarithms(after))
    switch arrangement {
    case .interleaved:
      guard before.count == after.count else {
        throw .unequalCounts("times", first: before.count, second: after.count)
      }
      let batches = try IndependentBatches(zip(before, after).map { $1 - $0 })
      ranks = .signed(try SignedRankTest(batches.medians, of: .timings))
      independence = batches.independence.pValue
      batchLength = batches.length
    case .separate:
      let (first, second) = (try IndependentBatches(before), try IndependentBatches(after))
      ranks = .sum(try RankSumTest(first.medians, second.medians, of: .timings))
      independence = min(first.independence.pValue, second.independence.pValue)
      batchLength = max(first.length, second.length)
    }
  }

  /// The estimand of the interval.
  package var estimand: Estimand { .timings }

  /// The time after the change, as a multiple of that before.
  package var ratio: Double {
    switch ranks {
    case .signed(let test): exp(test.estimate)
    case .sum(let test): exp(test.estimate)
    }
  }

  /// The probability that chance alone makes such a difference where there is none.
  package var pValue: Double {
    switch ranks {
    case .signed(let test): test.pValue
    case .sum(let test): test.pValue
    }
  }

  /// An interval that holds the ratio with this confidence, which lies between 0 and 1; nil where there are
  /// too few times for it.
  package func interval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    let logarithms =
      switch ranks {
      case .signed(let test): test.interval(confidence: confidence)
      case .sum(let test): test.interval(confidence: confidence)
      }
    return logarithms.map { exp($0.lowerBound)...exp($0.upperBound) }
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
