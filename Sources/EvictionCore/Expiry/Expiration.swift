/// The time for which an entry of a cache may be found: since it was set, since it was last used, or for good.
///
///     cache.set(token, forKey: 1, expiration: .after(.seconds(60)))
///     cache.set(page, forKey: 2, expiration: .afterIdle(.seconds(5)))
///     cache.set(page, forKey: 3, expiration: .after(.seconds(60), orIdle: .seconds(5)))
///
/// An entry whose time is over is never returned, counted or listed. None expires before its time; by the clock that
/// a cache has by default, some milliseconds after it (``CacheClock/coarse``). A duration of less than a nanosecond
/// is over at once: what is set with it is refused. One of more than 584 years never is over.
public struct Expiration: Sendable, Hashable {
  /// The time after a set at which an entry expires, used or not; nil for never.
  public var timeToLive: Duration?
  /// The time after the last use, a get that finds it or a set, at which an entry expires; nil for never.
  public var timeToIdle: Duration?

  /// Whichever comes first; nil for never.
  public init(timeToLive: Duration? = nil, timeToIdle: Duration? = nil) {
    self.timeToLive = timeToLive
    self.timeToIdle = timeToIdle
  }

  /// The entry stays until something else removes it.
  public static let never = Expiration()

  /// A time to live.
  public static func after(_ timeToLive: Duration) -> Expiration {
    Expiration(timeToLive: timeToLive)
  }

  /// A time to idle, which every use extends.
  public static func afterIdle(_ timeToIdle: Duration) -> Expiration {
    Expiration(timeToIdle: timeToIdle)
  }

  /// A time to live and a time to idle: whichever comes first.
  public static func after(_ timeToLive: Duration, orIdle timeToIdle: Duration) -> Expiration {
    Expiration(timeToLive: timeToLive, timeToIdle: timeToIdle)
  }
}

/// The moment from which the age limit of a cache counts.
public enum AgeReference: Sendable {
  /// The last get that found the entry, or set.
  case lastUse
  /// The last set.
  case lastSet
}

extension Duration {
  /// Whole nanoseconds, from 0 to the largest that are not `UInt64.max`, which means never.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let (whole, isTooLarge) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLong) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    return isTooLarge || isTooLong ? .max - 1 : min(sum, .max - 1)
  }
}
