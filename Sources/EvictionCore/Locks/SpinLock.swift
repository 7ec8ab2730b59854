import CInline
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waits by asking again, with pauses that double, and gives up its time slice after a while.
///
/// The scheduler does not know for whom a thread spins, and cannot raise its priority: not for a cache that
/// threads of background priority use as well, which may lose the processor within a body while others spin.
///
/// - Paper: T. E. Anderson, “The performance of spin lock alternatives for shared-memory
///   multiprocessors”, IEEE TPDS 1(1), 1990.
public final class SpinLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "spin", summary: "an atomic flag: burns processor time while it waits, with back-off")

  private static let longestPause = 1 << 8

  private let paddingBefore = CacheLinePadding()
  private let isHeld = Atomic(false)
  private let paddingAfter = CacheLinePadding()

  /// Creates an unlocked lock.
  public init() {}

  /// Runs `body` alone.
  public func withLock(_ body: () -> Void) {
    var pause = 1
    while isHeld.exchange(true, ordering: .acquiring) {
      while isHeld.load(ordering: .relaxed) {
        for _ in 0..<pause { evl_pause() }
        if pause < SpinLock.longestPause { pause *= 2 } else { sched_yield() }
      }
    }
    body()
    isHeld.store(false, ordering: .releasing)
  }

  /// Runs `body` alone, if the flag is down.
  public func withLockIfAvailable(_ body: () -> Void) -> Bool {
    if isHeld.exchange(true, ordering: .acquiring) { return false }
    body()
    isHeld.store(false, ordering: .releasing)
    return true
  }
}
