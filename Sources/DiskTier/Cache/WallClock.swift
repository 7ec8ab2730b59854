import EvictionCore

/// The time of day, which outlives a process: nanoseconds since 1970.
struct WallClock: Sendable {
  private let read: @Sendable () -> Int64

  init(_ environment: StoreEnvironment) {
    if let clock = environment.entryClock {
      read = { Int64(clamping: clock.now) }
    } else {
      read = environment.now
    }
  }

  var now: Int64 { read() }

  /// The time `duration` after another, or the farthest one.
  static func time(_ duration: Duration, after start: Int64) -> Int64 {
    let (time, isFar) = start.addingReportingOverflow(nanoseconds(duration))
    return isFar ? (duration < .zero ? .min : .max) : time
  }

  /// Returns the time left until `time`; negative if that is over.
  func time(until time: Int64) -> Duration { .nanoseconds(time.subtractingSaturated(now)) }

  /// Returns the nanoseconds from one time to another; 0 if that is earlier.
  static func nanoseconds(from start: Int64, to end: Int64) -> UInt64 {
    UInt64(max(0, end.subtractingSaturated(start)))
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, isLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isLonger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isLong || isLonger ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Int64 {
  fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
    let (difference, isFar) = subtractingReportingOverflow(other)
    return isFar ? (self < 0 ? .min : .max) : difference
  }
}
