import Requests
import Results

/// A run that computes a policy's counts over plain gets without running the policy.
protocol Counter: ~Copyable {
  /// The counts since the warm-up.
  var counts: RequestCounts { get set }

  /// Runs and counts consecutive requests.
  mutating func count(_ range: Range<Int>)
}

extension Counter where Self: ~Copyable {
  /// Runs requests from `first` on to the end.
  ///
  /// - Parameters:
  ///   - first: The number of requests that have been run.
  ///   - requests: The number of all.
  ///   - options: Warm-up and windows.
  ///   - observer: Called at least every million requests with the number done; false stops the run.
  /// - Returns: The counts, or nil if `observer` stopped the run.
  mutating func run(
    from first: Int = 0, to requests: Int, options: SimulationOptions, observer: (Int) -> Bool
  ) -> RequestCounts? {
    let warmup = min(options.run.warmup, requests)
    var next = first
    while next < requests {
      let window = options.windows?.end(after: next) ?? requests
      let end = min(next + 1 << 20, next < warmup ? warmup : requests, window)
      count(next..<end)
      next = end
      options.windows?.take(after: next, counts)
      if next == warmup { counts = RequestCounts() }
      if !observer(next) { return nil }
    }
    return counts
  }
}
