/// The time for which an entry of a cache may be found: since it was set, since it was last used, or for good.
///
///     cache.set(token, forKey: 1, expiration: .after(.seconds(60)))
///     cache.set(page, forKey: 2, expiration: .afterIdle(.seconds(5)))
///     cache.set(page, forKey: 3, expiration: .after(.seconds(60), orIdle: .seconds(5)))
///     cache.set(page, forKey: 4, expiration: .after(.seconds(600), refreshAfter: .seconds(60), jitter: 0.1))
///
/// An entry whose time is over is never returned, counted or listed. None expires before its time; by the clock that
/// a cache has by default, some milliseconds after it (``CacheClock/coarse``). A duration of less than a nanosecond
/// is over at once: what is set with it is refused. One of more than 584 years never is over.
public struct Expiration: Sendable, Hashable {
  /// The time after a set at which an entry expires, used or not; nil for never.
  public var timeToLive: Duration?
  /// The time after the last use, a get that finds it or a set, at which an entry expires; nil for never.
  public var timeToIdle: Duration?
  /// The time after a set from which a load that finds the entry has it loaded anew; nil for never.
  ///
  /// The load returns the value at once, and one load of the key runs in the background. If it fails, the value stays until
  /// its own end. The next try comes one second later at the earliest; while the source fails, the pause grows with the
  /// time since the first try, up to a minute. Gets without a load start none.
  public var refreshAfter: Duration?
  /// The fraction of ``timeToLive`` and ``refreshAfter``, from 0 to 1, by which they are shortened at most.
  ///
  /// Each entry's are shortened by a random part of it, so that entries that are set together do not expire together. None
  /// outlives its time to live. The draws begin with the cache's seed. In a set, a number that is too small or too large
  /// counts as 0 or 1; in the options of a cache it is an error.
  public var jitter: Double

  /// An entry expires at the end of its time to live or to idle, whichever comes first; nil for never.
  public init(
    timeToLive: Duration? = nil, timeToIdle: Duration? = nil, refreshAfter: Duration? = nil,
    jitter: Double = 0
  ) {
    self.timeToLive = timeToLive
    self.timeToIdle = timeToIdle
    self.refreshAfter = refreshAfter
    self.jitter = jitter
  }

  /// The entry stays until something else removes it.
  public static let never = Expiration()

  /// A time to live.
  public static func after(_ timeToLive: Duration) -> Expiration {
    Expiration(timeToLive: timeToLive)
  }

  /// A time to live, and a time after which loads renew the value in the background; see ``refreshAfter`` and ``jitter``.
  public static func after(
    _ timeToLive: Duration, refreshAfter: Duration? = nil, jitter: Double = 0
  ) -> Expiration {
    Expiration(timeToLive: timeToLive, refreshAfter: refreshAfter, jitter: jitter)
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

extension Expiration {
  /// The ``jitter``, or the nearest number that it may be.
  package var jitterInRange: Double { jitter > 0 ? min(jitter, 1) : 0 }

  /// Returns the first time among a cache's options that it could not keep, with the reason; nil if there is none.
  package static func problem(
    _ expiration: Expiration, ageLimit: Duration?, loadWaitLimit: Duration?
  ) -> (name: String, problem: String)? {
    let times = [
      ("expiration.timeToLive", expiration.timeToLive),
      ("expiration.refreshAfter", expiration.refreshAfter),
      ("ageLimit", ageLimit), ("loadWaitLimit", loadWaitLimit),
    ]
    for (name, time) in times {
      if let time, time < .zero {
        return (name, "must be 0 seconds or more, or nil for no limit; is \(time)")
      }
    }
    if !(0...1).contains(expiration.jitter) {
      return ("expiration.jitter", "must be a ratio from 0 to 1; is \(expiration.jitter)")
    }
    if let end = expiration.timeToLive, let refresh = expiration.refreshAfter, refresh >= end {
      return (
        "expiration.refreshAfter",
        "must be less than timeToLive, which is \(end), or nil for never; is \(refresh)"
      )
    }
    return nil
  }

  /// Returns the pause, in nanoseconds, after a try to load an entry anew that begins or fails `late` nanoseconds after the
  /// first one could begin: as long again, so that pauses double, but at least a second and at most a minute.
  package static func pauseOfRefreshes(late: UInt64) -> UInt64 {
    min(max(late, 1_000_000_000), 60_000_000_000)
  }

  /// Returns a life in nanoseconds, shortened at random; `UInt64.max` is for ever, and 0 over at once.
  package static func shortened(_ life: UInt64, jitter: Double, bits: UInt64) -> UInt64 {
    if jitter == 0 || life == .max || life == 0 { return life }
    let part = jitter * Double(bits >> 11) * 0x1p-53
    return max(1, life - min(life, UInt64(Double(life) * part)))
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
