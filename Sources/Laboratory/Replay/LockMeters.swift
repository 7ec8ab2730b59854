import Eviction
import Synchronization

/// The meters around a cache's locks: one, or one for each shard.
final class LockMeters: Sendable {
  private let meters = Mutex<[MeteredLock]>([])
  private let times: LockTimes

  /// Meters of locks that so many threads take.
  init(threads: Int) { times = LockTimes(threads: threads) }

  /// A new lock with a meter around it.
  func meter(_ lock: any CacheLock) -> MeteredLock {
    let meter = MeteredLock(lock, times: times)
    meters.withLock { $0.append(meter) }
    return meter
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

  /// Notes how long a thread waited, if it did, and for how long it held the lock, if that was timed.
  func note(wait: UInt64?, holding: UInt64?, thread: Int) {
    parts.update(thread) { record in
      if let wait { record.waits.record(wait) }
      if let holding { record.holdings.record(holding) }
    }
  }

  /// Forgets everything.
  func reset() { parts.updateAll { $0 = LockRecord() } }

  /// Everything so far; acquisitions are not counted here.
  var record: LockRecord { parts.values.reduce(into: LockRecord()) { $0.add($1) } }
}

/// What meters have recorded.
struct LockRecord: Sendable {
  var acquisitions = 0
  var waits = DurationHistogram()
  var holdings = DurationHistogram()
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

  /// Waits are those of contended takers; the total of the holdings is their mean times the
  /// acquisitions.
  var summary: ContentionSummary {
    var hold = holdings.summary
    hold.total = Int(holdings.mean * Double(acquisitions))
    var summary = ContentionSummary(
      acquisitions: acquisitions, contended: waits.count, wait: waits.summary, hold: hold)
    if shares.count > 1 { summary.shards = shares }
    return summary
  }
}
