import CInline
import EvictionCore
import Results

/// A lock that watches another one: how often it is taken, waited for, and for how long it is held.
///
/// Every taker counts itself as it comes and as it goes, in cache lines of its own thread. One taker in 16,
/// chosen at random, is timed: it looks at the counts of all threads, and is *contended* when somebody who
/// excludes it is inside or waiting; it reads the clock before it takes the lock and, with the lock, before
/// and after its body. What was timed is recorded when the lock is free again. So waits, holdings and the
/// share of contended takers are estimates.
///
/// What this changes of what it measures: a holding is longer by an atomic addition and, once in 16, by two
/// readings of the clock, and no thread writes where another one does but in the lock itself.
///
/// It is no member of the catalog: it is made around one.
@usableFromInline
package final class MeteredLock: CacheLock, @unchecked Sendable {
  @usableFromInline package static let information = LockInformation(
    name: "metered", summary: "another lock, with its waits and holdings timed")

  /// One taker in so many is timed.
  package static let usualSample = 16

  private let base: any CacheLock
  /// Whether several readers may be inside.
  private let sharesReads: Bool
  private let counts: LockCounts
  /// Which of the counted locks it is.
  private let index: Int
  private let times: LockTimes
  private let sample: Int

  /// A meter around a lock.
  ///
  /// - Parameters:
  ///   - counts: What it counts its takers in, alone or with others.
  ///   - index: Its number among those that count there.
  ///   - times: What it notes its times in, alone or with others.
  ///   - sample: One taker in so many is timed.
  package init(
    _ base: any CacheLock, counts: LockCounts = LockCounts(), index: Int = 0,
    times: LockTimes = LockTimes(), sample: Int = usualSample
  ) {
    self.base = base
    self.counts = counts
    self.index = index
    self.times = times
    self.sample = sample
    sharesReads = type(of: base).information.sharesReads
  }

  @usableFromInline
  package convenience init() { self.init(MutexLock()) }

  @usableFromInline
  package func withLock(_ body: () -> Void) { take(alone: true, body) }

  @usableFromInline
  package func withSharedLock(_ body: () -> Void) { take(alone: !sharesReads, body) }

  @inline(__always)
  private func take(alone: Bool, _ body: () -> Void) {
    let takers = counts.own(of: index, alone: alone)
    // Each lock has numbers of its own, so that not all choose the same.
    let seed = SplitMix64.mix(UInt64(index))
    if Sampler.chooses(takers.pointee.arrive(), oneIn: sample, seed: seed) {
      time(alone: alone, takers, body)
    } else {
      enter(alone: alone) {
        body()
        takers.pointee.leave()
      }
    }
  }

  @inline(__always)
  private func enter(alone: Bool, _ body: () -> Void) {
    if alone { base.withLock(body) } else { base.withSharedLock(body) }
  }

  /// Runs `body` in the lock and notes how long it waited, if it did, and how long it had the lock.
  private func time(
    alone: Bool, _ takers: UnsafeMutablePointer<LockCounts.Takers>, _ body: () -> Void
  ) {
    // Itself included, if it wants to be alone.
    let isContended =
      counts.present(at: index, alone: true) > (alone ? 1 : 0)
      || alone && counts.present(at: index, alone: false) > 0
    let arrival = Clock.now()
    var (start, end): (UInt64, UInt64) = (0, 0)
    enter(alone: alone) {
      start = Clock.now()
      body()
      end = Clock.now()
      takers.pointee.leave()
    }
    times.note(
      wait: isContended ? start - arrival : nil, holding: end - start,
      thread: Int(evl_thread_number()))
  }

  /// Takers inside or waiting, now.
  package var takers: Int {
    counts.present(at: index, alone: true) + counts.present(at: index, alone: false)
  }

  /// How often the lock was taken. To be asked when nobody uses it.
  var acquisitions: Int { counts.acquisitions(of: index) }

  /// Forgets how often the lock was taken. To be asked when nobody uses it.
  func resetCount() { counts.reset(index) }

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
