import Experiments
import Parameters
import ResultSamples
import Results
import Runner
import Testing
import Traces

/// Bounds of a plan's capacities.
@Suite struct BoundsExperimentTests {
  static let trace = Trace.of(
    [1, 2, 1, 3, 2, 1, 4, 1], name: "t", sizes: [4, 6, 4, 5, 6, 4, 9, 4])

  private static func plan(_ capacities: [Capacity], isSized: Bool = false) throws -> ExperimentPlan
  {
    let request = ExperimentRequest(
      BoundsExperiment(), policies: BoundsExperiment.policies, capacities: capacities,
      settings: .init(isSized: isSized))
    return try request.kind.plan(request, on: [trace], part: nil)
  }

  @Test func bothBoundsAreTheOptimumWhereEveryObjectCountsOne() throws {
    let plan = try Self.plan([.count(1), .count(2)])
    let results = ExperimentRun(plan).run(jobs: 2).measurements
    // Object 1 stays; beside it 2 is requested twice.
    #expect(results.map(\.hits) == [3, 4])
    #expect(results.map(\.hitRatioBounds) == [0.375...0.375, 0.5...0.5])
    #expect(results.allSatisfy { $0.byteHitRatioBounds == nil && $0.policy == "optimum" })
    #expect(results.allSatisfy { $0.kind == .bounds && $0.parameters.isEmpty })
  }

  @Test func bytesAreBoundedForHitsAndForBytes() throws {
    let plan = try Self.plan([.bytes(10), .bytes(100)], isSized: true)
    let results = ExperimentRun(plan).run().measurements
    #expect(results.map(\.capacity) == [10, 100])
    #expect(results.allSatisfy { $0.unit == .bytes && $0.requests == 8 })
    // 1 and 2 fit together; 3 and 4 come once.
    #expect(results.map(\.hitRatioBounds) == [0.5...0.5, 0.5...0.5])
    let bytes = 18.0 / 42
    #expect(results.map(\.byteHitRatioBounds) == [bytes...bytes, bytes...bytes])
  }

  @Test func cancelledRunKeepsNothingUnfinished() throws {
    let plan = try Self.plan([.count(1), .count(2)])
    let cancellation = Cancellation()
    let finished = ExperimentRun(plan).run(cancellation: cancellation) {
      if $0.cells == 1 { cancellation.cancel() }
    }
    #expect(finished.measurements.count == 1 && !finished.areAll)
    #expect(ExperimentRun(plan).run(cancellation: cancellation).measurements.isEmpty)
  }

  @Test func intervalsAreReadBack() throws {
    let plan = try Self.plan([.bytes(9)], isSized: true)
    let results = ResultSet(
      environment: ResultSamples.environment, measurements: ExperimentRun(plan).run().measurements)
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
    let broken = results.json.document.replacing(
      "\"hitRatioBounds\": [", with: "\"hitRatioBounds\": [2, ")
    #expect(throws: ResultSetError.self) { try ResultSet(reading: broken.utf8, file: "x") }
  }
}
