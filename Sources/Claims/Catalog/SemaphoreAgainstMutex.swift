import EvictionCore

extension Claim {
  /// A semaphore against a mutex, without and with waiting.
  static let semaphoreAgainstMutex = Claim(
    "C1", "A semaphore beats a mutex uncontended and loses badly once there is waiting.",
    hypothesis: "An operation under a semaphore takes less time than under a pthread mutex with "
      + "one thread, and more with several.",
    effect: "semaphore time / mutex time",
    note: "more threads than cores wait for the processor as well as for the lock: on two cores "
      + "all conditions above two threads are of that kind",
    conditions: [1, 2, 8, 64].flatMap { threads in
      [0, 50].map { hold in
        ClaimCondition(
          ["threads": "\(threads)", "hold": "\(hold) pauses"], threads == 1 ? .faster : .slower
        ) { context in
          context.compare {
            LockLoad.sample(SemaphoreLock(), threads: threads, hold: hold)
          } with: {
            LockLoad.sample(PThreadLock(), threads: threads, hold: hold)
          }
        }
      }
    })
}
