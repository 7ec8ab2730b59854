import CInline

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waiting for a moment of the ``Clock``.
enum Waiting {
  /// The time by which a sleep may last too long: the rest is spun.
  static let margin: UInt64 = 100_000
  /// A long sleep is cut into such pieces, so that it can be given up.
  private static let longestSleep: UInt64 = 20_000_000

  /// Sleeps until shortly before a moment and spins from there.
  ///
  /// - Parameters:
  ///   - yields: True to leave the core to other threads that want it while spinning.
  ///   - isStopped: Asked now and then whether to give up.
  /// - Returns: The time of the return.
  static func precisely(
    until moment: UInt64, yields: Bool, isStopped: () -> Bool
  ) -> UInt64 {
    sleep(until: moment &- margin, isStopped: isStopped)
    return spin(until: moment, yields: yields, isStopped: isStopped)
  }

  /// Keeps the core busy until a moment.
  ///
  /// - Returns: The time of the return.
  @discardableResult
  static func spin(until moment: UInt64, yields: Bool, isStopped: () -> Bool) -> UInt64 {
    var now = Clock.now()
    while now < moment && !isStopped() {
      if yields { sched_yield() } else { evl_pause() }
      now = Clock.now()
    }
    return now
  }

  /// Sleeps until after a moment, or until it is given up.
  ///
  /// - Returns: The time of the return.
  @discardableResult
  static func sleep(until moment: UInt64, isStopped: () -> Bool) -> UInt64 {
    var now = Clock.now()
    while now < moment && !isStopped() {
      var time = timespec(tv_sec: 0, tv_nsec: Int(min(moment - now, longestSleep)))
      nanosleep(&time, nil)
      now = Clock.now()
    }
    return now
  }
}
