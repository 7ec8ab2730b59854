import CacheReplay
import Dispatch
import Eviction
import EvictionCore
import Foundation
import Results
import Synchronization
import Testing

/// Meters find what is planted in locks.
@Suite struct LockMetersTests {
  /// Threads at a rendezvous, so that what is planted happens however they are scheduled.
  private final class Signal: Sendable {
    private let raised = Atomic(false)

    func raise() { raised.store(true, ordering: .releasing) }

    func wait() { while !raised.load(ordering: .acquiring) { pause() } }

    private func pause() { usleep(100) }
  }

  private static func spin(nanoseconds: UInt64) {
    let end = Clock.now() + nanoseconds
    while Clock.now() < end {}
  }

  static let all = LockCatalog.all.map { $0.information }.filter(\.isThreadSafe).map(\.name)
  static let others = LockCatalog.all.filter { !($0 is any TryableLock.Type) }
    .map { $0.information.name }
  static let tryable = all.filter { !others.contains($0) }

  @Test func onlyQueuesHaveNoTry() {
    #expect(Self.others == ["serial-queue", "barrier-queue"])
  }

  /// One of two threads holds the lock while the other one comes.
  @Test(arguments: all)
  func takerThatMustWaitIsContendedAndItsWaitRecorded(name: String) throws {
    let kind = try #require(LockCatalog.lock(named: name))
    // On a busy machine the second taker may come when the first one has left.
    let summary = try #require(
      (0..<100).lazy.map { _ in Self.meeting(at: kind.init()) }.first { $0.contended > 0 })
    #expect(summary.acquisitions == 2 && summary.contended == 1)
    #expect(summary.wait.max > 0 && summary.wait.total >= summary.wait.max * 999 / 1_000)
  }

  /// Two threads that take a lock, the second one while the first one is inside, or soon after.
  private static func meeting(at lock: any CacheLock) -> ContentionSummary {
    let meters = LockMeters(threads: 2)
    let lock = meters.meter(lock)
    let (isInside, mayLeave, done) = (Signal(), Signal(), DispatchGroup())
    DispatchQueue.global().async(group: done) {
      meters.watching(thread: 0) {
        lock.withLock {
          isInside.raise()
          mayLeave.wait()
          Self.spin(nanoseconds: 5_000_000)
        }
      }
    }
    isInside.wait()
    DispatchQueue.global().async(group: done) {
      meters.watching(thread: 1) {
        mayLeave.raise()
        lock.withLock {}
      }
    }
    done.wait()
    return meters.record.summary
  }

  /// A lock whose tries fail as planted, and whose waits last.
  private final class PlantedLock: TryableLock, @unchecked Sendable {
    static let information = LockInformation(name: "planted", summary: "fails one try in ten")
    private var tries = 0

    func withLock(_ body: () -> Void) {
      LockMetersTests.spin(nanoseconds: 10_000)
      body()
    }

    func withLockIfAvailable(_ body: () -> Void) -> Bool {
      tries += 1
      if tries.isMultiple(of: 10) { return false }
      body()
      return true
    }
  }

  /// Anyone who holds the lock 10 µs holds up one taker in ten: each of them is counted, and each wait.
  @Test func everyFailedTryIsContendedAndEveryWaitRecorded() {
    let meters = LockMeters()
    let lock = meters.meter(PlantedLock())
    meters.watching(thread: 0) { for _ in 0..<5_000 { lock.withLock {} } }
    let summary = meters.record.summary
    #expect(summary.acquisitions == 5_000 && summary.contended == 500)
    #expect(summary.contendedRatio == 0.1)
    // The cost of the clock, which is taken off, may vary by a little.
    #expect(summary.wait.p50 >= 9_000)
    #expect(summary.wait.total >= 500 * 9_000)
  }

  /// One holding in ten lasts, whatever their order: a sample has no period.
  @Test func holdingsAreTimedWhateverTheirPeriod() {
    for phase in 0..<4 {
      let meters = LockMeters()
      let lock = meters.meter(MutexLock())
      let long: UInt64 = 50_000
      meters.watching(thread: 0, sample: 8) {
        for index in 0..<4_000 {
          lock.withLock { if index % 4 == phase { Self.spin(nanoseconds: long) } }
        }
      }
      let hold = meters.record.summary.hold
      #expect(hold.p50 < Int(long) * 9 / 10 && hold.max >= Int(long) * 9 / 10, "\(hold)")
    }
  }

  @Test(arguments: tryable)
  func lockThatIsFreeIsNeverWaitedFor(name: String) throws {
    let kind = try #require(LockCatalog.lock(named: name))
    let meters = LockMeters()
    let lock = meters.meter(kind.init())
    meters.watching(thread: 0) {
      for _ in 0..<160 { lock.withLock {} }
      for _ in 0..<160 { lock.withSharedLock {} }
    }
    let summary = meters.record.summary
    #expect(summary.acquisitions == 320 && summary.contended == 0 && summary.wait.total == 0)
  }

  @Test(arguments: ["rwlock", "big-reader", "barrier-queue"])
  func readersOfAMeteredLockShareIt(name: String) throws {
    let kind = try #require(LockCatalog.lock(named: name))
    let meters = LockMeters(threads: 2)
    let lock = meters.meter(kind.init())
    let (first, second, done) = (Signal(), Signal(), DispatchGroup())
    for (thread, own, other) in [(0, first, second), (1, second, first)] {
      DispatchQueue.global().async(group: done) {
        meters.watching(thread: thread) {
          lock.withSharedLock {
            own.raise()
            // Neither leaves before both are inside.
            other.wait()
          }
        }
      }
    }
    done.wait()
    let summary = meters.record.summary
    #expect(summary.acquisitions == 2 && summary.contended == 0)
  }

  @Test func threadsAreWatchedOnlyWhereTheyEntered() {
    let meters = LockMeters()
    let lock = meters.meter(SpinLock())
    lock.withLock {}
    meters.watching(thread: 0) { lock.withLock {} }
    lock.withSharedLock {}
    #expect(meters.record.summary.acquisitions == 1)
  }

  @Test func threadsCountForThemselvesAndNothingIsLost() {
    let meters = LockMeters(threads: 8, locks: 3)
    let locks = (0..<3).map { _ in meters.meter(BigReaderLock()) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      meters.watching(thread: thread) {
        for _ in 0..<100 { locks[thread % 3].withSharedLock {} }
        locks[thread % 3].withLock {}
      }
    }
    #expect(meters.record.summary.shards == [303, 303, 202])
  }
}
