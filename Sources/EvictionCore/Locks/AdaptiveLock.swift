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
/// Threads that meet at it again and again take turns of up to 64 µs, as what a cache reads and writes then goes from core to
/// core once a turn and not once a request. Threads that do much between their requests enter as soon as it is free.
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

    /// The shortest and the longest time that a thread spins before it sleeps, in nanoseconds.
    private static let spins: ClosedRange<UInt64> = 5_000...160_000
    /// The most pauses between two looks at the lock: those of a few holdings.
    private static let longestPause = 1 << 6
    /// The shortest and the longest turn, in nanoseconds.
    private static let turns: ClosedRange<UInt64> = 500...64_000
    /// The longest time from a wait's end to the next one's begin by which threads meet again and again, in nanoseconds.
    private static let meeting = 1_000

    // The bits of the state; above them the number of sleepers.
    private static let held: UInt32 = 1
    /// A waiting thread has reserved the lock.
    static let reserved: UInt32 = 2
    /// A thread was woken, and has neither entered nor gone back to sleep.
    private static let waking: UInt32 = 4
    private static let sleeper: UInt32 = 8

    private let paddingBefore = CacheLinePadding()
    let state = Atomic<UInt32>(0)
    /// The time that a thread spins before it sleeps: longer after a wait that it ended, shorter after a sleep.
    private let spin = Atomic<UInt64>(40_000)
    /// The length of a turn; below the shortest, threads take no turns.
    private let turn = Atomic<UInt64>(0)
    /// The time at which the last thread that had waited entered.
    private let entered = Atomic<UInt64>(0)
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
      let start = evl_monotonic_nanoseconds()
      let limit = spin.load(ordering: .relaxed)
      var time = letTurnPass(from: start)
      var awake = time
      var pause = 1
      var hasSlept = false
      while true {
        let isImpatient = time - start > AdaptiveLock.patience
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
        } else if time - awake < (isImpatient ? AdaptiveLock.spins.upperBound : limit) {
          for _ in 0..<pause { evl_pause() }
          pause = min(2 * pause, AdaptiveLock.longestPause)
        } else {
          // It is held: the thread that leaves sees this one.
          let own = hasSlept ? AdaptiveLock.waking : 0
          guard replace(now, with: (now + AdaptiveLock.sleeper) & ~own) else { continue }
          sleepers.take()
          hasSlept = true
          awake = evl_monotonic_nanoseconds()
        }
        time = evl_monotonic_nanoseconds()
      }
      entered.store(time, ordering: .relaxed)
      let next = hasSlept ? limit - limit / 4 : limit + limit / 8
      let spins = AdaptiveLock.spins
      spin.store(min(max(next, spins.lowerBound), spins.upperBound), ordering: .relaxed)
    }

    /// Lets the other threads go on for a turn, if threads meet here again and again, and returns the time at its end.
    ///
    /// A turn in which the lock is found held makes the next one twice as long; one in which it is always free, half as long.
    @inline(__always)
    private func letTurnPass(from start: UInt64) -> UInt64 {
      let turns = AdaptiveLock.turns
      var length = turn.load(ordering: .relaxed)
      let sinceLast = Int64(bitPattern: start &- entered.load(ordering: .relaxed))
      length = sinceLast < AdaptiveLock.meeting ? max(length, turns.lowerBound) : length / 2
      var time = start
      if length >= turns.lowerBound {
        var isMet = false
        for look in 1...4 as ClosedRange<UInt64> {
          let end = start + length * look / 4
          while time < end {
            for _ in 0..<8 { evl_pause() }
            time = evl_monotonic_nanoseconds()
          }
          if state.load(ordering: .relaxed) & AdaptiveLock.held != 0 { isMet = true }
        }
        length = isMet ? min(2 * length, turns.upperBound) : length / 2
      }
      turn.store(length, ordering: .relaxed)
      return time
    }

    @inline(__always)
    private func replace(_ expected: UInt32, with desired: UInt32) -> Bool {
      state.compareExchange(expected: expected, desired: desired, ordering: .acquiring).exchanged
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
