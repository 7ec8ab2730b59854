import CacheReplay
import Conformance
import Eviction
import EvictionCore
import EvictionTesting
import Experiments
import Parameters
import Requests
import Results
import Runner
import SimulatedCounts
import Testing
import Traces

/// Foundation has a type of that name, too.
private typealias Measurement = Results.Measurement

/// Cells that results are measured against.
@Suite struct BaselinesTests {
  static func plan(
    _ policies: String, capacities: [Capacity] = [.count(20), .count(100)], seeds: [Int] = [42],
    settings: ExperimentPlan.Settings = .init()
  ) throws -> ExperimentPlan {
    let trace = try TraceGenerators.trace("zipf:keys=500:requests=4000")
    return try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse([policies]), capacities: capacities,
      seeds: seeds, settings: settings)
  }

  private static func run(_ plan: ExperimentPlan, jobs: Int = 2) -> [Measurement] {
    ExperimentRun(Baselines().added(to: plan)).run(jobs: jobs).measurements
  }

  @Test func resultsAreComparedWithFIFOAndTheOptimum() throws {
    let plan = try Self.plan("lru,arc")
    let measured = Self.run(plan)
    let plain = ExperimentRun(plan).run().measurements
    #expect(measured.map(\.hits) == plain.map(\.hits))
    #expect(plain.allSatisfy { $0.missRatioReduction == nil && $0.distanceToOptimum == nil })
    for measurement in measured {
      let stream = RequestStream(plan.traces[0])
      let fifo = try simulate("fifo", stream, capacity: measurement.capacity).hits
      let misses = Double(4000 - measurement.hits) / 4000
      let fifoMisses = Double(4000 - fifo) / 4000
      let reduction = try #require(measurement.missRatioReduction)
      #expect(abs(reduction - (fifoMisses - misses) / fifoMisses) < 1e-12)
      let optimum = BeladyMinimum.misses(
        plan.traces[0].ids.map(Int.init), capacity: measurement.capacity, bypass: true)
      let distance = try #require(measurement.distanceToOptimum)
      #expect(abs(distance - (misses - Double(optimum) / 4000)) < 1e-12)
      #expect(distance > 0)
    }
  }

  @Test func latenciesAreComparedWithThoseOfFIFO() throws {
    var settings = ExperimentPlan.Settings()
    settings.delay = .requests(20)
    let alone = try Self.run(Self.plan("lru", settings: settings))
    let measured = try Self.run(Self.plan("lru,fifo", settings: settings))
    #expect(measured.count == 4 && measured.allSatisfy { $0.distanceToOptimum == nil })
    let both = measured.filter { $0.policy == "lru" }
    #expect(alone.map(\.latency) == both.map(\.latency))
    for lru in alone {
      let fifo = try #require(
        measured.first { $0.policy == "fifo" && $0.capacity == lru.capacity })
      let (latency, reference) = (try #require(lru.latency), try #require(fifo.latency))
      let reduction = try #require(lru.latencyReduction)
      #expect(fifo.latencyReduction == 0)
      #expect(abs(reduction - (1 - Double(latency.total) / Double(reference.total))) < 1e-12)
    }
    // Where a miss takes no time, there is nothing to reduce.
    settings.delay = .requests(0)
    #expect(
      try Self.run(Self.plan("lru", settings: settings)).allSatisfy {
        $0.latency?.mean == 0 && $0.latencyReduction == nil && $0.missRatioReduction != nil
      })
  }

  @Test func cellsOfThePlanAreReused() throws {
    let plan = try Self.plan("fifo,opt,lru,opt:bypass=true", seeds: [1, 2])
    let measured = Self.run(plan)
    #expect(measured.count == 16)
    for measurement in measured {
      if measurement.policy == "fifo" { #expect(measurement.missRatioReduction == 0) }
      if measurement.policyLabel == "opt:bypass=true" {
        #expect(measurement.distanceToOptimum == 0)
      }
      if measurement.policyLabel == "opt" {
        #expect(try #require(measurement.distanceToOptimum) >= 0)
      }
    }
    #expect(
      Self.run(plan, jobs: 1).map(\.distanceToOptimum) == measured.map(\.distanceToOptimum))
  }

  @Test func cacheWithoutLimitIsNotComparedWithAnOptimum() throws {
    let measured = try Self.run(Self.plan("infinite"))
    #expect(measured.allSatisfy { $0.distanceToOptimum == nil && ($0.missRatioReduction ?? 0) > 0 })
    #expect(measured.allSatisfy { $0.evictions == 0 && $0.hits == measured[0].hits })
  }

  @Test func bytesAreComparedWithFIFOOnly() throws {
    let plan = try ExperimentPlan(
      traces: [BoundsExperimentTests.trace], policies: PolicyChoice.parse(["lru"]),
      capacities: [.bytes(10)], settings: .init(isSized: true))
    let measured = Self.run(plan)
    #expect(measured[0].missRatioReduction != nil)
    #expect(measured[0].distanceToOptimum == nil)
  }

  @Test func optimumCountsWhatTheRunCounts() throws {
    let plan = try Self.plan("lru,fifo,random", settings: .init(warmup: 1_000))
    for measurement in Self.run(plan) {
      #expect(try #require(measurement.distanceToOptimum) >= 0)
    }
  }

  @Test func progressCountsThePlansCellsOnly() throws {
    let plan = try Self.plan("lru")
    let cancellation = Cancellation()
    let run = ExperimentRun(Baselines().added(to: plan))
    let finished = run.run(cancellation: cancellation) { progress in
      #expect(progress.totalCells == 2)
      if progress.cells == 1 { cancellation.cancel() }
    }
    #expect(!finished.areAll)
    let measured = finished.measurements
    // The baselines of the finished cell were finished before it.
    #expect(measured.count == 1)
    #expect(measured[0].distanceToOptimum != nil)
  }

  @Test func stoppedBaselinesExplainNothing() throws {
    let plan = try Self.plan("lru", capacities: [.count(20)])
    let measurement = try #require(ExperimentRun(plan).run().measurements.first)
    let cancellation = Cancellation()
    cancellation.cancel()
    let stopped = ExperimentRun(Baselines(explains: true).added(to: plan))
      .run(cancellation: cancellation)
    #expect(stopped.measurements.isEmpty)
    #expect(stopped.explanations(of: [measurement]).isEmpty)
  }

  @Test func rowWithoutItsBaselinesIsNotFinished() throws {
    let plan = Baselines().added(to: try Self.plan("lru", capacities: [.count(20)]))
    #expect(plan.cells.map(\.key.policy) == ["fifo", "opt:bypass=true", "lru"])
    // Of the baselines that come first, the second is stopped midway.
    let cancellation = Cancellation()
    let finished = ExperimentRun(plan).run(cancellation: cancellation) { progress in
      if progress.requests > 4_000 { cancellation.cancel() }
    }
    #expect(finished.measurements.isEmpty && !finished.areAll)
  }

  @Test func replaysAreComparedBySimulation() throws {
    let plan = try Self.plan("lru,fifo", capacities: [.count(100)])
    let replays = try ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [1]).rows(
      of: plan)
    let replayed = Self.run(replays)
    let swept = Self.run(plan)
    #expect(replayed.map(\.missRatioReduction) == swept.map(\.missRatioReduction))
    #expect(replayed.map(\.distanceToOptimum) == swept.map(\.distanceToOptimum))
  }

  @Test func threadsAreComparedWithAsManyThreads() throws {
    func replayed(_ policies: String) throws -> [Measurement] {
      try Self.run(
        ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: [1, 2]).rows(
          of: Self.plan(policies, capacities: [.count(100)])))
    }
    let runs = try replayed("lru,fifo")
    func run(_ policy: String, _ threads: Int) throws -> Measurement {
      try #require(runs.first { $0.policy == policy && $0.replay?.threads == threads })
    }
    let (lru, fifo) = (try run("lru", 2), try run("fifo", 2))
    let misses = (Double(lru.requests - lru.hits), Double(fifo.requests - fifo.hits))
    #expect(fifo.missRatioReduction == 0 && fifo.distanceToOptimum == nil)
    #expect(abs(try #require(lru.missRatioReduction) - (1 - misses.0 / misses.1)) < 1e-12)
    #expect(try run("lru", 1).distanceToOptimum != nil)
    // Without a row of FIFO with as many threads there is nothing to compare with.
    let alone = try replayed("lru").map(\.missRatioReduction)
    #expect(alone[0] != nil && alone[1] == nil)
  }

  @Test func explanationNamesTheBestPolicyAndTheFault() throws {
    let plan = try Self.plan("lru,fifo,opt", capacities: [.count(20), .count(500)])
    let finished = ExperimentRun(Baselines(explains: true).added(to: plan)).run()
    let measured = finished.measurements
    let explanations = finished.explanations(of: measured)
    #expect(explanations.map(\.capacity) == [20, 500])
    #expect(explanations[0].bestPolicy == "lru")
    #expect(explanations[0].bestHitRatio == measured[0].hitRatio)
    let infinite = 1 - Double(plan.traces[0].distinct) / 4000
    #expect(abs(explanations[0].compulsoryMissRatio - (1 - infinite)) < 1e-12)
    #expect(explanations[0].optimumHitRatio.lowerBound >= measured[2].hitRatio ?? 1)
    #expect(explanations[1].text.hasSuffix("as most of them are first requests."))
  }

  @Test func explanationOfBytesUsesTheBounds() throws {
    let plan = try ExperimentPlan(
      traces: [BoundsExperimentTests.trace], policies: PolicyChoice.parse(["lru"]),
      capacities: [.bytes(10)], settings: .init(isSized: true))
    let finished = ExperimentRun(Baselines(explains: true).added(to: plan)).run()
    #expect(
      finished.explanations(of: finished.measurements).map(\.optimumHitRatio) == [0.5...0.5])
  }

  /// Of 8 requests 3 are first ones (1, 2, 3), one comes when no request has told the size, and one when its object is
  /// over; the optimum, in which nothing expires, hits more than an unlimited cache.
  @Test func explanationTellsExpiredObjectsAndUnknownSizesFromFirstRequests() throws {
    let trace = Trace.of(
      [1, 1, 2, 2, 2, 1, 3, 2], name: "t", sizes: [Trace.unknownSize, 4, 4, 4, 4, 4, 4, 4],
      times: (0..<8).map { $0 * 1_000_000_000 }, ttls: [0, 0, 2_000_000_000, 0, 0, 0, 0, 0])
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["lru"]), capacities: [.bytes(100)],
      settings: .init(isSized: true, expires: true))
    let finished = ExperimentRun(Baselines(explains: true).added(to: plan)).run()
    let explanation = try #require(finished.explanations(of: finished.measurements).first)
    #expect(explanation.compulsoryMissRatio == 3.0 / 8)
    #expect(explanation.unknownSizeMissRatio == 1.0 / 8)
    #expect(explanation.expiredMissRatio == 1.0 / 8)
    #expect(explanation.optimumHitRatio == 0.5...0.5)
    #expect(
      explanation.text == """
        t at 100B: the best policy, lru, hits 37.50 %; an unlimited cache hits 37.50 %; of the \
        62.50 % that miss, 37.50 % are first requests, 12.50 % later ones of objects of unknown \
        size, 12.50 % of expired objects and 0.00 % the size's or the policy's: mostly the \
        workload's fault, as most of them are first requests.
        """)
  }

  /// The shares add up to the misses, and no bound is above an unlimited cache.
  @Test func sentenceAddsUpWhereObjectsExpire() {
    func text(_ optimum: Double, _ best: Double, expired: Double = 0.2) -> String {
      Explanation {
        $0.trace = "t"
        $0.capacity = 1 << 20
        $0.unit = .bytes
        $0.compulsoryMissRatio = 0.1
        $0.expiredMissRatio = expired
        $0.optimumHitRatio = optimum...optimum
        $0.bestPolicy = "lru"
        $0.bestHitRatio = best
      }.text
    }
    #expect(
      text(0.6, 0.3) == """
        t at 1MiB: the best policy, lru, hits 30.00 %; no policy could hit more than 60.00 % at \
        this size, an unlimited cache 70.00 %; of the 70.00 % that miss, 10.00 % are first \
        requests, 20.00 % of expired objects, 10.00 % the size's and at most 30.00 % the \
        policy's: more the policy's fault than the working set's, a better policy helps most.
        """)
    let unbounded = text(0.8, 0.3)
    #expect(
      unbounded.contains(
        "hits 30.00 %; an unlimited cache hits 70.00 %; of the 70.00 % that miss, 10.00 % are "
          + "first requests, 20.00 % of expired objects and 40.00 % the size's or the policy's"))
    #expect(unbounded.hasSuffix("which of them is not known where objects expire."))
    // An object that is loaded anew lives longer than one that stays.
    #expect(text(0.8, 0.75).contains("15.00 % of expired objects and 0.00 % the size's or"))
    #expect(
      text(0.5, 0.4, expired: 0.4).hasSuffix("as most of them miss in an unlimited cache, too."))
  }

  @Test func sentenceSaysWhoseFaultItIs() {
    func text(_ compulsory: Double, _ optimum: ClosedRange<Double>, _ best: Double) -> String {
      Explanation {
        $0.trace = "t"
        $0.capacity = 1 << 20
        $0.unit = .bytes
        $0.compulsoryMissRatio = compulsory
        $0.optimumHitRatio = optimum
        $0.bestPolicy = "lru"
        $0.bestHitRatio = best
      }.text
    }
    #expect(
      text(0.1, 0.5...0.6, 0.4) == """
        t at 1MiB: the best policy, lru, hits 40.00 %; no policy could hit more than 60.00 % at \
        this size, an unlimited cache 90.00 %; of the 60.00 % that miss, 10.00 % are first \
        requests, 30.00 % the size's and at most 20.00 % the policy's: more the working \
        set's fault than the policy's, a larger cache helps most.
        """)
    #expect(text(0.1, 0.8...0.8, 0.4).hasSuffix("a better policy helps most."))
    #expect(text(0.1, 0.8...0.8, 0.4).contains("and 40.00 % the policy's"))
    #expect(text(0.5, 0.4...0.4, 0.3).contains("mostly the workload's fault"))
  }
}
