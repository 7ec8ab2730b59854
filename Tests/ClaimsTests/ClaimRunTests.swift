import Claims
import Foundation
import Parameters
import Results
import Synchronization
import Testing

/// Runs of planted claims.
@Suite struct ClaimRunTests {
  /// A machine without disturbances.
  private static let quiet = TrialWatch { { TrialMachine() } }

  private func run(
    _ claims: [Claim], seed: Int = 1, budget: Double = 60, watch: TrialWatch = quiet,
    cancellation: Cancellation = Cancellation()
  ) throws -> [ClaimDocument] {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var settings = ClaimRun.Settings(isQuick: true)
    settings.seed = seed
    settings.budget = budget
    var run = ClaimRun(
      claims, settings: settings, scratch: scratch, watch: watch, path: { _ in nil })
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

  /// A machine whose clock is late in all trials but each of this number.
  private func late(but quiet: Int) -> TrialWatch {
    let count = Atomic(0)
    return TrialWatch {
      let number = count.add(1, ordering: .relaxed).newValue
      return {
        var machine = TrialMachine()
        machine.hiccups = number % quiet == 0 ? 0 : 0.3
        return machine
      }
    }
  }

  @Test func aDisturbedMachineLeavesAClaimUndecided() throws {
    let document = try #require(try run([claim("C1")], watch: late(but: 1_000)).first)
    #expect(document.verdict == .undecided)
    #expect(document.conditions.allSatisfy { $0.trials == 0 && $0.disturbed == 8 })
    #expect(
      document.conditions[0].reason
        == "the machine was disturbed in 8 of 8 trials, such as by hiccups: 30 % (at most 2 %)")
    #expect(document.results.allSatisfy { $0.disturbances == ["hiccups: 30 % (at most 2 %)"] })
  }

  @Test func aRepeatedRunAddsItsVerdictsToTheFirst() throws {
    let first = try #require(try run([claim("C1")]).first)
    var both = first
    for run in [first, try #require(try run([claim("C1")], watch: late(but: 1_000)).first)] {
      both.addVerdicts(of: run)
    }
    #expect(both.verdicts == [first.verdict, .undecided] && both.agrees == false)
    for (condition, before) in zip(both.conditions, first.conditions) {
      #expect(condition.verdicts == [before.verdict, .undecided])
      #expect(condition.trials == before.trials && condition.verdict == before.verdict)
    }
    #expect(try ClaimDocument(reading: Array(both.text.utf8), file: "C1.json") == both)
  }

  @Test func fewerQuietTrialsThanDisturbedOnesAreNotEnough() throws {
    let document = try #require(try run([claim("C1")], watch: late(but: 3)).first)
    #expect(document.verdict == .undecided)
    #expect(document.conditions.allSatisfy { $0.effect == nil && $0.trials < $0.disturbed })
  }

  @Test func disturbedTrialsDoNotCount() throws {
    let trials = Atomic(0)
    let claims = [
      Claim(
        "C1", "It is faster.", hypothesis: "It is faster.", effect: "claimed / other",
        conditions: [
          ClaimCondition([:], .faster) { _ in
            let isLate = trials.add(1, ordering: .relaxed).newValue == 3
            return Trial(claimed: isLate ? 1_000 : 1, other: 2)
          }
        ])
    ]
    let count = Atomic(0)
    let watch = TrialWatch {
      let number = count.add(1, ordering: .relaxed).newValue
      return {
        var machine = TrialMachine()
        machine.waiting = number == 3 ? 0.5 : 0
        return machine
      }
    }
    let document = try #require(try run(claims, watch: watch).first)
    #expect(document.verdict == .confirmed)
    #expect(document.conditions[0].disturbed == 1)
    #expect(document.results.count { !$0.disturbances.isEmpty } == 1)
  }

  @Test func processorsThatOthersTakeLeaveAClaimUndecided() throws {
    let watch = TrialWatch {
      {
        var machine = TrialMachine()
        machine.others = 0.4
        return machine
      }
    }
    let document = try #require(try run([claim("C1")], watch: watch).first)
    #expect(document.verdict == .undecided)
    #expect(
      document.conditions[0].reason?.hasSuffix("other processes: 40 % (at most 10 %)") == true)
  }

  @Test func countsDoNotDependOnTheMachine() throws {
    let claims = [
      Claim(
        "C1", "It hits more.", hypothesis: "It hits more.", effect: "claimed - other",
        conditions: [ClaimCondition([:], .hitsMore) { _ in Trial(claimed: 1, other: 0) }])
    ]
    let document = try #require(try run(claims, watch: late(but: 1_000)).first)
    #expect(document.verdict == .confirmed)
  }

  @Test func furtherNumbersAreMediansOfTheTrials() throws {
    let trials = Atomic(0)
    let claims = [
      Claim(
        "C1", "It is faster.", hypothesis: "It is faster.", effect: "claimed / other",
        conditions: [
          ClaimCondition([:], .faster) { _ in
            let number = trials.add(1, ordering: .relaxed).newValue
            return Trial(claimed: 1, other: 2, details: ["bytes": Double(number * number)])
          }
        ])
    ]
    let document = try #require(try run(claims).first)
    #expect(document.conditions[0].trials == 6)
    #expect(document.conditions[0].details == [JSON.Member("bytes", .number(12.5))])
  }

  @Test func aDocumentReadsBack() throws {
    let document = try #require(try run([claim("C1")]).first)
    let read = try ClaimDocument(reading: document.text.utf8, file: "C1.json")
    #expect(read == document)
  }
}
