import EvictionCore

extension Claim {
  /// A dispatch queue's sync against a mutex.
  static let queueSyncIsSlower = Claim(
    "C3", "A queue's sync is slower than a mutex.",
    hypothesis: "An operation by sync on a dispatch queue takes more time than under a pthread "
      + "mutex.",
    effect: "queue time / mutex time",
    conditions: [1, 2].flatMap { threads in
      [("serial", SerialQueueLock.self), ("barrier", BarrierQueueLock.self)].map {
        (name: String, queue: any CacheLock.Type) in
        ClaimCondition(["queue": name, "threads": "\(threads)"], .slower) { context in
          context.compare {
            LockLoad.sample(queue.init(), threads: threads, hold: 0)
          } with: {
            LockLoad.sample(PThreadLock(), threads: threads, hold: 0)
          }
        }
      }
    })
}
