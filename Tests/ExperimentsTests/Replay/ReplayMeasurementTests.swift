import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import Parameters
import RecordedTraces
import Testing
import Traces

@Suite struct ReplayMeasurementTests {
  @Test(arguments: [1, 2, 3])
  func threadsShareTheRequestsWithoutLoss(threads: Int) throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 20_000)
    let choices = try PolicyChoice.parse(["arc"])
    let plan = try ExperimentPlan(traces: [trace], policies: choices, capacities: [.count(100)])
    let replays = try ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [threads])
      .rows(of: plan)
    let measurement = try #require(ExperimentRun(replays).run().measurements.first)
    let replay = try #require(measurement.replay)
    let latency = try #require(replay.latency)
    #expect(measurement.requests == 20_000)
    #expect(latency.get?.count == 20_000)
    #expect((latency.hit?.count ?? 0) + (latency.miss?.count ?? 0) == 20_000)
    #expect(latency.set?.count == latency.miss?.count)
    #expect(replay.contention?.acquisitions == 20_000 + (latency.set?.count ?? 0))
    #expect(replay.threads == threads && replay.lock == "mutex")
  }

  @Test func severalThreadsWithoutALockAreRefused() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 100)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["lru"]), capacities: [.count(10)])
    #expect(throws: PolicyError.self) {
      try ReplayExperiment(locks: [LockChoice(NoLock.self)], threads: [2]).rows(of: plan)
    }
  }

  @Test(arguments: ["opt", "belady-size", "infinite"])
  func boundsAreRefused(name: String) throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 100)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse([name]), capacities: [.count(10)])
    let error = #expect(throws: PolicyError.self) {
      try ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [1]).rows(of: plan)
    }
    #expect(
      error?.description
        == "\(name): is a bound, which exists in simulation only; use evict sweep")
  }

  @Test func cancelledSessionKeepsItsFinishedCells() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 1_000)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["lru,fifo,arc"]), capacities: [.count(10)])
    let cancellation = Cancellation()
    let replays = try ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [1]).rows(
      of: plan)
    let finished = ExperimentRun(replays).run(cancellation: cancellation) { progress in
      if progress.cells == 2 { cancellation.cancel() }
    }
    #expect(finished.measurements.map(\.policy) == ["lru", "fifo"])
  }

  @Test func waitingForALockIsContention() {
    let lock = MeteredLock(MutexLock(), sample: 1)
    let isInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    DispatchQueue.global().async(group: done) {
      lock.withLock {
        isInside.signal()
        mayLeave.wait()
      }
    }
    isInside.wait()
    DispatchQueue.global().async(group: done) { lock.withLock {} }
    while lock.takers < 2 { Thread.sleep(forTimeInterval: 0.001) }
    Thread.sleep(forTimeInterval: 0.005)
    mayLeave.signal()
    done.wait()
    let summary = lock.summary
    #expect(summary.acquisitions == 2)
    #expect(summary.contended == 1)
    #expect(summary.wait.max >= 1_000_000)
  }

  @Test func readersOfAMeteredLockShareIt() {
    let lock = MeteredLock(ReadWriteLock(), sample: 1)
    let bothInside = DispatchSemaphore(value: 0)
    let mayLeave = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for _ in 0..<2 {
      DispatchQueue.global().async(group: done) {
        lock.withSharedLock {
          bothInside.signal()
          mayLeave.wait()
        }
      }
    }
    // Neither has left when both are inside.
    for _ in 0..<2 { bothInside.wait() }
    for _ in 0..<2 { mayLeave.signal() }
    done.wait()
    for _ in 0..<14 { lock.withSharedLock {} }
    lock.withLock {}
    let summary = lock.summary
    #expect(summary.acquisitions == 17 && summary.contended == 0)
    #expect(summary.hold.max > 0 && lock.takers == 0)
    lock.reset()
    #expect(lock.summary.acquisitions == 0)
  }

  /// Excludes nobody, so that a taker can come while another one is inside.
  private final class OpenLock: CacheLock {
    static let information = LockInformation(name: "open", summary: "excludes nobody")

    func withLock(_ body: () -> Void) { body() }
  }

  /// Whoever comes while somebody is inside is contended; few of them need be timed to know how many.
  @Test func contentionIsEstimatedFromFewTimedTakers() {
    let times = LockTimes()
    let lock = MeteredLock(OpenLock(), times: times)
    for _ in 0..<3 {
      lock.withLock { for _ in 0..<6_000 { lock.withLock {} } }
      for _ in 0..<6_000 { lock.withLock {} }
    }
    let summary = lock.summary
    #expect(summary.acquisitions == 36_003)
    #expect(abs(summary.contendedRatio - 0.5) < 0.1)
    #expect((1_800...2_800).contains(times.record.holdings.count))
    #expect((900...1_400).contains(times.record.waits.count))
    #expect(lock.takers == 0)
  }

  /// One long holding in four: a sample at even distances would be of long ones only, or of none.
  @Test func holdingsAreTimedWhateverTheirPeriod() {
    for phase in 0..<4 {
      let lock = MeteredLock(MutexLock())
      let long: UInt64 = 50_000
      for index in 0..<2_000 {
        lock.withLock {
          if index % 4 != phase { return }
          let end = Clock.now() + long
          while Clock.now() < end {}
        }
      }
      let hold = lock.summary.hold
      #expect(hold.p50 < Int(long) && hold.max >= Int(long), "\(hold)")
    }
  }

  /// Threads count for themselves, for several locks, and nothing is lost.
  @Test func locksShareTheirCounts() {
    let counts = LockCounts(locks: 3)
    let locks = (0..<3).map { MeteredLock(BigReaderLock(), counts: counts, index: $0) }
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<100 { locks[index % 3].withSharedLock {} }
      locks[index % 3].withLock {}
    }
    #expect(locks.map(\.summary.acquisitions) == [303, 303, 202])
    #expect(locks.map(\.takers) == [0, 0, 0])
    locks[1].reset()
    #expect(locks.map(\.summary.acquisitions) == [303, 0, 202])
  }

  @Test func uncontendedLockIsNeverWaitedFor() {
    let lock = MeteredLock(SpinLock())
    for _ in 0..<160 { lock.withLock {} }
    #expect(lock.summary.acquisitions == 160)
    #expect(lock.summary.contended == 0)
    #expect(lock.summary.wait.total == 0)
    lock.reset()
    #expect(lock.summary.acquisitions == 0)
  }

  @Test func histogramKeepsThreeDigitsAndTheExactExtremes() throws {
    var histogram = DurationHistogram()
    for value in 1...10_000 as ClosedRange<UInt64> { histogram.record(value) }
    let summary = try #require(histogram.latency)
    #expect(summary.count == 10_000)
    #expect(summary.mean == 5_000.5)
    #expect(abs(summary.p50 - 5_000) <= 5)
    #expect(abs(summary.p99 - 9_900) <= 10)
    #expect(summary.max == 10_000)
    var other = DurationHistogram()
    other.record(1 << 50)
    histogram.add(other)
    #expect(histogram.count == 10_001)
    #expect(histogram.summary.max == 1 << 50)
    #expect(DurationHistogram().latency == nil)
  }

  @Test func clockKnowsItsOwnCost() {
    let overhead = Clock.overhead
    #expect(overhead > 0 && overhead < 100_000)
  }
}
