import Rendering
import Results
import Traces

/// The time that the requests span.
package struct RequestPeriod: TraceFigure, Equatable {
  /// From the earliest request to the latest, in nanoseconds.
  package let nanoseconds: UInt64
  /// Requests, whatever they do.
  package let requests: Int

  private var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Its name in a document.
  package static let keys = ["seconds"]

  /// The value in a document, in seconds.
  package var values: [JSON] { [.number(seconds)] }

  /// The fact for readers.
  package var facts: [TraceFact] {
    let units = [(86_400.0, "days"), (3_600, "hours"), (60, "minutes")]
    let (size, unit) = units.first { seconds >= 2 * $0.0 } ?? (1, "seconds")
    let rate = nanoseconds == 0 ? "" : ", \((Double(requests) / seconds).digits(3)) requests/s"
    return [TraceFact("time span", "\((seconds / size).digits(3)) \(unit)\(rate)")]
  }
}

final class RequestPeriodAnalyser: TraceAnalyser {
  private let column: Column<Int64>
  // Times may go back: in logs that were joined the newest first.
  private var earliest = Int64.max
  private var latest = Int64.min

  init?(_ trace: Trace, options: TraceProfile.Options) {
    guard let column = trace.times else { return nil }
    self.column = column
  }

  func take(_ block: AnalysisBlock) {
    for time in block.part(of: column) {
      earliest = min(earliest, time)
      latest = max(latest, time)
    }
  }

  func finish(_ uses: KeyUses) -> RequestPeriod {
    RequestPeriod(nanoseconds: UInt64(bitPattern: latest &- earliest), requests: column.count)
  }
}
