import CInline
import EvictionCore
import Synchronization

/// Threads that take a lock over and over.
enum LockLoad {
  /// Measures nanoseconds of wall-clock time per operation of all threads together; the details hold the processor time per
  /// operation, and percentiles of the wait for one acquisition in 16.
  ///
  /// - Parameters:
  ///   - hold: Processor pauses within the lock.
  ///   - readRatio: The fraction of operations that only read.
  static func sample(
    _ lock: any CacheLock, threads: Int, hold: Int, operations: Int = 12_000,
    readRatio: Double = 0
  ) -> ClaimSample {
    let each = operations / threads
    let used = Atomic<UInt64>(0)
    let waits = Mutex<[Double]>([])
    let seconds = ThreadGang.run(threads) { thread, start in
      var random = SplitMix64(seed: UInt64(thread))
      let reads = (0..<each).map { _ in Double(random.index(below: 10_000)) < readRatio * 10_000 }
      var own: [Double] = []
      own.reserveCapacity(each / 16 + 1)
      _ = start()
      let processor = evl_thread_nanoseconds()
      for index in 0..<each {
        let isTimed = index & 15 == 0
        let start = isTimed ? evl_monotonic_nanoseconds() : 0
        let body = {
          if isTimed { own.append(Double(evl_monotonic_nanoseconds() - start)) }
          for _ in 0..<hold { evl_pause() }
        }
        if reads[index] { lock.withSharedLock(body) } else { lock.withLock(body) }
      }
      used.add(evl_thread_nanoseconds() - processor, ordering: .relaxed)
      waits.withLock { $0 += own }
    }
    let count = Double(each * threads)
    let times = waits.withLock { $0 }
    return ClaimSample(
      seconds * 1e9 / count,
      [
        "processorTime": Double(used.load(ordering: .relaxed)) / count,
        "waitP50": times.quantile(0.5), "waitP99": times.quantile(0.99),
      ])
  }
}
