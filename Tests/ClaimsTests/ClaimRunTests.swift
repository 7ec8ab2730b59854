import Claims
import Foundation
import Parameters
import Results
import Testing

/// Runs of planted claims.
@Suite struct ClaimRunTests {
  private func run(
    _ claims: [Claim], seed: Int = 1, budget: Double = 60,
    cancellation: Cancellation = Cancellation()
  ) throws -> [ClaimDocument] {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var settings = ClaimRun.Settings(isQuick: true)
    settings.seed = seed
    settings.budget = budget
    var run = ClaimRun(claims, settings: settings, scratch: scratch, path: { _ in nil })
    var documents: [ClaimDocument] = []
    try run.run(
      cancellation: cancellation, progress: { _, _ in }, finished: { documents.append($0) })
    return documents
  }

  /// A claim that holds, with a trial that may say why it cannot be measured.
  private func claim(
    _ id: String,
    trial: @escaping @Sendable (inout TrialContext) throws -> Trial = { context in
      context.compare {
        1
      } with: {
        2
      }
    }
  ) -> Claim {
    Claim(
      id, "It is faster.", hypothesis: "It is faster.", effect: "claimed / other",
      conditions: ["a", "b"].map { ClaimCondition(["level": $0], .faster, trial: trial) })
  }

  @Test func everyClaimGetsOneDocument() throws {
    let documents = try run([claim("C1"), claim("C2")])
    #expect(documents.map(\.id).sorted() == ["C1", "C2"])
    #expect(documents.allSatisfy { $0.verdict == .confirmed })
  }

  @Test func trialsOfClaimsAreMixed() throws {
    let documents = try run([claim("C1"), claim("C2")])
    let orders = documents.flatMap { $0.results.map(\.order) }
    #expect(orders.sorted() == Array(0..<orders.count))
    for document in documents {
      let own = document.results.map(\.order)
      #expect((own.last ?? 0) - (own.first ?? 0) >= own.count)
    }
  }

  @Test func theSeedDecidesTheOrder() throws {
    let order = { (seed: Int) in
      try run([claim("C1"), claim("C2")], seed: seed).sorted { $0.id < $1.id }
        .flatMap { $0.results.map { [$0.order, $0.condition] } }
    }
    #expect(try order(3) == order(3))
    #expect(try order(3) != order(4))
  }

  @Test func aTrialThatCannotBeMeasuredLeavesTheOthers() throws {
    let missing = claim("C1") { _ in throw ClaimUnavailable("no such disk") }
    let documents = try run([missing, claim("C2")])
    let first = try #require(documents.first { $0.id == "C1" })
    #expect(first.verdict == .undecided)
    #expect(first.conditions.map(\.reason) == ["no such disk", "no such disk"])
    #expect(documents.first { $0.id == "C2" }?.verdict == .confirmed)
  }

  @Test func withoutTimeAClaimIsUndecidedAndSaysSo() throws {
    let document = try #require(try run([claim("C1")], budget: 0).first)
    #expect(document.verdict == .undecided)
    #expect(document.conditions[0].reason == "the budget ended before enough trials")
  }

  @Test func aCancelledRunLeavesNoUnfinishedDocument() throws {
    let cancellation = Cancellation()
    let claims = [
      claim("C1"),
      claim("C2") { context in
        cancellation.cancel()
        return context.compare {
          1
        } with: {
          2
        }
      },
    ]
    #expect(try run(claims, cancellation: cancellation).isEmpty)
  }

  @Test func aDocumentReadsBack() throws {
    let document = try #require(try run([claim("C1")]).first)
    let read = try ClaimDocument(reading: document.text.utf8, file: "C1.json")
    #expect(read == document)
  }
}
