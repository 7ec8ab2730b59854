import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import Parameters
import RecordedTraces
import Runner
import Testing
import Traces

@Suite struct ReplayMeasurementTests {
  @Test(arguments: [1, 2, 3])
  func threadsShareTheRequestsWithoutLoss(threads: Int) throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 20_000)
    let choices = try PolicyChoice.parse(["arc"])
    let plan = try ExperimentPlan(traces: [trace], policies: choices, capacities: [.count(100)])
    var conditions = ReplayConditions()
    conditions.sample = 1
    let replays = try ReplayExperiment(
      locks: [LockChoice(MutexLock.self)], threads: [threads], conditions: conditions
    ).rows(of: plan)
    let measurement = try #require(ExperimentRun(replays).run().measurements.first)
    let replay = try #require(measurement.replay)
    let latency = try #require(replay.latency)
    #expect(measurement.requests == 20_000)
    #expect(latency.get?.count == 20_000)
    #expect((latency.hit?.count ?? 0) + (latency.miss?.count ?? 0) == 20_000)
    #expect(latency.set?.count == latency.miss?.count)
    // Counted in a run of its own, where who comes first may miss more or fewer.
    let acquisitions = try #require(replay.contention?.acquisitions)
    let sets = acquisitions - 20_000 - (latency.set?.count ?? 0)
    #expect(threads == 1 ? sets == 0 : abs(sets) < 1_000)
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
}
