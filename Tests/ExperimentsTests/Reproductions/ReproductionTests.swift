import Experiments
import RecordedTraces
import Testing

/// Published tables come out cell by cell, but for the cells that are known not to.
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
    // Whoever mends a row also takes its reason away.
    let differing = reproduction.cells.filter {
      if case .differs = $0.published.standing { true } else { false }
    }
    for (row, cells) in Dictionary(grouping: differing, by: { Row($0.published) }) {
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

  @Test func aCellIsJudgedByItsStanding() throws {
    let cells = PublishedTables.all.flatMap(\.cells)
    let sure = try #require(cells.first { $0.standing == .comesOut && $0.measure == .hitPercent })
    let tuned = try #require(cells.first { $0.standing == .tunedOffline })
    let differing = try #require(
      cells.first { if case .differs = $0.standing { true } else { false } })

    #expect(!Reproduction.Cell(published: sure, computed: nil).isFailure)
    #expect(Reproduction.Cell(published: sure, computed: sure.printed).verdict == "equal")
    let wrong = Reproduction.Cell(published: sure, computed: "99.99")
    #expect(wrong.isFailure)
    #expect(wrong.verdict.hasPrefix("different by +"))
    let other = Reproduction.Cell(published: tuned, computed: "99.99")
    #expect(!other.isFailure)
    #expect(other.verdict.hasPrefix("tuned offline by its authors; different by +"))
    let explained = Reproduction.Cell(published: differing, computed: "0.00")
    #expect(!explained.isFailure)
    guard case .differs(let reason) = differing.standing else { return }
    #expect(explained.verdict.hasSuffix(reason))
  }

  @Test func aTableWithoutItsTracesIsSkipped() throws {
    let reproduction = try Reproduction(PublishedTables.all[0], path: { _ in nil })
    #expect(reproduction.cells.allSatisfy { $0.computed == nil && !$0.isFailure })
    #expect(reproduction.cells.allSatisfy { $0.verdict == "skipped: the trace is not here" })
  }
}
