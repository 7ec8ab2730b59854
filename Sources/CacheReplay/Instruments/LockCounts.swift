import EvictionCore
import Synchronization

/// How often the locks of a cache were taken, and how many takers are inside or waiting now.
///
/// Every thread counts in cache lines of its own, where no other one writes while there are no more threads
/// than can run at once. Memory: 16 bytes for each lock and thread that can run at once.
package final class LockCounts: Sendable {
  /// The takers of a lock in one thread, or in several that share its part.
  struct Takers: ~Copyable {
    /// How many have come, and in the low 16 bits how many of them are inside or waiting.
    fileprivate let word = Atomic<UInt64>(0)

    /// Another taker comes. Returns its number, from 0.
    @inline(__always)
    func arrive() -> UInt64 { word.add(1 << 16 | 1, ordering: .relaxed).oldValue >> 16 }

    /// One of the takers goes.
    @inline(__always)
    func leave() { word.subtract(1, ordering: .relaxed) }
  }

  private let stripes: ThreadStripes
  private let locks: Int

  /// Counts of so many locks.
  package init(locks: Int = 1) {
    self.locks = locks
    stripes = ThreadStripes(bytes: locks * 2 * MemoryLayout<Takers>.stride)
  }

  deinit { stripes.deallocate() }

  private func takers(
    of lock: Int, alone: Bool, in stripe: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Takers> {
    precondition(lock < locks, "more locks than were announced")
    return stripe.assumingMemoryBound(to: Takers.self) + (2 * lock + (alone ? 0 : 1))
  }

  /// This thread's count of a lock's takers, of those who want to be alone or of those who share it.
  @inline(__always)
  func own(of lock: Int, alone: Bool) -> UnsafeMutablePointer<Takers> {
    takers(of: lock, alone: alone, in: stripes.own)
  }

  /// Takers inside or waiting, in all threads.
  func present(at lock: Int, alone: Bool) -> Int {
    sum(of: lock, alone: alone) { $0 & 0xFFFF }
  }

  /// How often a lock was taken. To be asked when nobody uses it.
  func acquisitions(of lock: Int) -> Int {
    sum(of: lock, alone: true) { $0 >> 16 } + sum(of: lock, alone: false) { $0 >> 16 }
  }

  private func sum(of lock: Int, alone: Bool, _ part: (UInt64) -> UInt64) -> Int {
    (0..<stripes.count).reduce(0) { sum, index in
      let takers = takers(of: lock, alone: alone, in: stripes[index])
      return sum + Int(part(takers.pointee.word.load(ordering: .relaxed)))
    }
  }

  /// Forgets how often a lock was taken. To be asked when nobody uses it.
  func reset(_ lock: Int) {
    for index in 0..<stripes.count {
      for alone in [true, false] {
        takers(of: lock, alone: alone, in: stripes[index]).pointee.word.store(0, ordering: .relaxed)
      }
    }
  }
}
