import Results

/// What one thread of a replay counted, or all of them together.
struct ReplayRecord: Sendable {
  var counts = RequestCounts()
  /// What the thread allocated; nil where that is not counted.
  var allocations: Int?

  mutating func add(_ other: ReplayRecord) {
    counts.add(other.counts)
    if let more = other.allocations { allocations = (allocations ?? 0) + more }
  }
}
