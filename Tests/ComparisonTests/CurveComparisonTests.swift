import Comparison
import Results
import Testing

/// Curves of two documents, point by point.
@Suite struct CurveComparisonTests {
  private static func curve(_ ratios: [Int: Double], rate: Double = 1) -> MissRatioCurve {
    MissRatioCurve(
      trace: "t", policy: "lru", method: .stackDistances, rate: rate, requests: 100,
      points: ratios.keys.sorted().map { .init(capacity: $0, missRatio: ratios[$0] ?? 0) })
  }

  private func compare(_ before: [MissRatioCurve], _ after: [MissRatioCurve]) -> ResultComparison {
    var documents = [ResultComparisonTests.document([]), ResultComparisonTests.document([])]
    documents[0].curves = before
    documents[1].curves = after
    return ResultComparison(before: documents[0], after: documents[1])
  }

  private let before = curve([10: 0.8, 20: 0.5, 30: 0.25])

  @Test func equalCurvesAreCompared() {
    let judgement = Judgement.gate(compare([before], [before]))
    #expect(!judgement.hasFailed)
    #expect(judgement.summary == "1 run compared: nothing differs")
  }

  @Test func oneOtherPointFails() {
    let after = Self.curve([10: 0.8, 20: 0.51, 30: 0.25])
    let comparison = compare([before], [after])
    let cell = CellKey(before)
    #expect(
      comparison.differences == [
        Difference(cell, "miss ratio", before: 0.5, after: 0.51, .changed, reason: "at 20")
      ])
    #expect(Judgement.gate(comparison).hasFailed)
  }

  @Test func theLargestStepStandsForManyPoints() {
    let comparison = compare([before], [Self.curve([10: 0.81, 20: 0.4, 30: 0.25])])
    #expect(comparison.differences.map(\.before) == [0.5])
    #expect(comparison.differences.map(\.reason) == ["at 20, most of 2 points in 3"])
  }

  @Test func intervalsBelongToPoints() {
    var after = before
    after.points[1].interval = 0.4...0.6
    let comparison = compare([before], [after])
    #expect(comparison.differences.map(\.reason) == ["at 20, only in its interval"])
  }

  @Test func missingCapacitiesFailAndMoreDoNot() {
    let few = Self.curve([10: 0.8, 30: 0.25])
    let lost = Judgement.gate(compare([before], [few]))
    #expect(lost.hasFailed)
    #expect(lost.items.map(\.difference.reason) == ["1 of 3 capacities missing"])
    let gained = Judgement.gate(compare([few], [before]))
    #expect(!gained.hasFailed)
    #expect(gained.items.map(\.difference.reason) == ["1 of 3 capacities"])
  }

  @Test func missingCurvesFail() throws {
    let other = Self.curve([10: 0.8], rate: 0.25)
    let judgement = Judgement.gate(compare([before, other], [before]))
    #expect(judgement.hasFailed)
    let report = try #require(ComparisonReports.form(named: "github"))
    let text = report.render(judgement, style: .plain)
    #expect(
      text.contains("lru curve, 25 %25 of the keys on t: the curve is missing\n"), "\(text)")
    #expect(judgement.summary == "1 of 2 runs compared: 1 failure")
  }

  @Test func otherRequestsAreFound() {
    var after = before
    after.requests = 99
    #expect(compare([before], [after]).differences.map(\.figure) == ["requests"])
  }

  @Test func anotherTraceIsNotCompared() {
    var documents = [ResultComparisonTests.document([]), ResultComparisonTests.document([])]
    documents[0].curves = [before]
    documents[1].curves = [Self.curve([10: 0.1])]
    documents[1].traces[0].sha256 = "b"
    let judgement = Judgement.gate(
      ResultComparison(before: documents[0], after: documents[1]))
    #expect(judgement.items.map(\.difference.figure) == ["trace"])
    #expect(judgement.hasFailed)
  }

  @Test func documentSaysThatItIsACurve() throws {
    let judgement = Judgement.gate(compare([before], []))
    let report = try #require(ComparisonReports.form(named: "json"))
    let text = report.render(judgement, style: .plain)
    #expect(text.contains("\"kind\": \"curve\", \"policy\": \"lru\""), "\(text)")
    #expect(text.contains("\"figure\": \"curve\""), "\(text)")
  }
}
