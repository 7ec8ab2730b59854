import Eviction
import Synchronization

/// The meters around a cache's locks: one, or one for each shard.
final class LockMeters: Sendable {
  private let meters = Mutex<[MeteredLock]>([])

  /// A new lock with a meter around it.
  func meter(_ lock: any CacheLock) -> MeteredLock {
    let meter = MeteredLock(lock)
    meters.withLock { $0.append(meter) }
    return meter
  }

  /// Forgets what was recorded so far.
  func reset() { meters.withLock { $0.forEach { $0.reset() } } }

  /// What was recorded so far, all locks together. To be asked when nobody uses them.
  var record: LockRecord {
    meters.withLock { meters in
      var sum = meters.reduce(into: LockRecord()) { $0.add($1.record) }
      sum.shares = meters.map(\.record.acquisitions)
      return sum
    }
  }
}

/// What meters have recorded.
struct LockRecord: Sendable {
  var acquisitions = 0
  var contended = 0
  var waits = DurationHistogram()
  var holdings = DurationHistogram()
  /// How often each of several locks was taken.
  var shares: [Int] = []

  mutating func add(_ other: LockRecord) {
    acquisitions += other.acquisitions
    contended += other.contended
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
      acquisitions: acquisitions, contended: contended, wait: waits.summary, hold: hold)
    if shares.count > 1 { summary.shards = shares }
    return summary
  }
}
