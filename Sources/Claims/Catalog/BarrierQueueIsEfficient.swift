import EvictionCore

extension Claim {
  /// A barrier queue for readers and writers.
  static let barrierQueueIsEfficient = Claim(
    "C4", "A barrier queue is an efficient reader–writer scheme.",
    hypothesis: "Under a barrier queue an operation takes no more time than under a mutex or a "
      + "read-write lock, at any fraction of reads.",
    effect: "barrier queue time / other time",
    note: "two threads on two cores: at most two readers run at once",
    conditions: [0.5, 0.9, 0.99, 0.999].flatMap { reads in
      [("mutex", PThreadLock.self), ("rwlock", ReadWriteLock.self)].map {
        (name: String, other: any CacheLock.Type) in
        ClaimCondition(["reads": "\(reads)", "against": name], .notSlower) { context in
          context.compare {
            LockLoad.sample(BarrierQueueLock(), threads: 2, hold: 20, readRatio: reads)
          } with: {
            LockLoad.sample(other.init(), threads: 2, hold: 20, readRatio: reads)
          }
        }
      }
    })
}
