import Results

/// Takes down what one run counts in each of its windows.
@usableFromInline
package final class WindowLog: @unchecked Sendable {
  private let ends: [Int]
  private let seconds: Double?
  private var requests: [Int] = []
  private var hits: [Int] = []
  private var before = (requests: 0, hits: 0)

  /// A log of windows that end after these numbers of requests, each of the same time where `seconds` says so.
  package init(ends: [Int], seconds: Double? = nil) {
    self.ends = ends
    self.seconds = seconds
  }

  /// The counts so far.
  package var windows: RequestWindows {
    RequestWindows(seconds: seconds, ends: ends, requests: requests, hits: hits)
  }

  /// Returns the end of the window that is open after `done` requests.
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
