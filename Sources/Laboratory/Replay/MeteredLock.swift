import Eviction
import Synchronization

/// A lock that watches another one: how often it is taken, waited for, and for how long it is held.
///
/// A taker is *contended* when another one is inside or waiting as it arrives; only then is its wait
/// timed, and only every 16th holding is, so that watching changes little of what is watched. Everything
/// is recorded while the lock is held, which keeps threads apart. Readers that share the lock count
/// themselves, each thread apart; they are contended by takers that don't share it.
///
/// It is no member of the catalog: it is made around one.
@usableFromInline
package final class MeteredLock: CacheLock, @unchecked Sendable {
  @usableFromInline package static let information = LockInformation(
    name: "metered", summary: "another lock, with its waits and holdings timed")

  /// Every so many holdings one is timed.
  static let holdSample = 16

  private let base: any CacheLock
  /// Takers inside or waiting.
  private let present = Atomic(0)
  /// What takers have recorded who were alone.
  private var aloneRecord = LockRecord()
  /// Readers that share the lock; nil where they can't.
  private let readers: ReaderMeter?

  package init(_ base: any CacheLock) {
    self.base = base
    readers = type(of: base).information.sharesReads ? ReaderMeter() : nil
  }

  @usableFromInline
  package convenience init() { self.init(MutexLock()) }

  @usableFromInline
  package func withLock(_ body: () -> Void) {
    let isContended = present.add(1, ordering: .relaxed).oldValue > 0 || readers?.isInside ?? false
    let arrival = isContended ? Clock.now() : 0
    base.withLock {
      aloneRecord.acquisitions &+= 1
      if isContended {
        aloneRecord.contended &+= 1
        aloneRecord.waits.record(Clock.now() - arrival)
      }
      if aloneRecord.acquisitions % MeteredLock.holdSample == 0 {
        let start = Clock.now()
        body()
        aloneRecord.holdings.record(Clock.now() - start)
      } else {
        body()
      }
      present.subtract(1, ordering: .relaxed)
    }
  }

  @usableFromInline
  package func withSharedLock(_ body: () -> Void) {
    guard let readers else { return withLock(body) }
    let arrival = present.load(ordering: .relaxed) > 0 ? Clock.now() : nil
    base.withSharedLock {
      if let arrival { readers.waited(Clock.now() - arrival) }
      readers.enter()
      body()
      readers.leave()
    }
  }

  /// Takers inside or waiting, now.
  package var takers: Int { present.load(ordering: .relaxed) }

  /// Forgets what was recorded so far.
  package func reset() {
    base.withLock {
      aloneRecord = LockRecord()
      readers?.reset()
    }
  }

  /// What was recorded so far. To be asked when nobody uses the lock.
  var record: LockRecord {
    var record = aloneRecord
    if let readers { record.add(readers.record) }
    return record
  }

  /// What was recorded so far.
  package var summary: ContentionSummary { record.summary }
}
