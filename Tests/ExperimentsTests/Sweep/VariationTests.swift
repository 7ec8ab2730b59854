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
