import Synchronization

/// A clock that follows a trace: nanoseconds, moved by the maker of the requests, and never back.
package final class MovedClock: Sendable {
  private let time = Atomic<UInt64>(0)

  package init() {}

  /// The latest time that it was moved to.
  package var now: UInt64 { time.load(ordering: .relaxed) }

  /// Moves it to a time; an earlier one, or one before 0, changes nothing.
  package func move(to time: Int64) {
    let time = UInt64(max(0, time))
    if time > now { self.time.max(time, ordering: .relaxed) }
  }

  /// The clock as a cache reads it.
  package var clock: CacheClock { CacheClock { self.now } }
}

extension Expiration {
  /// The expiration of an object with a trace's time to live in nanoseconds: 0 is for ever.
  package init?(traceTimeToLive ttl: Int64) {
    if ttl <= 0 { return nil }
    self = .after(.nanoseconds(ttl))
  }
}
