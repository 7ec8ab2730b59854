import EvictionCore
import Synchronization

/// The keys of a cache on disk that loads have tried to renew, with the time of the next try.
///
/// After a thousand keys those are forgotten whose next try may begin, or all.
final class RefreshTries: Sendable {
  private static let limit = 1_000

  private let next = Mutex<[TextKey: Int64]>([:])

  /// Returns true if a try to renew the value of `key` is to begin, which was to be renewed since `due`.
  func begins(_ key: TextKey, due: Int64, now: Int64) -> Bool {
    next.withLock { next in
      if let time = next[key], time > now { return false }
      postpone(key, due: due, now: now, &next)
      return true
    }
  }

  /// A try has failed.
  func failed(_ key: TextKey, due: Int64, now: Int64) {
    next.withLock { postpone(key, due: due, now: now, &$0) }
  }

  /// The value of `key` is new.
  func remove(_ key: TextKey) { next.withLock { $0[key] = nil } }

  private func postpone(_ key: TextKey, due: Int64, now: Int64, _ next: inout [TextKey: Int64]) {
    if next.count >= RefreshTries.limit && next[key] == nil {
      next = next.filter { $0.value > now }
      if next.count >= RefreshTries.limit { next = [:] }
    }
    let late = WallClock.nanoseconds(from: due, to: now)
    next[key] = WallClock.time(
      .nanoseconds(Int64(clamping: Expiration.pauseOfRefreshes(late: late))), after: now)
  }
}
