import Synchronization

/// A clock that follows a trace: nanoseconds, moved by the maker of the requests, and never back.
///
/// It counts from 0, or from the first time that it is moved to where that is before 0.
package final class MovedClock: Sendable {
  private let time = Atomic<UInt64>(0)
  private let hasBegun = Atomic(false)
  private let start = Atomic<Int64>(0)

  package init() {}

  /// The latest time that it was moved to, since its start.
  package var now: UInt64 { time.load(ordering: .relaxed) }

  /// The trace's time at which it started to count.
  package var origin: Int64 { start.load(ordering: .relaxed) }

  /// Moves it to a time of the trace; an earlier one changes nothing.
  package func move(to time: Int64) {
    if time < 0 && !hasBegun.load(ordering: .relaxed) { start.min(time, ordering: .relaxed) }
    hasBegun.store(true, ordering: .relaxed)
    let time = time < origin ? 0 : UInt64(bitPattern: time &- origin)
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
