import Experiments
import Parameters
import Results
import Runner
import Testing
import Traces

/// Curves of a plan: exact by simulation, estimated by samples.
@Suite struct CurvePlanTests {
  private let zipf: Trace

  init() throws { zipf = try TraceGenerators.trace("zipf:keys=2000:requests=30000:alpha=0.8") }

  private func curves(
    _ policies: String, _ trace: Trace? = nil,
    _ change: (inout CurvePlan.Options) -> Void = { _ in }
  ) throws -> [MissRatioCurve] {
    var options = CurvePlan.Options()
    change(&options)
    let plan = try CurvePlan(
      trace ?? zipf, policies: PolicyChoice.parse([policies]), options: options)
    return plan.curves(ExperimentRun(plan.cells).run(jobs: 2))
  }

  @Test func exactCurvesEqualASweep() throws {
    let capacities: [Capacity] = [.count(20), .count(200), .count(2_000)]
    let policies = try PolicyChoice.parse(["lru,arc,opt"])
    let plan = try ExperimentPlan(traces: [zipf], policies: policies, capacities: capacities)
    let sweep = ExperimentRun(plan).run(jobs: 2).measurements
    for curve in try curves("lru,arc,opt", nil, { $0.capacities = capacities }) {
      #expect(curve.isExact)
      #expect(
        curve.points.map(\.missRatio)
          == sweep.filter { $0.policy == curve.policy }.map {
            Double($0.requests - $0.hits) / Double($0.requests)
          })
    }
  }

  @Test(arguments: [false, true])
  func curvesAfterAWarmUpEqualASweep(isSized: Bool) throws {
    let warmup = 7_000
    let ids = zipf.ids.map { UInt64($0) }
    let trace = Trace.of(ids, name: "z", sizes: ids.map { 1 + $0 % 7 })
    let capacities: [Capacity] = [.count(20), .count(200), .count(1_000)]
    let policies = try PolicyChoice.parse(["lru,arc,opt"])
    let plan = try ExperimentPlan(
      traces: [trace], policies: policies, capacities: capacities,
      settings: .init(isSized: isSized, warmup: warmup))
    let sweep = ExperimentRun(plan).run(jobs: 2).measurements
    // As many requests would be sampled otherwise.
    let made = try curves("lru,arc,opt", trace) {
      $0.capacities = capacities
      $0.isSized = isSized
      $0.warmup = warmup
      $0.exactRequests = 1_000
      $0.sampledKeys = 500
    }
    #expect(made.count == 3)
    for curve in made {
      #expect(curve.isExact && curve.warmup == warmup && curve.requests == 23_000)
      let runs = sweep.filter { $0.policy == curve.policy }
      #expect(runs.count == 3 && curve.points.map(\.capacity) == runs.map(\.capacity))
      for (point, run) in zip(curve.points, runs) {
        let ratio = Double(run.requests - run.hits) / Double(run.requests)
        #expect(run.requests == 23_000 && abs(point.missRatio - ratio) < 1e-12)
      }
    }
    // In one pass at all sizes.
    if isSized { return }
    let all = try #require(try curves("lru", trace) { $0.warmup = warmup }.first)
    for run in sweep where run.policy == "lru" {
      let ratio = try #require(all.missRatio(at: run.capacity))
      let exact = Double(run.requests - run.hits) / Double(run.requests)
      #expect(abs(ratio - exact) < 0.001)
    }
    #expect(all.warmup == warmup && all.requests == 23_000)
  }

  @Test func aWarmUpLeavesGets() throws {
    let trace = Trace.of([1, 2, 3], name: "t", operations: [.get, .get, .set])
    func refusal(_ warmup: Int) -> String? {
      let error = #expect(throws: PlanError.self) {
        try curves("lru", trace) { $0.warmup = warmup }
      }
      return error?.description
    }
    #expect(refusal(3) == "a warm-up of 3 leaves none of the 3 requests of t; lower it")
    #expect(
      refusal(2)
        == "t: none of its 1 requests is a get, so there is no hit ratio; a curve needs gets after the warm-up"
    )
  }

  @Test func lruHasAllSizesAndOthersTheNumberAskedFor() throws {
    let made = try curves("lru,arc", nil) { $0.points = 6 }
    #expect(made.map(\.method) == [.stackDistances, .simulations])
    #expect(made[0].points.count > 20)
    #expect(made[1].points.count == 6)
    #expect(made[1].points.last?.capacity == zipf.distinct)
    #expect(made[0].points.last?.missRatio == made[1].points.last?.missRatio)
  }

  @Test func admissionIsNoStack() throws {
    let made = try curves("lru,lru:admission=bloom", nil) { $0.points = 4 }
    #expect(made.map(\.method) == [.stackDistances, .simulations])
    #expect(made.map(\.policyLabel) == ["lru", "lru:admission=bloom"])
  }

  @Test func intervalsHoldTheTruthAboutAsOftenAsTheySay() throws {
    let capacities: [Capacity] = [
      .count(280), .count(340), .count(400), .count(800), .count(1_200),
    ]
    let exact = try curves("lru,s3fifo", nil) { $0.capacities = capacities }
    var held = 0
    var widths: [Double] = []
    for seed in 1...30 {
      let made = try curves("lru,s3fifo", nil) {
        $0.capacities = capacities
        $0.rate = 0.2
        $0.seed = seed
      }
      for (curve, truth) in zip(made, exact) {
        #expect(!curve.isExact && abs(curve.rate - 0.2) < 0.05)
        for (point, real) in zip(curve.points, truth.points) {
          let interval = try #require(point.interval)
          #expect(point.capacity == real.capacity && interval.contains(point.missRatio))
          widths.append(interval.upperBound - interval.lowerBound)
          if interval.contains(real.missRatio) { held += 1 }
        }
      }
    }
    #expect(widths.count == 300 && widths.sorted()[150] < 0.15)
    // The points of one curve share their sample, and err together.
    #expect(held >= 285, "\(held) of 300")
  }

  @Test func everyCapacityOfOneScaledSizeHasItsPoint() throws {
    let capacities = [2, 9, 15, 49, 400, 401, 402, 800]
    var options = CurvePlan.Options()
    options.capacities = capacities.map(Capacity.count)
    options.rate = 0.2
    let plan = try CurvePlan(
      zipf, policies: PolicyChoice.parse(["lru,s3fifo"]), options: options)
    let notes = plan.cells.notes
    #expect(notes.count == 1)
    #expect(notes[0].hasPrefix("\(zipf.name), capacities 2, 9, 15"))
    #expect(notes[0].hasSuffix("give --exact"))
    for curve in plan.curves(ExperimentRun(plan.cells).run()) {
      #expect(curve.points.map(\.capacity).suffix(4) == [400, 401, 402, 800])
      #expect((4...5).contains(curve.points.count))
      // Neighbours of one scaled size are as uncertain as each other.
      let widths = try curve.points.suffix(4).map {
        let interval = try #require($0.interval)
        return interval.upperBound - interval.lowerBound
      }
      #expect(widths[1] > 0.5 * widths[0] && widths[1] > 0.5 * widths[2], "\(widths)")
    }
  }

  @Test func otherCapacitiesChangeNoInterval() throws {
    func points(_ capacities: [Int]) throws -> [MissRatioCurve.Point?] {
      try curves("lru,s3fifo") {
        $0.capacities = capacities.map(Capacity.count)
        $0.rate = 0.2
      }.map { curve in curve.points.first { $0.capacity == 400 } }
    }
    let alone = try points([400])
    #expect(try alone == points([395, 400, 405]) && alone == points([100, 400, 1_200]))
    #expect(alone.allSatisfy { $0?.interval != nil })
  }

  @Test func aFormThatDependsOnTheCapacityHasNoIntervals() throws {
    let made = try curves("wtinylfu,wtinylfu:climb=true,wtinylfu:density=true,plru:ways=8") {
      $0.capacities = [.count(400)]
      $0.rate = 0.2
    }
    #expect(made.map { $0.points[0].interval != nil } == [true, true, false, true])
  }

  @Test func timesShrinkWithTheSample() throws {
    let trace = try TraceGenerators.trace("zipf-drift:keys=4000:requests=60000:period=3000")
    let whole = "lhd:interval=2000:age=64"
    let exact = try curves(whole, trace) { $0.capacities = [.count(400)] }
    func meanError(_ specification: String) throws -> Double {
      let errors = try (1...12).map { seed in
        try curves(specification, trace) {
          $0.capacities = [.count(400)]
          $0.rate = 0.1
          $0.seed = seed
        }[0].points[0].missRatio - exact[0].points[0].missRatio
      }
      return errors.reduce(0, +) / 12
    }
    let scaled = try meanError(whole)
    // These become what the whole trace has, in a sample that sees a tenth of the requests.
    let unscaled = try meanError("lhd:interval=20000:age=640")
    #expect(abs(scaled) < 0.02 && abs(scaled) < abs(unscaled), "\(scaled), \(unscaled)")
  }

  @Test func policiesThatDoNotShrinkHaveNoInterval() throws {
    let made = try curves("lfu,lru:admission=tinylfu,lru") {
      $0.capacities = [.count(400)]
      $0.rate = 0.2
    }
    #expect(made.map { $0.points[0].interval != nil } == [false, true, true])
    try #require(made.count == 3)
    let widths = made.dropFirst().compactMap { curve in
      curve.points[0].interval.map { $0.upperBound - $0.lowerBound }
    }
    #expect(try #require(widths.first) > 0.01)
  }

  @Test func partsThatHoldFewObjectsGiveNoInterval() throws {
    let made = try curves("lru,s3fifo", nil) {
      $0.capacities = [.count(80), .count(400)]
      $0.rate = 0.2
    }
    for curve in made { #expect(curve.points.map { $0.interval != nil } == [false, true]) }
  }

  @Test func noIntervalOfASampleIsOfZeroWidth() throws {
    // Each key is requested once: every key of a sample misses alike.
    let trace = try TraceGenerators.trace("scan:requests=20000")
    let made = try curves("fifo", trace) {
      $0.capacities = [.count(800)]
      $0.rate = 0.2
    }
    let interval = try #require(made[0].points[0].interval)
    #expect(interval.upperBound - interval.lowerBound > 0)
  }

  @Test func smallestCapacitiesOfASampleHoldTheTruth() throws {
    let capacities: [Capacity] = [.count(280), .count(284), .count(290), .count(300)]
    let exact = try curves("lru,s3fifo", nil) { $0.capacities = capacities }
    var (held, all) = (0, 0)
    for seed in 1...30 {
      let made = try curves("lru,s3fifo", nil) {
        $0.capacities = capacities
        $0.rate = 0.2
        $0.seed = seed
      }
      for (curve, truth) in zip(made, exact) {
        for point in curve.points {
          let real = try #require(truth.points.first { $0.capacity == point.capacity })
          all += 1
          if try #require(point.interval).contains(real.missRatio) { held += 1 }
        }
      }
    }
    #expect(all > 200 && Double(held) >= 0.88 * Double(all), "\(held) of \(all)")
  }

  @Test func sampleThatIsTooSmallIsRefused() throws {
    let error = #expect(throws: PlanError.self) {
      try curves("lru", nil) {
        $0.rate = 0.05
        $0.capacities = [.count(20), .count(100)]
      }
    }
    #expect(error?.description.hasSuffix("give --rate 0.13 or more, or --exact") == true)
    #expect(error?.kind == .usage)
    #expect(throws: PlanError.self) { try curves("lru,arc", nil) { $0.rate = 0.002 } }
  }

  @Test func longTracesAreSampledUnlessAllIsAskedFor() throws {
    let sampled = try curves("lru", nil) {
      $0.exactRequests = 1_000
      $0.sampledKeys = 500
    }
    #expect(sampled[0].rate < 0.5 && sampled[0].points.count == 25)
    let whole = try curves("lru", nil) {
      $0.exactRequests = 1_000
      $0.rate = 1
    }
    #expect(whole[0].isExact && whole[0].points[0].interval == nil)
  }

  @Test func bytesAreSimulated() throws {
    let trace = Trace.of([1, 2, 1, 3, 1, 2], name: "t", sizes: [10, 20, 10, 30, 10, 20])
    let made = try curves("lru", trace) {
      $0.isSized = true
      $0.capacities = [.bytes(30), .bytes(60)]
    }
    #expect(made[0].unit == .bytes && made[0].method == .simulations)
    #expect(made[0].points.map(\.missRatio) == [5.0 / 6, 0.5])
    #expect(throws: PlanError.self) { try curves("lru", nil) { $0.isSized = true } }
  }

  @Test func cancelledCurvesAreLeftOut() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let plan = try CurvePlan(zipf, policies: PolicyChoice.parse(["lru,arc"]))
    let stopped = ExperimentRun(plan.cells).run(cancellation: cancellation)
    #expect(plan.curves(stopped).isEmpty)
  }

  @Test func cheapestIsTheLeastSum() throws {
    let curve = MissRatioCurve(
      trace: "t", policy: "lru", method: .stackDistances, requests: 1_000,
      points: [
        .init(capacity: 1 << 10, missRatio: 0.9), .init(capacity: 1 << 20, missRatio: 0.5),
        .init(capacity: 1 << 22, missRatio: 0.45),
      ])
    // Memory: 2⁻¹⁰, 1, 4 GiB; misses: 900, 500, 450.
    func cheapest(_ perGiB: Double, _ perMiss: Double) throws -> CheapestCapacity {
      try #require(
        CachePrice(perGiB: perGiB, perMiss: perMiss, bytesPerObject: 1_024).cheapest(of: curve))
    }
    let middle = try cheapest(10, 0.5)
    #expect(middle.capacity == 1 << 20 && middle.memory == 10 && middle.misses == 250)
    #expect(middle.total == 260)
    #expect(try cheapest(1_000, 0.5).capacity == 1 << 10)
    #expect(try cheapest(0.1, 0.5).capacity == 1 << 22)
    #expect(
      try cheapest(0, 0).capacity == 1 << 10, "the smallest of those that cost the same")
  }
}
