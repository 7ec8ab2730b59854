import CInline
import EvictionCore
import Foundation

extension Claim {
  /// Processor time of a thread that waits.
  static let waitingBurnsProcessorTime = Claim(
    "C2", "A waiting semaphore burns no CPU, a spin lock does.",
    hypothesis: "A thread that waits for a holder at its I/O uses less than a tenth of the wait as "
      + "processor time under a semaphore, and more under a spin lock.",
    effect: "processor time / time waited",
    conditions: [
      waiting("semaphore", { SemaphoreLock() }, ClaimRule(.ratio, .below, ClaimRule.timeMargin)),
      waiting("spin", { SpinLock() }, ClaimRule(.ratio, .above, ClaimRule.timeMargin)),
    ])

  private static func waiting(
    _ name: String, _ lock: @escaping @Sendable () -> any CacheLock, _ rule: ClaimRule
  ) -> ClaimCondition {
    ClaimCondition(["lock": name], rule) { context in
      let (lock, file) = (lock(), "\(context.folder)/held")
      let times = SharedTimes()
      let isHeld = DispatchSemaphore(value: 0)
      let bytes = Data(count: 1 << 16)
      _ = ThreadGang.run(2) { thread, start in
        _ = start()
        if thread == 0 {
          lock.withLock {
            isHeld.signal()
            let end = evl_monotonic_nanoseconds() + 30_000_000
            while evl_monotonic_nanoseconds() < end {
              try? bytes.write(to: URL(fileURLWithPath: file))
              usleep(1_000)
            }
          }
        } else {
          isHeld.wait()
          let processor = evl_thread_nanoseconds()
          let waited = nanoseconds { lock.withLock {} }
          times.set(Double(evl_thread_nanoseconds() - processor), waited)
        }
      }
      let (used, waited) = times.get()
      return Trial(claimed: used, other: waited)
    }
  }
}
