import Comparison
import Experiments
import Parameters
import RecordedTraces
import Results
import Runner
import Testing
import Traces

/// Cells in other orders, from other beginnings and at other sizes.
@Suite struct VariationTests {
  private static let kinds = [
    Variation(.order, model: "window", extent: 16, number: 0),
    Variation(.beginning, extent: 0.1, number: 0), Variation(.size, extent: 0.25, number: 0),
  ]

  private func results(
    _ variations: Variations, policies: String = "lru,lirs,fifo", jobs: Int = 1
  ) throws -> ResultSet {
    let trace = try WholeTraces.load("history.txt.zst", limit: 20_000)
    var request = ExperimentRequest(
      SweepExperiment(), policies: try PolicyChoice.parse([policies]),
      capacities: [.count(100), .count(4)], settings: ExperimentPlan.Settings())
    request.variations = variations
    request.baselines = Baselines()
    let plan = request.addingBaselines(
      to: try request.kind.plan(request, on: [trace], part: nil))
    var results = ResultSet(environment: Environment())
    let finished = ExperimentRun(plan).run(jobs: jobs)
    #expect(finished.areAll)
    finished.add(to: &results)
    return results
  }

  @Test func everyCellIsRunInEveryVariation() throws {
    let plain = try results(.none)
    let varied = try results(Variations(Self.kinds, count: 3))
    #expect(varied.measurements.count == plain.measurements.count * 10)
    #expect(Set(varied.measurements.map { CellKey($0) }).count == varied.measurements.count)
    // A run as it was asked for is the same with others beside it.
    let recorded = varied.recorded.measurements
    #expect(recorded.map(\.hits) == plain.measurements.map(\.hits))
    #expect(recorded.map(\.missRatioReduction) == plain.measurements.map(\.missRatioReduction))
    #expect(recorded.allSatisfy { $0.spreads.map(\.runs) == [3, 3, 3] })
    for run in varied.measurements {
      switch run.variation?.kind {
      case nil, .order, .size: #expect(run.requests == 20_000)
      case .beginning: #expect((18_000...20_000).contains(run.requests))
      }
    }
    // FIFO is measured against FIFO in the same variation.
    let fifo = varied.measurements.filter { $0.policy == "fifo" }
    #expect(fifo.allSatisfy { $0.missRatioReduction == 0 })
  }

  @Test func threadsChangeNothing() throws {
    let variations = Variations(Self.kinds, count: 2)
    let (one, two) = (try results(variations), try results(variations, jobs: 3))
    #expect(one.measurements.map(\.hits) == two.measurements.map(\.hits))
  }

  /// A quarter less than 4 is 3, at which LIRS does not run.
  @Test func sizesStayLargeEnough() throws {
    let sizes = Variations([Variation(.size, extent: 0.5, number: 0)], count: 20)
    let runs = try results(sizes, policies: "lirs").measurements
    #expect(Set(runs.map(\.capacity)) == [4, 100] && runs.count == 42)
    #expect(Set(runs.filter { $0.capacity == 100 }.map(\.hits)).count > 5)
  }

  /// Each point of a curve in another order, or from another beginning, is what a sweep counts there.
  @Test func curvesEqualSweeps() throws {
    let trace = try WholeTraces.load("history.txt.zst", limit: 20_000)
    let variations = Variations(Array(Self.kinds.prefix(2)), count: 3)
    let capacities: [Capacity] = [.count(7), .count(100), .count(2_000)]
    var options = CurvePlan.Options()
    options.capacities = capacities
    options.variations = variations
    let policies = try PolicyChoice.parse(["lru,lirs,opt"])
    let plan = try CurvePlan(trace, policies: policies, options: options)
    let curves = plan.curves(ExperimentRun(plan.cells).run(jobs: 2))
    #expect(curves.count == 3 * 7)
    var request = ExperimentRequest(
      SweepExperiment(), policies: policies, capacities: capacities,
      settings: ExperimentPlan.Settings())
    request.variations = variations
    let sweep = ExperimentRun(try request.kind.plan(request, on: [trace], part: nil)).run()
      .measurements
    for curve in curves {
      let runs = sweep.filter { $0.policy == curve.policy && $0.variation == curve.variation }
      #expect(curve.points.count == 3 && runs.count == 3)
      for (point, run) in zip(curve.points, runs) {
        let missRatio = Double(run.requests - run.hits) / Double(run.requests)
        #expect(abs(point.missRatio - missRatio) < 1e-12, "\(CellKey(curve).label)")
      }
    }
    // LRU at all sizes passes through the same points.
    options.capacities = []
    let whole = try CurvePlan(trace, policies: PolicyChoice.parse(["lru"]), options: options)
    for curve in whole.curves(ExperimentRun(whole.cells).run(jobs: 2)) {
      let some = curves.first { $0.policy == "lru" && $0.variation == curve.variation }
      for point in some?.points ?? [] {
        #expect(abs((curve.missRatio(at: point.capacity) ?? 0) - point.missRatio) < 1e-3)
      }
    }
    var document = ResultSet(environment: Environment())
    document.curves = curves
    let recorded = document.recorded.curves
    #expect(recorded.map(\.policy) == ["lru", "lirs", "opt"])
    #expect(recorded.allSatisfy { $0.points.allSatisfy { $0.spreads.map(\.runs) == [3, 3] } })
  }

