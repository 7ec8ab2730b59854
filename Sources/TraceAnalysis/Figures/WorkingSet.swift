import Rendering
import Results
import Traces

/// The number of distinct keys in use over time: in each of some windows of equally many requests, and
/// since the start.
package struct WorkingSet: TraceFigure, Equatable {
  /// A window.
  package struct Window: Sendable, Equatable {
    /// The number of requests there up to its end.
    package let end: Int
    /// Distinct keys within it.
    package let distinct: Int
    /// Distinct keys since the start of the trace.
    package let cumulative: Int
  }

  /// The windows, in order.
  package let windows: [Window]

  /// The number of windows, where there are enough requests.
  static let windowCount = 50

  /// Their name in a document.
  package static let keys = ["workingSet"]

  /// The values in a document: `[[requests, distinct, cumulative], …]`.
  package var values: [JSON] {
    [
      .array(
        windows.map {
          .array([.integer($0.end), .integer($0.distinct), .integer($0.cumulative)])
        })
    ]
  }

  /// The facts for readers.
  package var facts: [TraceFact] {
    let sizes = windows.map(\.distinct).sorted()
    guard let first = sizes.first, let last = sizes.last, let window = windows.first else {
      return []
    }
    let half = windows[(windows.count - 1) / 2].cumulative
    return [
      TraceFact(
        "working set",
        "\(first) to \(last) keys, median \(sizes[sizes.count / 2]), in windows of \(window.end) "
          + "requests"),
      TraceFact(
        "keys by half-time", "\(half), then \(windows[windows.count - 1].cumulative - half) new"),
    ]
  }

  /// Both over time.
  package var charts: [Chart] {
    [
      Chart(
        title: "Working set", x: .linear("requests"), y: .linear("distinct keys"),
        series: [
          Chart.Series(
            "since the start", .line,
            points: [(0, 0)] + windows.map { (Double($0.end), Double($0.cumulative)) }),
          Chart.Series(
            "in the window", .line, points: windows.map { (Double($0.end), Double($0.distinct)) }),
        ])
    ]
  }
}

final class WorkingSetAnalyser: TraceAnalyser {
  private let ends: [Int]
  private var windows: [WorkingSet.Window] = []
  private var distinct = 0
  private var cumulative = 0

  init?(_ trace: Trace, options: TraceProfile.Options) {
    let count = min(WorkingSet.windowCount, trace.requests)
    ends = (1...count).map { trace.requests / count * $0 + trace.requests % count * $0 / count }
  }

  func take(_ block: AnalysisBlock) {
    var index = 0
    while index < block.count {
      let start = UInt32(truncatingIfNeeded: windows.last?.end ?? 0)
      let end = min(ends[windows.count] - block.first, block.count)
      distinct += block.count(index..<end, lastRequestedUpTo: start)
      cumulative += block.count(index..<end, lastRequestedUpTo: 0)
      index = end
      if block.first + index == ends[windows.count] {
        windows.append(
          WorkingSet.Window(end: block.first + index, distinct: distinct, cumulative: cumulative))
        distinct = 0
      }
    }
  }

  func finish(_ uses: KeyUses) -> WorkingSet { WorkingSet(windows: windows) }
}
