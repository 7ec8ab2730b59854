import Results
import Traces

/// A division of a run's requests into windows.
package enum WindowCut: Sendable, Equatable {
  /// A number of windows of equally many requests.
  case count(Int)
  /// Windows of a number of nanoseconds.
  case time(Int64)

  /// The cut as documents hold it: `100`, `"600000000000ns"`.
  package var json: JSON {
    switch self {
    case .count(let count): .integer(count)
    case .time(let nanoseconds): .string("\(nanoseconds)ns")
    }
  }

  /// The time of a window; nil where windows hold equally many requests.
  package var seconds: Double? {
    if case .time(let width) = self { Double(width) / 1e9 } else { nil }
  }

  /// The most windows of a run.
  package static let most = 100_000

  /// After how many requests each window ends, rising; windows of time without requests end together.
  ///
  /// - Parameters:
  ///   - trace: The requests.
  ///   - warmup: Requests at the start that belong to no window.
  ///   - known: The requests of a trace that is read block by block; nil for one in memory.
  /// - Throws: ``PlanError`` without times, and when there are too many windows.
  /// - Complexity: O(windows), and O(requests) for windows of time.
  package func ends(
    of trace: Trace, warmup: Int, requests known: Int? = nil
  ) throws(PlanError) -> [Int] {
    switch self {
    case .count(let count):
      let counted = (known ?? trace.requests) - warmup
      // Never more windows than requests.
      let windows = min(count, counted)
      return (1...max(1, windows)).map { window in
        // In parts, so that long traces do not overflow.
        let (whole, rest) = counted.quotientAndRemainder(dividingBy: max(1, windows))
        return warmup + whole * window + rest * window / max(1, windows)
      }
    case .time(let width):
      guard let times = trace.times else { throw .timesMissing(trace: trace.name) }
      var ends: [Int] = []
      let start = times[warmup]
      for index in warmup..<trace.requests {
        // Times that go back stay in the window they are found in.
        let window = max(0, times[index].subtractingReportingOverflow(start).partialValue) / width
        if window > WindowCut.most { throw .windows(trace: trace.name, most: WindowCut.most) }
        while ends.count < window { ends.append(index) }
      }
      return ends + [trace.requests]
    }
  }
}
