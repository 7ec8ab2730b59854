import Traces

/// A timed event of a request.
package enum TimedEvent: Sendable {
  /// A lookup that found its object.
  case hit
  /// A lookup that did not.
  case miss
  /// A write.
  case set
  /// From the start of a lookup that missed to the end of the write that follows.
  case fill
  /// From a request's intended start to its end, in a quarter of the run.
  case response(quarter: Int)
  /// From a request's actual start to its end, in a quarter of the run.
  case service(quarter: Int)
  /// The delay of a request's start after it was due and a thread was free for it.
  case lateness
}

/// The durations of the events of a replay.
package struct ReplayTimes: Sendable {
  package var operations = OperationTimes.ready
  /// Nil in a closed loop.
  package var arrivals: ArrivalTimes?

  /// Histograms that are ready: none of them grows while it is filled.
  package init(isOpen: Bool) { arrivals = isOpen ? .ready : nil }

  package mutating func record(_ nanoseconds: UInt64, of event: TimedEvent) {
    switch event {
    case .hit: operations.hits.record(nanoseconds)
    case .miss: operations.misses.record(nanoseconds)
    case .set: operations.sets.record(nanoseconds)
    case .fill: operations.fills.record(nanoseconds)
    case .response(let quarter): arrivals?.responses[quarter].record(nanoseconds)
    case .service(let quarter): arrivals?.services[quarter].record(nanoseconds)
    case .lateness: arrivals?.lateness.record(nanoseconds)
    }
  }

  package mutating func add(_ other: ReplayTimes) {
    operations.add(other.operations)
    arrivals.merge(other.arrivals) { $0.add($1) }
  }
}

/// The durations of operations.
package struct OperationTimes: Sendable {
  package var hits = DurationHistogram()
  package var misses = DurationHistogram()
  package var sets = DurationHistogram()
  package var fills = DurationHistogram()

  package init() {}

  /// Histograms with their room.
  static var ready: OperationTimes {
    var times = OperationTimes()
    times.hits = .ready
    times.misses = .ready
    times.sets = .ready
    times.fills = .ready
    return times
  }

  /// Every lookup.
  package var gets: DurationHistogram { DurationHistogram(merging: [hits, misses]) }

  mutating func add(_ other: OperationTimes) {
    hits.add(other.hits)
    misses.add(other.misses)
    sets.add(other.sets)
    fills.add(other.fills)
  }
}

/// The durations of requests with known due times.
package struct ArrivalTimes: Sendable {
  /// From the intended start of each request to its end, by the run's quarters.
  package var responses = (0..<4).map { _ in DurationHistogram() }
  /// From the actual start of each request to its end, by the run's quarters.
  package var services = (0..<4).map { _ in DurationHistogram() }
  /// The delays of requests after they were due and a thread was free for them: the generator's own doing, as
  /// it wakes up late or records what it has timed.
  package var lateness = DurationHistogram()

  package init() {}

  /// The same in histograms that have no more room than they need.
  init(copying other: ArrivalTimes) { add(other) }

  /// Histograms with their room.
  static var ready: ArrivalTimes {
    var times = ArrivalTimes()
    times.responses = (0..<4).map { _ in .ready }
    times.services = (0..<4).map { _ in .ready }
    times.lateness = .ready
    return times
  }

  mutating func add(_ other: ArrivalTimes) {
    for part in responses.indices {
      responses[part].add(other.responses[part])
      services[part].add(other.services[part])
    }
    lateness.add(other.lateness)
  }
}

extension Optional {
  /// Adds what another one holds; takes it over where there is nothing yet.
  package mutating func merge(_ other: Wrapped?, _ add: (inout Wrapped, Wrapped) -> Void) {
    guard let other else { return }
    if case .none = self { self = other } else { add(&self!, other) }
  }
}
