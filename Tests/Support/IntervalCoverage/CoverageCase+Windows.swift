import Foundation
import Statistics

/// The windows of a trace: their levels, as multiples of their spread, and those of the next trace.
private struct WindowProcess: Sendable {
  let name: String
  /// The mean level of the windows of the first trace.
  var mean = 0.0
  /// The levels of a number of windows.
  let levels: @Sendable (inout Draws, Int) -> [Double]

  static let independent = WindowProcess(name: "independent") { draws, count in
    (0..<count).map { _ in draws.normal() }
  }

  static let skewed = WindowProcess(name: "skewed (exponential)") { draws, count in
    (0..<count).map { _ in -log(1 - draws.uniform()) - 1 }
  }

  /// One window in twenty differs, by far.
  static let bursts = WindowProcess(name: "bursts in 5 % of the windows") { draws, count in
    (0..<count).map { _ in (draws.uniform() < 0.05 ? -log(1 - draws.uniform()) : 0) - 0.05 }
  }

  static func autoregression(_ correlation: Double) -> WindowProcess {
    WindowProcess(name: "AR(1), φ = \(correlation)") { draws, count in
      draws.correlated(count, by: correlation)
    }
  }

  /// The level rises by one standard deviation along each trace.
  static let drift = WindowProcess(name: "drift of 1 sd per trace", mean: 0.5) { draws, count in
    (0..<count).map { draws.normal() + 2 * Double($0) / Double(count) }
  }

  static let all =
    [independent, skewed, bursts] + [0.3, 0.6, 0.8, 0.9].map(autoregression) + [drift]
}

/// A trace of the process, and one after it.
private struct WindowTraces {
  let mean: StationaryMean
  let next: Double

  init(_ process: WindowProcess, _ count: Int, _ draws: inout Draws) throws {
    let hits = process.levels(&draws, 2 * count).map { Int(500_000 + 20_000 * $0) }
    mean = try StationaryMean(
      hits: Array(hits[..<count]), requests: [Int](repeating: 1_000_000, count: count))
    next = Double(hits[count...].reduce(0, +)) / Double(count) / 1e6
  }
}

extension CoverageCase {
  private static func cases(
    _ interval: String, _ holds: @escaping @Sendable (WindowTraces, WindowProcess) -> Bool
  ) -> [CoverageCase] {
    [40, 100, 400].flatMap { count in
      WindowProcess.all.map { process in
        CoverageCase(interval, "\(process.name), \(count) windows") { draws in
          holds(try WindowTraces(process, count, &draws), process)
        }
      }
    }
  }

  /// The intervals from a trace's windows.
  static let windows =
    cases("stationary mean") { $0.mean.interval().contains(0.5 + 0.02 * $1.mean) }
    + cases("next trace") { traces, _ in traces.mean.nextTrace().contains(traces.next) }

  /// The p-value of the same windows, which is no interval: below 0.05 in 5 % where the level stays.
  package static let stationarity = cases("stationarity p ≥ 0.05") { traces, _ in
    traces.mean.stationarity.pValue >= 0.05
  }
}
