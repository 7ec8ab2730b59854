import Traces

/// How the requests of a run are cut into windows.
public enum WindowCut: Sendable, Equatable {
  /// So many windows of equally many requests.
  case count(Int)
  /// Windows of so many nanoseconds.
  case time(Int64)

  /// The cut as documents hold it: `100`, `"600000000000ns"`.
  public var json: JSON {
    switch self {
    case .count(let count): .integer(count)
    case .time(let nanoseconds): .string("\(nanoseconds)ns")
    }
  }

  /// The most windows of a run.
  public static let most = 100_000

  /// After how many requests each window ends, rising; windows of time without requests end together.
  ///
  /// - Parameter warmup: Requests at the start that belong to no window.
  /// - Throws: ``SweepError`` without times, and when there are too many windows.
  /// - Complexity: O(windows), and O(requests) for windows of time.
  func ends(of trace: Trace, warmup: Int) throws(SweepError) -> [Int] {
    switch self {
    case .count(let count):
      let counted = trace.requests - warmup
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

/// Takes down what one run counts in each of its windows.
public final class WindowLog: @unchecked Sendable {
  private let cut: WindowCut
  private let ends: [Int]
  private var requests: [Int] = []
  private var hits: [Int] = []
  private var before = (requests: 0, hits: 0)

  /// A log of windows that end after so many requests.
  init(_ cut: WindowCut, ends: [Int]) {
    self.cut = cut
    self.ends = ends
  }

  /// What was counted.
  var windows: RequestWindows {
    let seconds: Double? = if case .time(let width) = cut { Double(width) / 1e9 } else { nil }
    return RequestWindows(seconds: seconds, ends: ends, requests: requests, hits: hits)
  }

  /// Where the window ends that is open after `done` requests.
  @usableFromInline
  func end(after done: Int) -> Int {
    requests.count < ends.count ? max(ends[requests.count], done + 1) : .max
  }

  /// Closes the windows that end after `done` requests, `counts` being those of the run so far.
  @usableFromInline
  func take(after done: Int, _ counts: RequestCounts) {
    while requests.count < ends.count, ends[requests.count] <= done {
      requests.append(counts.requests - before.requests)
      hits.append(counts.hits - before.hits)
      before = (counts.requests, counts.hits)
    }
  }
}
