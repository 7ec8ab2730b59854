import EvictionCore
import Results
import Synchronization

/// The meters around a cache's locks: one, or one for each shard.
final class LockMeters: Sendable {
  private let meters = Mutex<[MeteredLock]>([])
  private let counts: LockCounts
  private let times: LockTimes

  /// Meters of so many locks, that so many threads take.
  init(threads: Int, locks: Int) {
    counts = LockCounts(locks: locks)
    times = LockTimes(threads: threads)
  }

  /// A new lock with a meter around it.
  func meter(_ lock: any CacheLock) -> MeteredLock {
    meters.withLock { meters in
      let meter = MeteredLock(lock, counts: counts, index: meters.count, times: times)
      meters.append(meter)
      return meter
    }
  }

  /// Forgets what was recorded so far.
  func reset() {
    meters.withLock { $0.forEach { $0.resetCount() } }
    times.reset()
  }

  /// What was recorded so far, all locks together. To be asked when nobody uses them.
  var record: LockRecord {
    var record = times.record
    record.shares = meters.withLock { $0.map(\.acquisitions) }
    record.acquisitions = record.shares.reduce(0, +)
    return record
  }
}

/// How long the locks of a cache were waited for and held: noted outside of them, so that whoever waits
/// does not wait for that, and together, so that memory does not grow with the number of locks.
package final class LockTimes: Sendable {
  private let parts: ThreadParts<LockRecord>

  /// For locks that so many threads take.
  package init(threads: Int = 1) { parts = ThreadParts(threads: threads) { LockRecord() } }

  /// Notes how long a thread waited, if it was contended, and for how long it held the lock.
  func note(wait: UInt64?, holding: UInt64, thread: Int) {
    parts.update(thread) { record in
      if let wait { record.waits.record(wait) }
      record.holdings.record(holding)
    }
  }

  /// Forgets everything.
  func reset() { parts.updateAll { $0 = LockRecord() } }

  /// Everything so far; acquisitions are not counted here.
  package var record: LockRecord { parts.values.reduce(into: LockRecord()) { $0.add($1) } }
}

/// What meters have recorded.
package struct LockRecord: Sendable {
  var acquisitions = 0
  /// Those of the timed takers that were contended.
  package var waits = DurationHistogram()
  /// Those of all timed takers.
  package var holdings = DurationHistogram()
  /// How often each of several locks was taken.
  var shares: [Int] = []

  mutating func add(_ other: LockRecord) {
    acquisitions += other.acquisitions
    waits.add(other.waits)
    holdings.add(other.holdings)
    if shares.count == other.shares.count {
      for index in shares.indices { shares[index] += other.shares[index] }
    } else if shares.isEmpty {
      shares = other.shares
    }
  }

  /// Timed takers stand for all: as many of these were contended in proportion, and waited and held the
  /// lock as long in the mean.
  var summary: ContentionSummary {
    let ratio = holdings.count == 0 ? 0 : Double(waits.count) / Double(holdings.count)
    let contended = ratio * Double(acquisitions)
    var (wait, hold) = (waits.summary, holdings.summary)
    wait.total = Int(waits.mean * contended)
    hold.total = Int(holdings.mean * Double(acquisitions))
    var summary = ContentionSummary(
      acquisitions: acquisitions, contended: Int(contended.rounded()), wait: wait, hold: hold)
    if shares.count > 1 { summary.shards = shares }
    return summary
  }
}
