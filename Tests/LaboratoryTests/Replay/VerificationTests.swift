import Eviction
import Laboratory
import Synchronization
import Testing

/// What a verification finds, and how it says so.
@Suite struct VerificationTests {
  /// A mutex that leaves out every tenth body, as if the cache had forgotten what it was told.
  private final class ForgetfulLock: CacheLock {
    static let information = LockInformation(name: "forgetful", summary: "leaves out every tenth")

    private let taken = Mutex(0)

    func withLock(_ body: () -> Void) {
      taken.withLock { taken in
        taken += 1
        if taken % 10 != 0 { body() }
      }
    }

    /// Whoever shares the lock needs an answer.
    func withSharedLock(_ body: () -> Void) { taken.withLock { _ in body() } }
  }

  private func session(
    _ policies: String, lock: any CacheLock.Type, requests: Int = 20_000
  ) throws -> ReplaySession {
    let trace = try WholeTraces.load("orders.txt.zst", limit: requests)
    let plan = try SweepPlan(
      traces: [trace], policies: PolicyChoice.parse([policies]), capacities: [.count(1_000)])
    return try ReplaySession(plan, locks: [lock], threads: [2])
  }

  @Test func wrongValueEndsTheVerificationAndIsReported() throws {
    let session = try session("lru,arc", lock: ForgetfulLock.self)
    let cells = try session.verify()
    #expect(cells.map(\.policy) == ["lru"])
    let report = VerificationReport(cells, isComplete: cells.count == session.count)
    let violation = try #require(report.violation)
    #expect(
      violation.contains(
        /^orders.txt.zst, lru at 1000 behind forgetful, strict reads, 2 threads, seed 42: key \d+: read an older value/
      ), "\(violation)")
    #expect(!violation.contains("\n"))
    let document = try JSON(reading: report.document.utf8)
    #expect(document["passed"] == .boolean(false) && document["complete"] == .boolean(false))
    guard case .array(let rows) = document["cells"],
      case .array(let found) = rows.first?["violations"]
    else {
      Issue.record("no violations in \(report.document)")
      return
    }
    #expect(rows.count == 1 && (1...2).contains(found.count))
    let row = report.table.text().split(separator: "\n").last
    #expect(row?.hasSuffix(" \(found.count)") ?? false, "\(report.table.text())")
  }

  @Test func documentHoldsWhatWasJudged() throws {
    let session = try session("lru,arc", lock: MutexLock.self, requests: 2_000)
    let report = VerificationReport(try session.verify(), environment: ResultSetTests.environment)
    #expect(report.violation == nil)
    let document = try JSON(reading: report.document.utf8)
    #expect(document["schema"] == "evictionlab.verification/1")
    #expect(document["passed"] == .boolean(true) && document["complete"] == nil)
    #expect(document["environment"]?["os"] == "Linux")
    guard case .array(let rows) = document["cells"] else {
      Issue.record("no cells in \(report.document)")
      return
    }
    #expect(rows.map { $0["policy"] } == ["lru", "arc"])
    for (row, cell) in zip(rows, report.cells) {
      #expect(row["trace"] == "orders.txt.zst" && row["capacity"] == .integer(1_000))
      #expect(row["seed"] == .integer(42) && row["threads"] == .integer(2))
      #expect(row["lock"] == "mutex" && row["reads"] == "strict")
      #expect(row["operations"] == .integer(cell.operations) && cell.operations >= 2_000)
      #expect(row["judged"] == .integer(cell.judged) && cell.judged > 0)
    }
  }

  @Test(arguments: [nil, 0.01])
  func progressRisesToTheEnd(seconds: Double?) throws {
    let session = try session("lru,arc", lock: MutexLock.self, requests: 2_000)
    let seen = Mutex([VerificationProgress]())
    let cells = try session.verify(
      seconds: seconds, progress: { progress in seen.withLock { $0.append(progress) } })
    #expect(cells.count == 2)
    let all = seen.withLock { $0 }
    #expect(!all.isEmpty)
    for progress in all {
      #expect((0...1).contains(progress.fraction) && progress.totalCells == 2)
      let begun = Double(progress.cells) / 2
      #expect((begun...begun + 0.5).contains(progress.fraction))
      #expect(progress.seconds > 0)
    }
  }
}
