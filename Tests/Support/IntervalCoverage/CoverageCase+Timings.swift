import Foundation
import Statistics

/// A machine's times, around 1.
private struct TimingProcess: Sendable {
  let name: String
  /// The median of a time.
  var median = 1.0
  /// The times of a number of measurements, one after the other.
  let times: @Sendable (inout Draws, Int) -> [Double]

  static let all = [
    TimingProcess(name: "normal") { draws, count in
      (0..<count).map { _ in 1 + 0.02 * draws.normal() }
    },
    TimingProcess(name: "one in twenty up to three times as long", median: wildMedian) {
      draws, count in (0..<count).map { _ in draws.time() }
    },
    TimingProcess(name: "each like the one before, AR(1), φ = 0.8") { draws, count in
      draws.correlated(count, by: 0.8).map { 1 + 0.02 * $0 }
    },
    TimingProcess(name: "drift by 3 sd", median: 1.03) { draws, count in
      (0..<count).map { 1 + 0.02 * draws.normal() + 0.06 * Double($0) / Double(count - 1) }
    },
  ]

  /// Of the distribution with wild times: nineteen in twenty are quiet, and half of the others nearly so.
  private static let wildMedian = exp(0.02 * 0.065)
}

extension CoverageCase {
  /// Intervals of times.
  static let timings = medians + changes

  private static let medians = [6, 10, 30].flatMap { count in
    TimingProcess.all.map { process in
      CoverageCase("median of repetitions", "\(process.name), \(count) repetitions") { draws in
        let times = process.times(&draws, count)
        return try QuantileInterval(times, 0.5, of: .timings).interval()?
          .contains(process.median)
      }
    }
  }

  private static let changes = TimingProcess.all.map { process in
    CoverageCase("change of times, separate", "\(process.name), 30 rounds") { draws in
      let times = process.times(&draws, 60)
      let change = try TimingChange(
        before: Array(times[..<30]), after: times[30...].map { 1.1 * $0 })
      return change.verdict() == .drifting ? nil : change.interval()?.contains(1.1)
    }
  }
}
