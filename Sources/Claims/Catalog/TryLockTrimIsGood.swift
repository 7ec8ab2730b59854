import CInline
import EvictionCore
import Foundation
import Synchronization

extension Claim {
  /// A trim by try-lock that sleeps when it fails.
  static let tryLockTrimIsGood = Claim(
    "C12", "Try-lock with a 10 ms sleep is a good trim.",
    hypothesis: "A trim that takes the lock by try-lock, one victim at a time, and sleeps 10 ms "
      + "when it fails, takes no more time than one that waits for the lock.",
    effect: "trim time, try-lock / waiting",
    note: "the details hold how often clients took the lock meanwhile; and, where clients set "
      + "2 000 entries beside the trim, how far they came above the limit, and for how long",
    conditions: [0, 1, 2].map { clients in
      ClaimCondition(["clients": "\(clients)"], .notSlower) { context in
        context.compare {
          sample(clients: clients, triesLock: true)
        } with: {
          sample(clients: clients, triesLock: false)
        }
      }
    })

  private static func sample(clients: Int, triesLock: Bool) -> ClaimSample {
    let (time, taken) = trim(clients: clients, triesLock: triesLock)
    let (most, above) = overshoot(clients: clients, triesLock: triesLock)
    return ClaimSample(
      time, ["clientsMeanwhile": Double(taken), "mostAboveLimit": most, "timeAboveLimit": above])
  }

  /// The most entries above the limit, and the nanoseconds until none was, while clients set entries as fast
  /// as they can, 2 000 in all, and a trim takes them away.
  private static func overshoot(clients: Int, triesLock: Bool) -> (most: Double, time: Double) {
    let entries = Mutex((above: 0, most: 0))
    let setting = Atomic(clients)
    let times = SharedTimes()
    _ = ThreadGang.run(clients + 1) { thread, start in
      _ = start()
      if thread > 0 {
        for _ in 0..<2_000 / clients {
          for _ in 0..<50 { evl_pause() }
          entries.withLock {
            $0.above += 1
            $0.most = max($0.most, $0.above)
          }
        }
        setting.subtract(1, ordering: .releasing)
        return
      }
      let time = nanoseconds {
        while true {
          let isLast = setting.load(ordering: .acquiring) == 0
          let left = entries.withLock(trying: triesLock) { entries in
            entries.above = max(0, entries.above - 1)
            return entries.above
          }
          if left == 0 && isLast { break }
        }
      }
      times.set(time, 0)
    }
    return (Double(entries.withLock { $0.most }), times.get().0)
  }

  /// Measures nanoseconds until 300 victims are gone, while clients take the lock as fast as they can, and
  /// how often they took it.
  private static func trim(clients: Int, triesLock: Bool) -> (time: Double, taken: Int) {
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
          let left = lock.withLock(trying: triesLock) { left in
            left -= 1
            return left
          }
          if left == 0 { isOver.store(true, ordering: .relaxed) }
        }
      }
      times.set(time, 0)
    }
    return (times.get().0, taken.load(ordering: .relaxed))
  }
}

extension Mutex {
  /// Waits for the lock; or tries to take it, and sleeps 10 ms and returns nil where it is taken.
  fileprivate borrowing func withLock(
    trying: Bool, _ body: (inout sending Value) -> sending Int
  ) -> Int? {
    if !trying { return withLock(body) }
    let result = withLockIfAvailable(body)
    if result == nil { usleep(10_000) }
    return result
  }
}
