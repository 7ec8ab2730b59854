import EvictionCore
import Results
import Synchronization

/// The meters around a cache's locks: one, or one for each shard.
///
/// Only threads that have entered are watched, each in memory of its own.
package final class LockMeters: Sendable {
  private let made = Atomic(0)
  private let locks: Int
  private let times: ThreadParts<LockRecord>

  /// Meters of `locks` locks, that `threads` threads take.
  package init(threads: Int = 1, locks: Int = 1) {
    self.locks = locks
    times = ThreadParts(threads: threads) {
      var record = LockRecord(locks: locks)
      record.waits = .ready
      record.holdings = .ready
      return record
    }
  }

  /// A new lock with a meter around it.
  package func meter(_ lock: any CacheLock) -> any CacheLock {
    let place = made.add(1, ordering: .relaxed).oldValue
    precondition(place < locks, "more locks than were announced")
    if let lock = lock as? any TryableLock { return MeteredLock(lock, index: place) }
    return CountedLock(lock, index: place)
  }

  /// Calls `body`, in which this thread is watched.
  ///
  /// - Parameter sample: The number of acquisitions of which one has its holding timed.
  package func watching<Value>(
    thread: Int, seed: UInt64 = 0, sample: Int = usualSample, _ body: () -> Value
  ) -> Value {
    let notes = UnsafeMutablePointer<LockNotes>.allocate(capacity: 1)
    notes.initialize(
      to: LockNotes(
        locks: locks, sampler: Sampler(oneIn: sample, seed: seed &+ UInt64(thread)),
        thread: thread, times: times))
    LockNotes.setOwn(notes)
    defer {
      LockNotes.setOwn(nil)
      notes.pointee.end()
      notes.deinitialize(count: 1)
      notes.deallocate()
    }
    return body()
  }

  /// The number of acquisitions of which one has its holding timed.
  package static let usualSample = 64

  /// The record so far, of all locks together. Read it when no thread takes them.
  package var record: LockRecord {
    times.values.reduce(into: LockRecord(locks: locks)) { $0.add($1) }
  }
}

/// The record of the meters.
package struct LockRecord: Sendable {
  /// The acquisitions of each lock.
  var acquisitions: [Int]
  /// The contended ones.
  var contended = 0
  /// The wait of each contended acquisition.
  var waits = DurationHistogram()
  /// The holding times of a sample of the acquisitions.
  var holdings = DurationHistogram()

  init(locks: Int = 0) { acquisitions = [Int](repeating: 0, count: locks) }

  mutating func add(_ other: LockRecord) {
    contended += other.contended
    waits.add(other.waits)
    holdings.add(other.holdings)
    if acquisitions.isEmpty {
      acquisitions = other.acquisitions
    } else {
      for (index, count) in other.acquisitions.enumerated() { acquisitions[index] += count }
    }
  }

  /// The timed holdings stand for all: the lock was held as long in the mean.
  package var summary: ContentionSummary {
    let total = acquisitions.reduce(0, +)
    return ContentionSummary {
      $0.acquisitions = total
      $0.contended = contended
      $0.wait = waits.summary
      $0.hold = holdings.summary
      $0.hold.total = Int(holdings.mean * Double(total))
      if acquisitions.count > 1 { $0.shards = acquisitions }
    }
  }
}
