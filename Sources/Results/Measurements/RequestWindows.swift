/// The counts of a run in each of the windows that its requests were cut into.
package struct RequestWindows: Sendable, Equatable {
  /// The duration of a window, in seconds; nil where windows hold equally many requests.
  package var seconds: Double?
  /// After how many requests of the trace, those of a warm-up included, each window ends.
  package var ends: [Int]
  /// Counted requests of each window.
  package var requests: [Int]
  /// Those that were hits.
  package var hits: [Int]

  /// Windows with these counts.
  package init(seconds: Double? = nil, ends: [Int], requests: [Int], hits: [Int]) {
    self.seconds = seconds
    self.ends = ends
    self.requests = requests
    self.hits = hits
  }

  /// The hit ratio of each window; nil where nothing was counted.
  package var hitRatios: [Double?] {
    zip(requests, hits).map { requests, hits in
      requests == 0 ? nil : Double(hits) / Double(requests)
    }
  }
}
