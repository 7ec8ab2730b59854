import Experiments
import RecordedTraces
import Runner
import Testing

/// Published tables come out cell by cell, or differ by exactly what is stated.
@Suite struct ReproductionTests {
  @Test(.inReleaseBuilds, .withPublicTraces, arguments: PublishedTables.all.map(\.id))
  func everyTableComesOut(id: String) throws {
    let table = try #require(PublishedTables.all.first { $0.id == id })
    let folder = try #require(WholeTraces.publicFolder)
    let reproduction = try Reproduction(table, path: { "\(folder)/\($0)" })
    for cell in reproduction.cells {
      let place = "\(cell.published.policy) at \(cell.published.capacity)"
      #expect(cell.computed != nil, "\(place)")
      #expect(!cell.isFailure, "\(place): \(cell.published.printed) became \(cell.verdict)")
    }
    // Anyone who mends a row also takes its reason away.
    let explained = reproduction.cells.filter { $0.published.reason != nil }
    for (row, cells) in Dictionary(grouping: explained, by: { Row($0.published) }) {
      #expect(cells.contains { !$0.isEqual }, "every cell of \(row) comes out now")
    }
  }

  private struct Row: Hashable {
    let trace: String
    let policy: String
    let measure: PublishedTable.Measure

    init(_ cell: PublishedTable.Cell) {
      (trace, policy, measure) = (cell.trace, cell.policy, cell.measure)
    }
  }

  private func cell(
    _ measure: PublishedTable.Measure, printed: String, expected: [Int], reason: String? = nil
  ) -> PublishedTable.Cell {
    PublishedTable.Cell(
      trace: "t", traceFormat: nil, policy: "lru", capacity: "10", measure: measure,
      printed: printed, expected: expected, reason: reason)
  }

  @Test func oneHitMoreFailsACellThatRoundsToTheSame() {
    let published = cell(.hitPercent, printed: "50.00", expected: [50_000])
    let equal = Reproduction.Cell(published: published, counts: [50_000], requests: 100_000)
    #expect(!equal.isFailure)
    #expect(equal.verdict == "equal")
    let changed = Reproduction.Cell(published: published, counts: [50_001], requests: 100_000)
    #expect(changed.computed == "50.00")
    #expect(changed.isFailure)
    #expect(changed.verdict == "changed: hits became 50001, expected 50000")
  }

  @Test func oneHitMoreFailsAnExplainedCell() {
    let published = cell(.misses, printed: "100", expected: [90], reason: "another order")
    let explained = Reproduction.Cell(published: published, counts: [90])
    #expect(!explained.isFailure)
    #expect(explained.verdict == "different by −10: another order")
    #expect(Reproduction.Cell(published: published, counts: [89]).isFailure)
  }

  @Test(arguments: [
    ("16.5", 164_734), ("16.47", 164_734), ("0.0", 0), ("0.05", 500), ("100", 999_999),
  ])
  func aRatioHasAsManyDecimalsAsThePrintedOne(_ printed: String, hits: Int) {
    let published = cell(.hitPercent, printed: printed, expected: [hits])
    let equal = Reproduction.Cell(published: published, counts: [hits], requests: 1_000_000)
    #expect(equal.computed == printed)
  }

  @Test func aDifferenceWithoutReasonFails() {
    let published = cell(.misses, printed: "100", expected: [90])
    #expect(Reproduction.Cell(published: published, counts: [90]).isFailure)
  }

  @Test func aPolicyThatDrawsIsJudgedByItsSeeds() throws {
    let near = cell(.misses, printed: "103", expected: [99, 101, 100])
    let equal = Reproduction.Cell(published: near, counts: [99, 101, 100])
    // The mean of three varies, too: 3 over √(1 + 1/3).
    #expect(abs((equal.zScore ?? 0) - 2.598) < 0.001)
    #expect(equal.computed == "100")
    #expect(!equal.isFailure)
    #expect(equal.verdict == "z = 2.60 over 3 seeds")
    // Another order of the same counts is another run.
    #expect(Reproduction.Cell(published: near, counts: [101, 99, 100]).isFailure)

    let far = cell(.misses, printed: "110", expected: [99, 101, 100], reason: "another sample")
    let explained = Reproduction.Cell(published: far, counts: [99, 101, 100])
    #expect(!explained.isFailure)
    #expect(explained.verdict == "z = 8.66 over 3 seeds: another sample")
    let unexplained = cell(.misses, printed: "110", expected: [99, 101, 100])
    #expect(Reproduction.Cell(published: unexplained, counts: [99, 101, 100]).isFailure)
  }

  @Test func seedsWithoutSpreadAreComparedExactly() {
    let published = cell(.misses, printed: "7", expected: [7, 7])
    #expect(Reproduction.Cell(published: published, counts: [7, 7]).isEqual)
    let other = cell(.misses, printed: "8", expected: [7, 7], reason: "r")
    #expect(Reproduction.Cell(published: other, counts: [7, 7]).verdict == "z = ∞ over 2 seeds: r")
  }

  @Test func aMissRatioIsWrittenAsItWasPrinted() {
    let printed = cell(.missRatio, printed: "0.8174", expected: [93_079])
    let computed = Reproduction.Cell(published: printed, counts: [93_079], requests: 113_872)
    #expect(computed.computed == "0.8174" && computed.verdict == "equal" && !computed.isFailure)
    let changed = Reproduction.Cell(published: printed, counts: [93_080], requests: 113_872)
    #expect(changed.verdict == "changed: misses became 93080, expected 93079")
  }

  @Test func everySourceNamesACommitOrWhereAndWhenItWasPrinted() {
    for table in PublishedTables.all {
      let isCommit = table.edition.contains(/commit [0-9a-f]{40}\b/)
      let hasDate = table.edition.contains(/\b(19|20)[0-9]{2}\b/)
      let hasPlace = table.source.contains(/(pull request|issue) [0-9]+|[A-Z]{4,} (19|20)[0-9]{2}/)
      // A program that was run is its release.
      let isRelease = table.edition.contains(/version [0-9.]+ on PyPI/)
      #expect(isCommit || hasDate && (hasPlace || isRelease), "\(table.id)")
    }
  }

  @Test func aTableWithoutItsTracesIsSkipped() throws {
    let reproduction = try Reproduction(PublishedTables.all[0], path: { _ in nil })
    #expect(reproduction.cells.allSatisfy { $0.counts == nil && !$0.isFailure })
    #expect(reproduction.cells.allSatisfy { $0.verdict == "skipped: the trace is not here" })
  }
}
