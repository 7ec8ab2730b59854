/// What one thread of a replay found, or all of them together.
struct ReplayRecord: Sendable {
  var counts = RequestCounts()
  /// What the thread allocated; nil where that is not counted.
  var allocations: Int?
  /// How long operations took; nil in a pass without a clock.
  var operations: OperationTimes?
  /// How long requests took that were meant to start at known moments; nil in a closed loop.
  var arrivals: ArrivalTimes?

  mutating func add(_ other: ReplayRecord) {
    counts.add(other.counts)
    if let more = other.allocations { allocations = (allocations ?? 0) + more }
    operations.merge(other.operations) { $0.add($1) }
    arrivals.merge(other.arrivals) { $0.add($1) }
  }
}

extension Optional {
  /// Adds what another one holds; takes it over where there is nothing yet.
  mutating func merge(_ other: Wrapped?, _ add: (inout Wrapped, Wrapped) -> Void) {
    guard let other else { return }
    if case .none = self { self = other } else { add(&self!, other) }
  }
}

/// How long operations took.
package struct OperationTimes: Sendable {
  package var hits = DurationHistogram()
  package var misses = DurationHistogram()
  package var sets = DurationHistogram()

  package init() {}

  /// Every lookup.
  package var gets: DurationHistogram {
    var gets = hits
    gets.add(misses)
    return gets
  }

  mutating func add(_ other: OperationTimes) {
    hits.add(other.hits)
    misses.add(other.misses)
    sets.add(other.sets)
  }
}

/// How long requests took that were meant to start at known moments.
package struct ArrivalTimes: Sendable {
  /// From the intended start of each request to its end, by the run's quarters.
  package var responses = (0..<4).map { _ in DurationHistogram() }
  /// From the actual start of each request to its end, by the run's quarters.
  package var services = (0..<4).map { _ in DurationHistogram() }
  /// How late requests started for which a thread was waiting: the generator's own doing.
  package var lateness = DurationHistogram()

  package init() {}

  mutating func add(_ other: ArrivalTimes) {
    for part in responses.indices {
      responses[part].add(other.responses[part])
      services[part].add(other.services[part])
    }
    lateness.add(other.lateness)
  }
}
