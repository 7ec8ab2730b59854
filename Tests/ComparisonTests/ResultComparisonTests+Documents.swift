import Comparison
import Results
import Testing

/// Facts of documents beside the counts of their runs: orders, gets of traces, machines, speeds.
extension ResultComparisonTests {
  @Test func changedHitsStandBesideThoseOfOtherOrders() {
    func runs(_ hits: Int) -> [Results.Measurement] {
      [nil, 1, 2].map { (number: Int?) in
        var run = Self.cell("lru", hits: number.map { 49 + 2 * $0 } ?? hits)
        run.variation = number.map {
          Variation(.order, model: "window", extent: 4, number: $0)
        }
        return run
      }
    }
    let differences = Self.compare(runs(50), runs(48)).differences
    #expect(differences.map(\.figure).first == "hits")
    #expect(differences.first?.reason == "other orders ± 1.4 points")
    #expect(Self.compare(runs(50), runs(50)).differences.isEmpty)
  }

  /// Before gets were counted, documents said nothing of operations.
  @Test func olderDocumentsOfATraceWithOperationsAreCompared() {
    var before = Self.document([Self.cell("lru")])
    var after = before
    after.traces[0].hasOperations = true
    after.traces[0].gets = 70
    after.traces[0].firstGets = 20
    #expect(ResultComparison(before: before, after: after).differences.isEmpty)
    before.traces[0].gets = 69
    #expect(!ResultComparison(before: before, after: after).differences.isEmpty)
  }

  @Test func timesOfSeveralMachinesAreNotCompared() {
    var mixed = Self.environment
    mixed.others = ["1 (build 2) on another processor"]
    let before = Self.cell("lru", speed: SpeedFigures(instructions: 1000, ratios: Self.calm))
    let after = Self.cell(
      "lru", speed: SpeedFigures(instructions: 2000, ratios: Self.calm.map { 2 * $0 }))
    let comparison = ResultComparison(
      before: Self.document([before]), after: Self.document([after], environment: mixed))
    #expect(comparison.differences.isEmpty)
    #expect(comparison.omissions.map(\.figure) == ["instructions", "times"])
    #expect(comparison.omissions.allSatisfy { $0.reason.contains("on another processor, too") })
  }

  @Test func speedIsReadBackAsItWas() throws {
    let results = Self.document([
      Self.cell("lru", speed: SpeedFigures(instructions: 7, ratios: [1.5, 2])),
      Self.cell("arc", speed: SpeedFigures(ratios: [])),
    ])
    #expect(try ResultSet(reading: results.json.document.utf8, file: "x") == results)
  }
}
