import CInline
import Eviction
import Synchronization

/// A lock that watches another one: how often it is taken, waited for, and for how long it is held.
///
/// A taker is *contended* when one that excludes it is inside or waiting as it arrives; only then is its
/// wait timed, and only every 16th holding is, so that watching changes little of what is watched. What
/// was timed is recorded when the lock is free again.
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
  /// How often somebody was alone inside.
  private var entries = 0
  /// How often the lock was shared.
  private let sharings = Atomic(0)
  private let times: LockTimes

  /// A meter around a lock.
  ///
  /// - Parameter times: What it notes its times in, alone or with others.
  package init(_ base: any CacheLock, times: LockTimes = LockTimes()) {
    self.base = base
    self.times = times
    sharesReads = type(of: base).information.sharesReads
  }

  @usableFromInline
  package convenience init() { self.init(MutexLock()) }

  @usableFromInline
  package func withLock(_ body: () -> Void) {
    let isContended = present.add(1, ordering: .relaxed).oldValue > 0
    if sharesReads { writers.add(1, ordering: .relaxed) }
    let arrival = isContended ? Clock.now() : 0
    var (entry, start, end): (UInt64, UInt64, UInt64) = (0, 0, 0)
    base.withLock {
      if isContended { entry = Clock.now() }
      entries &+= 1
      if entries % MeteredLock.holdSample == 0 {
        start = Clock.now()
        body()
        end = Clock.now()
      } else {
        body()
      }
      if sharesReads { writers.subtract(1, ordering: .relaxed) }
      present.subtract(1, ordering: .relaxed)
    }
    note(wait: isContended ? entry - arrival : nil, holding: end > 0 ? end - start : nil)
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
    note(wait: isContended ? start - arrival : nil, holding: isTimed ? end - start : nil)
  }

  @inline(__always)
  private func note(wait: UInt64?, holding: UInt64?) {
    if wait == nil && holding == nil { return }
    times.note(wait: wait, holding: holding, thread: Int(evl_thread_number()))
  }

  /// Takers inside or waiting, now.
  package var takers: Int { present.load(ordering: .relaxed) }

  /// How often the lock was taken. To be asked when nobody uses it.
  var acquisitions: Int { entries + sharings.load(ordering: .relaxed) }

  /// Forgets how often the lock was taken.
  func resetCount() {
    base.withLock {
      entries = 0
      sharings.store(0, ordering: .relaxed)
    }
  }

  /// Forgets what was recorded so far, by those as well that its times are noted with.
  package func reset() {
    resetCount()
    times.reset()
  }

  /// What was recorded so far. To be asked when nobody uses the lock.
  package var summary: ContentionSummary {
    var record = times.record
    record.acquisitions = acquisitions
    return record.summary
  }
}
