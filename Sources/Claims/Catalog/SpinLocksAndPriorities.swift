import CInline
import EvictionCore
import Foundation
import Synchronization

extension Claim {
  /// Spin locks under priorities.
  static let spinLocksAndPriorities = Claim(
    "C5", "Spin locks are unsafe where threads have priorities.",
    hypothesis: "On one core the longest wait for a holder of low priority is longer under a spin "
      + "lock than under a futex mutex.",
    effect: "longest wait, spin / mutex",
    note: "priorities are nice values here; a bare spin never yields, the other backs off and "
      + "yields",
    conditions: [
      condition("bare", { BareSpinLock() }), condition("with back-off", { SpinLock() }),
    ])

  private static func condition(
    _ name: String, _ spin: @escaping @Sendable () -> any CacheLock
  ) -> ClaimCondition {
    ClaimCondition(["spin": name], .slower) { context in
      try context.compare {
        try longestWait(spin())
      } with: {
        try longestWait(MutexLock())
      }
    }
  }

  /// The longest of some waits for a holder with the lowest priority, all threads on one core.
  private static func longestWait(_ lock: any CacheLock) throws -> Double {
    let times = SharedTimes()
    let rounds = 3
    let isBound = Atomic(true)
    let isHeld = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    _ = ThreadGang.run(2) { thread, start in
      if evl_bind_to_one_core() != 0 { isBound.store(false, ordering: .relaxed) }
      if thread == 0 { _ = evl_lower_priority() }
      _ = start()
      var longest = 0.0
      for _ in 0..<rounds {
        if thread == 0 {
          lock.withLock {
            isHeld.signal()
            let end = evl_thread_nanoseconds() + 300_000
            while evl_thread_nanoseconds() < end {}
          }
          isOver.wait()
        } else {
          isHeld.wait()
          longest = max(longest, nanoseconds { lock.withLock {} })
          isOver.signal()
        }
      }
      if thread == 1 { times.set(longest, 0) }
    }
    guard isBound.load(ordering: .relaxed) else {
      throw ClaimUnavailable("threads cannot be bound to one core here")
    }
    return times.get().0
  }
}

/// A spin lock that never yields.
private final class BareSpinLock: CacheLock {
  static let information = LockInformation(name: "bare-spin", summary: "spins without a pause")

  private let isHeld = Atomic(false)

  init() {}

  func withLock(_ body: () -> Void) {
    while isHeld.exchange(true, ordering: .acquiring) {}
    body()
    isHeld.store(false, ordering: .releasing)
  }
}
