import EvictionCore
import Foundation
import Synchronization

extension Claim {
  /// A trim by try-lock that sleeps when it fails.
  static let c12 = Claim(
    "C12", "Try-lock with a 10 ms sleep is a good trim.",
    hypothesis: "A trim that takes the lock by try-lock, one victim at a time, and sleeps 10 ms "
      + "when it "
      + "fails, takes no more time than one that waits for the lock.",
    effect: "trim time, try-lock / waiting",
    conditions: [0, 1, 2].map { clients in
      ClaimCondition(["clients": "\(clients)"], .notSlower) { context in
        context.compare {
          trim(clients: clients, triesLock: true)
        } with: {
          trim(clients: clients, triesLock: false)
        }
      }
    })

  /// Measures nanoseconds until 300 victims are gone, while clients take the lock as fast as they can; the details hold how
  /// often they took it, each time room for an entry above the limit.
  private static func trim(clients: Int, triesLock: Bool) -> ClaimSample {
    let lock = Mutex(300)
    let taken = Atomic(0)
    let isOver = Atomic(false)
    let times = SharedTimes()
    _ = ThreadGang.run(clients + 1) { thread, start in
      _ = start()
      if thread > 0 {
        var count = 0
        while !isOver.load(ordering: .relaxed) {
          lock.withLock { keep($0) }
          count += 1
        }
        taken.add(count, ordering: .relaxed)
        return
      }
      let time = nanoseconds {
        while !isOver.load(ordering: .relaxed) {
          let left: Int? =
            triesLock
            ? lock.withLockIfAvailable { left in
              left -= 1
              return left
            }
            : lock.withLock { left in
              left -= 1
              return left
            }
          if left == 0 { isOver.store(true, ordering: .relaxed) }
          if left == nil { usleep(10_000) }
        }
      }
      times.set(time, 0)
    }
    return ClaimSample(
      times.get().0, ["clientsMeanwhile": Double(taken.load(ordering: .relaxed))])
  }
}
