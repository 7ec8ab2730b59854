import CInline
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A lock that is asked again for a short time, as long as that has paid of late, and slept for then; the
/// default of caches.
///
/// Who leaves takes no part in who comes next: a thread that runs takes the lock rather than one that would have to be
/// woken, as handing it over in the kernel costs hundreds of a cache's operations. At most one sleeper at a time is
/// on its way back. So that nobody starves, a thread that has waited for longer than ``AdaptiveLock/patience`` says so:
/// until it has been inside, no other one that is still patient may enter.
///
/// On Darwin it is the system's unfair lock, which knows the threads' priorities.
///
/// - Paper: A. R. Karlin, K. Li, M. S. Manasse and S. Owicki, “Empirical studies of competitive spinning for a
///   shared-memory multiprocessor”, SOSP 1991.
public final class AdaptiveLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "adaptive", summary: "asks again for a while, then sleeps; the caches' default")

  #if os(Linux)
    /// Nanoseconds after which a waiting thread goes before those that come.
    static let patience: UInt64 = 300_000

    /// The least and the most pauses before a thread sleeps: from some microseconds to some hundred.
    private static let pauses = 1 << 7...1 << 12
    /// The most pauses between two looks at the lock: those of a few holdings.
    private static let longestPause = 1 << 6

    // The bits of the state; above them the number of sleepers.
    private static let held: UInt32 = 1
    /// A thread has lost its patience.
    private static let reserved: UInt32 = 2
    /// A thread was woken, and has not tried yet.
    private static let waking: UInt32 = 4
    private static let sleeper: UInt32 = 8

    private let paddingBefore = CacheLinePadding()
    private let state = Atomic<UInt32>(0)
    /// The pauses for which it pays to wait: more after a wait that ended by them, fewer after a sleep.
    private let spin = Atomic(1 << 10)
    private let sleepers = ThreadParking()
    private let paddingAfter = CacheLinePadding()

    /// Creates an unlocked lock.
    public init() {}

    deinit { sleepers.deallocate() }

    /// Runs `body` alone.
    public func withLock(_ body: () -> Void) {
      if !enter() { wait() }
      body()
      leave()
    }

    /// Runs `body` alone, if the lock is free.
    public func withLockIfAvailable(_ body: () -> Void) -> Bool {
      if !enter() { return false }
      body()
      leave()
      return true
    }

    @inline(__always)
    private func enter() -> Bool {
      state.compareExchange(expected: 0, desired: AdaptiveLock.held, ordering: .acquiring).exchanged
    }

    @inline(__always)
    private func leave() {
      let left = state.wrappingSubtract(AdaptiveLock.held, ordering: .releasing).newValue
      if left >= AdaptiveLock.sleeper { wake(left) }
    }

    /// Waits for the lock, and enters.
    @inline(never)
    private func wait() {
      let limit = spin.load(ordering: .relaxed)
      var pause = 1
      var spent = 0
      var start: UInt64 = 0
      var hasSlept = false
      var isImpatient = false
      while true {
        let now = state.load(ordering: .relaxed)
        let isHeld = now & AdaptiveLock.held != 0
        if !isHeld && (isImpatient || now & AdaptiveLock.reserved == 0) {
          let own =
            (hasSlept ? AdaptiveLock.waking : 0) | (isImpatient ? AdaptiveLock.reserved : 0)
          if replace(now, with: (now | AdaptiveLock.held) & ~own) { break }
        } else if isImpatient && now & AdaptiveLock.reserved == 0 {
          state.bitwiseOr(AdaptiveLock.reserved, ordering: .relaxed)
        } else if !isHeld {
          // For whom it is reserved is awake, or has a permit, which this thread would take if it slept.
          sched_yield()
          isImpatient = hasWaitedLong(since: &start)
        } else if spent < (isImpatient ? AdaptiveLock.pauses.upperBound : limit) {
          for _ in 0..<pause { evl_pause() }
          spent += pause
          pause = min(2 * pause, AdaptiveLock.longestPause)
          if !isImpatient { isImpatient = hasWaitedLong(since: &start) }
        } else {
          // As it is held, somebody will leave, and see this.
          let own = hasSlept ? AdaptiveLock.waking : 0
          guard replace(now, with: (now + AdaptiveLock.sleeper) & ~own) else {
            continue
          }
          sleepers.take()
          hasSlept = true
          spent = 0
          isImpatient = hasWaitedLong(since: &start)
        }
      }
      let next = hasSlept ? limit - limit / 4 : limit + limit / 8
      let pauses = AdaptiveLock.pauses
      spin.store(min(max(next, pauses.lowerBound), pauses.upperBound), ordering: .relaxed)
    }

    @inline(__always)
    private func replace(_ expected: UInt32, with desired: UInt32) -> Bool {
      state.compareExchange(expected: expected, desired: desired, ordering: .acquiring).exchanged
    }

    /// Starts the time of a wait, or returns true if it has exceeded the patience.
    private func hasWaitedLong(since start: inout UInt64) -> Bool {
      let now = evl_monotonic_nanoseconds()
      if start == 0 { start = now }
      return now - start > AdaptiveLock.patience
    }

    /// Wakes one sleeper if none is on its way, or all, if one of them may have lost its patience.
    @inline(never)
    private func wake(_ left: UInt32) {
      var now = left
      while now >= AdaptiveLock.sleeper {
        let wakesAll = now & AdaptiveLock.reserved != 0
        // Whoever holds it now will see to the sleepers.
        if !wakesAll && now & (AdaptiveLock.held | AdaptiveLock.waking) != 0 { return }
        let count = wakesAll ? now / AdaptiveLock.sleeper : 1
        let rest = now - count * AdaptiveLock.sleeper
        let (isDone, seen) = state.compareExchange(
          expected: now, desired: wakesAll ? rest : rest | AdaptiveLock.waking, ordering: .relaxed)
        if isDone { return sleepers.give(count) }
        now = seen
      }
    }
  #else
    private let mutex = Mutex(())

    /// Creates an unlocked lock.
    public init() {}

    /// Runs `body` alone.
    public func withLock(_ body: () -> Void) { mutex.withLock { _ in body() } }

    /// Runs `body` alone, if the lock is free.
    public func withLockIfAvailable(_ body: () -> Void) -> Bool {
      mutex.withLockIfAvailable { _ in body() } != nil
    }
  #endif
}
