import CInline
import EvictionCore

/// Threads that take a lock over and over.
enum LockLoad {
  /// Nanoseconds of wall-clock time per operation of all threads together.
  ///
  /// - Parameters:
  ///   - hold: Processor pauses within the lock.
  ///   - readRatio: The fraction of operations that only read.
  static func nanoseconds(
    _ lock: any CacheLock, threads: Int, hold: Int, operations: Int = 12_000,
    readRatio: Double = 0
  ) -> Double {
    let each = operations / threads
    let seconds = ThreadGang.run(threads) { thread, start in
      var random = SplitMix64(seed: UInt64(thread))
      let reads = (0..<each).map { _ in Double(random.index(below: 10_000)) < readRatio * 10_000 }
      _ = start()
      for isRead in reads {
        if isRead {
          lock.withSharedLock { for _ in 0..<hold { evl_pause() } }
        } else {
          lock.withLock { for _ in 0..<hold { evl_pause() } }
        }
      }
    }
    return seconds * 1e9 / Double(each * threads)
  }
}
