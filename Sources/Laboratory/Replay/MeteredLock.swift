import Eviction
import Synchronization

/// A lock that watches another one: how often it is taken, waited for, and for how long it is held.
///
/// A taker is *contended* when another one is inside or waiting as it arrives; only then is its wait
/// timed, and only every 16th holding is, so that watching changes little of what is watched. Everything
/// is recorded while the lock is held, which keeps threads apart.
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
  /// What was recorded, while nobody is inside.
  private(set) var record = LockRecord()

  package init(_ base: any CacheLock) { self.base = base }

  @usableFromInline
  package convenience init() { self.init(MutexLock()) }

  @usableFromInline
  package func withLock(_ body: () -> Void) {
    let isContended = present.add(1, ordering: .relaxed).oldValue > 0
    let arrival = isContended ? Clock.now() : 0
    base.withLock {
      record.acquisitions &+= 1
      if isContended {
        record.contended &+= 1
        record.waits.record(Clock.now() - arrival)
      }
      if record.acquisitions % MeteredLock.holdSample == 0 {
        let start = Clock.now()
        body()
        record.holdings.record(Clock.now() - start)
      } else {
        body()
      }
      present.subtract(1, ordering: .relaxed)
    }
  }

  /// Takers inside or waiting, now.
  package var takers: Int { present.load(ordering: .relaxed) }

  /// Forgets what was recorded so far.
  package func reset() {
    base.withLock { record = LockRecord() }
  }

  /// What was recorded so far.
  package var summary: ContentionSummary { record.summary }
}
