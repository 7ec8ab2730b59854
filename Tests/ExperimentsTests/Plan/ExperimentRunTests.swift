import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Parameters
import Results
import Runner
import Synchronization
import Testing
import Traces

/// Running a plan.
@Suite struct ExperimentRunTests {
  static func plan(capacities: Int = 8) throws -> ExperimentPlan {
    let trace = try TraceGenerators.trace("zipf:keys=500:requests=4000")
    return try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["all"]),
      capacities: (1...capacities).map { .count($0 * 20) })
  }

  @Test func resultsStandInThePlansOrderWhateverTheJobs() throws {
    func counts(jobs: Int) throws -> [String] {
      try ExperimentRun(Self.plan()).run(jobs: jobs).measurements.map {
        "\($0.policy) \($0.capacity) \($0.hits) \($0.insertions) \($0.evictions)"
      }
    }
    let one = try counts(jobs: 1)
    #expect(try one.count == Self.plan().cells.count)
    #expect(try counts(jobs: 7) == one)
  }

  @Test func progressEndsAtTheWhole() throws {
    let plan = try Self.plan()
    let last = Mutex<ExperimentProgress?>(nil)
    _ = ExperimentRun(plan).run(jobs: 2) { progress in last.withLock { $0 = progress } }
    let end = try #require(last.withLock { $0 })
    #expect(end.cells == plan.cells.count)
    #expect(end.requests == plan.cells.count * 4000)
    #expect(end.fraction(after: 1) == 1)
  }

  @Test func scheduleSetsTheLeastTimeOfAReplay() throws {
    let rows = (0...1000).map { "\($0),\($0 % 9)\n" }.joined()
    let trace = try TraceLoader.load(
      bytes: Array("time,key\n\(rows)".utf8), name: "seconds.csv", columns: .times)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["lru,fifo"]), capacities: [.count(3)])
    let replays = try ReplayExperiment(
      locks: [LockChoice(MutexLock.self)], threads: [1],
      paces: [.trace(speed: 10), .rate(1e4), .closed, .capacityShare(0.5)],
      repetitions: .exactly(3)
    ).rows(of: plan)
    let cancellation = Cancellation()
    let progress = Mutex<ExperimentProgress?>(nil)
    let started = Mutex(false)
    _ = ExperimentRun(replays).run(cancellation: cancellation) { now in
      // The schedule is known before anything runs.
      if now.requests == 0 { return started.withLock { $0 = true } }
      progress.withLock { $0 = now }
      cancellation.cancel()
    }
    #expect(started.withLock { $0 })
    let now = try #require(progress.withLock { $0 })
    // Two policies, three rounds of three open passes, 1000 s at ten times the speed, and 1001 requests at
    // 10 000 a second.
    let seconds = 2 * 3 * 3 * (100 + 0.1001)
    #expect(abs(now.scheduledSeconds - seconds) < 1e-6)
    #expect(now.fraction(after: 0.01) == 0.01 / now.scheduledSeconds)
    let ofRequests = Double(now.requests) / Double(now.totalRequests)
    #expect(now.fraction(after: seconds) == ofRequests)
  }

  @Test func cancellationKeepsTheFinishedCells() throws {
    let plan = try Self.plan()
    let cancellation = Cancellation()
    let finished = ExperimentRun(plan).run(jobs: 1, cancellation: cancellation) { progress in
      if progress.cells == 10 { cancellation.cancel() }
    }
    // LRU's eight cells share a pass.
    let others = Array(repeating: "lru", count: 7)
    #expect(finished.measurements.map(\.policy) == plan.cells.prefix(3).map(\.policy.name) + others)
  }

  @Test func cellThatIsStoppedMidwayIsNotKept() throws {
    let cancellation = Cancellation()
    let finished = try ExperimentRun(Self.plan()).run(jobs: 1, cancellation: cancellation) {
      if $0.requests > 0 { cancellation.cancel() }
    }
    #expect(finished.measurements.isEmpty)
  }

  @Test func referenceStandsBesideTheRowsOfItsTrace() throws {
    let plan = try Self.plan(capacities: 1)
    let trace = plan.traces[0]
    let referenced = plan.withReferences()
    #expect(referenced.cells.count == plan.cells.count + 1)
    let curve = try #require(ExperimentRun(referenced).run(jobs: 2).references.first)
    #expect(curve.points == MissRatioCurve.lru(of: trace)?.points)
    #expect(plan.withReferences(besides: [curve]).cells.count == plan.cells.count)
    let sized = try ExperimentPlan(
      traces: [BoundsExperimentTests.trace], policies: PolicyChoice.parse(["lru"]),
      capacities: [.bytes(10)], settings: .init(isSized: true))
    #expect(sized.withReferences().cells.count == 1)
  }

  @Test func throughputCountsTheWarmUpAndHitsDoNot() {
    var measurement = Measurement(kind: .sweep, trace: "t", policy: "lru", capacity: 1)
    var counts = RequestCounts()
    counts.requests = 50
    counts.hits = 25
    measurement.record(counts, isSized: false, hasCosts: false)
    measurement.record(seconds: 2, requestsRun: 100)
    #expect(measurement.hitRatio == 0.5)
    #expect(measurement.requestsPerSecond == 50)
    #expect(measurement.byteHitRatio == nil)
    #expect(measurement.costHitRatio == nil)
  }
}
