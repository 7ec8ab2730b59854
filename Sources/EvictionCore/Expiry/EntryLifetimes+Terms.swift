extension EntryLifetimes {
  /// An expiration in nanoseconds; `UInt64.max` is never.
  struct Lifetime: Equatable {
    var live = UInt64.max
    var idle = UInt64.max
    /// The time after which loads renew it.
    var refresh = UInt64.max
    /// The fraction by which a life and the time until a refresh are shortened at most.
    var jitter = 0.0

    static let unlimited = Lifetime()

    init() {}

    /// True if the entry expires.
    var isLimited: Bool { live != .max || idle != .max }

    init(_ expiration: Expiration) {
      live = expiration.timeToLive?.nanoseconds ?? .max
      idle = expiration.timeToIdle?.nanoseconds ?? .max
      refresh = expiration.refreshAfter?.nanoseconds ?? .max
      jitter = expiration.jitterInRange
    }
  }

  /// The time at which an entry expires; `UInt64.max` is never.
  struct Term: BitwiseCopyable, Equatable {
    /// The end of the time to live.
    var end = UInt64.max
    /// The time to idle.
    var idle = UInt64.max
    /// The earlier end of the two.
    var deadline = UInt64.max
  }
}
