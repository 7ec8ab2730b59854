import Eviction
import Synchronization

/// A lock that watches another one: how often it is taken, waited for, and for how long it is held.
///
/// A taker is *contended* when one that excludes it is inside or waiting as it arrives; only then is its
/// wait timed, and only every 16th holding is, so that watching changes little of what is watched. Those
/// who are alone inside record there, which keeps threads apart; readers that share the lock record the
/// little that is timed of them afterwards.
///
/// It is no member of the catalog: it is made around one.
@usableFromInline
package final class MeteredLock: CacheLock, @unchecked Sendable {
  @usableFromInline package static let information = LockInformation(
    name: "metered", summary: "another lock, with its waits and holdings timed")

  /// Every so many holdings one is timed.
  static let holdSample = 16

  private let base: any CacheLock
  /// Whether several readers may be inside.
  private let sharesReads: Bool
  /// Takers inside or waiting.
  private let present = Atomic(0)
  /// Those of them that want to be alone.
  private let writers = Atomic(0)
  /// What was recorded by those who were alone inside.
  private var exclusive = LockRecord()
  /// How often the lock was shared.
  private let sharings = Atomic(0)
  /// What was recorded by those who shared it.
  private let shared = Mutex(LockRecord())

  package init(_ base: any CacheLock) {
    self.base = base
    sharesReads = type(of: base).information.sharesReads
  }

  @usableFromInline
  package convenience init() { self.init(MutexLock()) }

  @usableFromInline
  package func withLock(_ body: () -> Void) {
    let isContended = present.add(1, ordering: .relaxed).oldValue > 0
    if sharesReads { writers.add(1, ordering: .relaxed) }
    let arrival = isContended ? Clock.now() : 0
    base.withLock {
      exclusive.acquisitions &+= 1
      if isContended {
        exclusive.contended &+= 1
        exclusive.waits.record(Clock.now() - arrival)
      }
      if exclusive.acquisitions % MeteredLock.holdSample == 0 {
        let start = Clock.now()
        body()
        exclusive.holdings.record(Clock.now() - start)
      } else {
        body()
      }
      if sharesReads { writers.subtract(1, ordering: .relaxed) }
      present.subtract(1, ordering: .relaxed)
    }
  }

  @usableFromInline
  package func withSharedLock(_ body: () -> Void) {
    guard sharesReads else { return withLock(body) }
    let isContended = writers.load(ordering: .relaxed) > 0
    present.add(1, ordering: .relaxed)
    let number = sharings.add(1, ordering: .relaxed).newValue
    let isTimed = number % MeteredLock.holdSample == 0
    let arrival = isContended ? Clock.now() : 0
    var (start, end): (UInt64, UInt64) = (0, 0)
    base.withSharedLock {
      if isContended || isTimed { start = Clock.now() }
      body()
      if isTimed { end = Clock.now() }
      present.subtract(1, ordering: .relaxed)
    }
    guard isContended || isTimed else { return }
    shared.withLock { record in
      if isContended {
        record.contended &+= 1
        record.waits.record(start - arrival)
      }
      if isTimed { record.holdings.record(end - start) }
    }
  }

  /// Takers inside or waiting, now.
  package var takers: Int { present.load(ordering: .relaxed) }

  /// Forgets what was recorded so far.
  package func reset() {
    base.withLock {
      exclusive = LockRecord()
      sharings.store(0, ordering: .relaxed)
      shared.withLock { $0 = LockRecord() }
    }
  }

  /// What was recorded so far. To be asked when nobody uses the lock.
  var record: LockRecord {
    var sum = exclusive
    sum.add(shared.withLock { $0 })
    sum.acquisitions += sharings.load(ordering: .relaxed)
    return sum
  }

  /// What was recorded so far.
  package var summary: ContentionSummary { record.summary }
}
