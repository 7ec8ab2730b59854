import CInline
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A lock that spins for a bounded, adaptive time and then sleeps; the caches' default.
///
/// A released lock goes to the next thread that tries, not to one that must be woken first: a handover in the kernel
/// costs as much as hundreds of a cache's operations. At most one woken thread at a time is on its way back.
/// A thread that has waited for longer than 0.3 ms reserves the lock: until one such thread has entered, no other does.
///
/// On Darwin it is the system's unfair lock, which knows the threads' priorities.
///
/// - Paper: A. R. Karlin, K. Li, M. S. Manasse and S. Owicki, “Empirical studies of competitive spinning for a
///   shared-memory multiprocessor”, SOSP 1991.
public final class AdaptiveLock: TryableLock {
  /// The catalog's entry.
  public static let information = LockInformation(
    name: "adaptive", summary: "spins as long as that pays, then sleeps; the caches' default")

  #if os(Linux)
    /// The wait after which a thread reserves the lock, in nanoseconds.
    static let patience: UInt64 = 300_000

    /// The fewest and the most pauses before a thread sleeps: from some microseconds to some hundred.
    private static let pauses = 1 << 7...1 << 12
    /// The most pauses between two looks at the lock: those of a few holdings.
    private static let longestPause = 1 << 6

    // The bits of the state; above them the number of sleepers.
    private static let held: UInt32 = 1
    /// A waiting thread has reserved the lock.
    static let reserved: UInt32 = 2
    /// A thread was woken, and has neither entered nor gone back to sleep.
    private static let waking: UInt32 = 4
    private static let sleeper: UInt32 = 8

    private let paddingBefore = CacheLinePadding()
    let state = Atomic<UInt32>(0)
    /// The pauses before a thread sleeps: more after a wait that they ended, fewer after a sleep.
    private let spin = Atomic(1 << 10)
    private let sleepers = FutexSemaphore()
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

    /// Runs `body` alone, if the lock is free and no thread sleeps for it.
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
          // The thread that reserved it is awake, or has a permit, which this one would take if it slept.
          sched_yield()
          isImpatient = hasWaitedLong(since: &start)
        } else if spent < (isImpatient ? AdaptiveLock.pauses.upperBound : limit) {
          for _ in 0..<pause { evl_pause() }
          spent += pause
          pause = min(2 * pause, AdaptiveLock.longestPause)
          if !isImpatient { isImpatient = hasWaitedLong(since: &start) }
        } else {
          // It is held: the thread that leaves sees this one.
          let own = hasSlept ? AdaptiveLock.waking : 0
          guard replace(now, with: (now + AdaptiveLock.sleeper) & ~own) else { continue }
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

    /// Returns true if the wait has exceeded the patience; the first call starts it.
    private func hasWaitedLong(since start: inout UInt64) -> Bool {
      let now = evl_monotonic_nanoseconds()
      if start == 0 { start = now }
      return now - start > AdaptiveLock.patience
    }

    /// Wakes one sleeper if none is on its way, or all where one of them may have reserved the lock.
    @inline(never)
    private func wake(_ left: UInt32) {
      var now = left
      while now >= AdaptiveLock.sleeper {
        let wakesAll = now & AdaptiveLock.reserved != 0
        // Whoever holds it now wakes them when it leaves.
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