  @Test func aSampleHasNoOtherOrders() throws {
    let trace = try WholeTraces.load("history.txt.zst", limit: 20_000)
    var options = CurvePlan.Options()
    options.variations = Variations(Array(Self.kinds.prefix(1)), count: 2)
    options.exactRequests = 10
    options.sampledKeys = 100
    let policies = try PolicyChoice.parse(["lru"])
    #expect(try CurvePlan(trace, policies: policies, options: options).cells.cells.count == 3)
    options.rate = 0.5
    #expect(throws: PlanError.self) {
      try CurvePlan(trace, policies: policies, options: options)
    }
  }

  /// Prompts change places whole, those of a session not among themselves, and the optimum is of the same order.
  @Test func promptsStayWhole() throws {
    var (keys, starts, lengths): ([UInt64], [Int], [PromptLengths]) = ([], [], [])
    var random = RandomSource(seed: 7)
    for _ in 0..<600 {
      starts.append(keys.count)
      let chain = UInt64.random(in: 0..<40, using: &random)
      let depth = UInt64.random(in: 1...5, using: &random)
      keys += (0..<depth).map { chain * 10 + $0 }
      lengths.append(PromptLengths(input: Int(depth) * 4))
    }
    let trace = Trace.of(
      keys, groupStarts: starts,
      prompts: PromptColumns(
        blockTokens: 4, lengths: lengths, sessions: (0..<600).map { UInt32($0 % 3) }))
    var request = ExperimentRequest(
      PrefixExperiment(PrefixSetup(.own), bytesPerToken: nil, hasOptimum: true),
      policies: try PolicyChoice.parse(["lru,fifo"]), capacities: [.count(40)],
      settings: ExperimentPlan.Settings())
    request.variations = Variations(Self.kinds, count: 3)
    let plan = try request.kind.plan(request, on: [trace], part: nil)
    let runs = ExperimentRun(plan).run(jobs: 2).measurements
    #expect(runs.count == 2 * 10)
    #expect(Set(runs.map { CellKey($0) }).count == runs.count)
    for run in runs {
      if run.variation?.kind != .beginning { #expect(run.prefix?.blocks == keys.count) }
      #expect((run.distanceToOptimum ?? -1) >= 0)
    }
    #expect(Set(runs.filter { $0.variation?.kind == .order }.map(\.hits)).count > 2)
    // Workers have the prompts in the order of the variation.
    for router in ["round-robin", "longest-prefix"] {
      request.kind = PrefixExperiment(
        PrefixSetup(.own, workers: 4, router: router), bytesPerToken: nil, hasOptimum: true)
      let divided = ExperimentRun(try request.kind.plan(request, on: [trace], part: nil)).run(
        jobs: 2)
      #expect(divided.measurements.count == 2 * 10)
      for run in divided.measurements {
        #expect(run.prefix?.hitsByWorker.reduce(0, +) == run.hits)
        #expect(run.prefix?.tokensByWorker.reduce(0, +) == run.prefix?.tokens)
        #expect((run.distanceToOptimum ?? -1) >= 0)
        #expect(run.hits <= run.prefix?.hindsightHitBlocks ?? -1)
      }
      let reordered = divided.measurements.filter { $0.variation?.kind == .order }
      #expect(Set(reordered.map(\.prefix?.tokensByWorker)).count > 1)
    }
    request.kind = PrefixExperiment(PrefixSetup(.own), bytesPerToken: nil, hasOptimum: true)
    // With one session nothing changes places.
    let single = Trace.of(
      keys, groupStarts: starts,
      prompts: PromptColumns(
        blockTokens: 4, lengths: lengths, sessions: [UInt32](repeating: 0, count: 600)))
    request.variations = Variations(Array(Self.kinds.prefix(1)), count: 3)
    let still = ExperimentRun(try request.kind.plan(request, on: [single], part: nil)).run()
    let hits = still.measurements.grouped(by: \.policy).map { Set($0.map(\.hits)).count }
    #expect(hits == [1, 1])
  }

  @Test func noVariationIsAPlanOfOldPositions() throws {
    let plan = PlanRecord {
      $0.traces = [.init(name: "t", bytes: nil)]
      $0.capacities = ["1", "2"]
      $0.policies = ["lru", "arc"]
      $0.seeds = [1, 2]
    }
    #expect(plan.positions == 8)
    var varied = plan
    varied.variations = Variations(Self.kinds, count: 2).all
    #expect(varied.positions == 8 * 7)
    #expect(varied.difference(from: plan)?.text == "variations")
  }
}
