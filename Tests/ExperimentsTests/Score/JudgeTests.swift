import EvictionCore
import Experiments
import Results
import Runner
import Testing

@Suite("The judge") struct JudgeTests {
  private static let quick = ScoreSuite.all.first { $0.name == "quick" }

  private func contender(_ text: String) throws -> CatalogContender {
    try CatalogContender(
      #require(PolicyChoice.parse([text]).first), CandidateLimits(time: .seconds(60)))
  }

  private func judge(salt: Int = 1) throws -> Judge {
    try Judge(#require(JudgeTests.quick), salt: salt, jobs: 2)
  }

  @Test func shareIsZeroForFIFOAndOneForTheOptimum() {
    #expect(ScoreMetric.share(misses: 80, fifo: 80, optimum: 40) == 0)
    #expect(ScoreMetric.share(misses: 40, fifo: 80, optimum: 40) == 1)
    #expect(ScoreMetric.share(misses: 70, fifo: 80, optimum: 40) == 0.25)
    #expect(ScoreMetric.share(misses: 100, fifo: 80, optimum: 40) == -0.5)
    #expect(ScoreMetric.share(misses: 900, fifo: 80, optimum: 40) == -1)
    #expect(ScoreMetric.share(misses: 40, fifo: 40, optimum: 40) == nil)
  }

  @Test func reductionIsTheSameInBothDirections() {
    #expect(ScoreMetric.reduction(misses: 30, fifo: 40) == 0.25)
    #expect(ScoreMetric.reduction(misses: 40, fifo: 30) == -0.25)
    #expect(ScoreMetric.reduction(misses: 0, fifo: 0) == 0)
  }

  @Test func runWithoutAResultCountsLeast() {
    let rows = [0.5, -1].map { share in ScoreRow { $0.share = share } } + [ScoreRow()]
    let traces = [ScoredTrace { $0.rows = rows }, ScoredTrace()]
    #expect(traces.score == -0.25)
  }

  @Test func fifoScoresNothingAndAFormulaIsThePolicyThatItIs() throws {
    let judge = try judge()
    let fifo = try judge.judge(contender("fifo"))
    #expect(fifo.combinedScore == 0 && fifo.hidden.combinedScore == 0)
    #expect(fifo.contract.conforms && fifo.determinism == ScoredDeterminism { $0.otherSeed = 0 })
    let lru = try judge.judge(contender("lru"), beside: [contender("rank:score=-lastUse")])
    #expect(lru.traces == (try judge.judge(contender("rank:score=-lastUse"))).traces)
    #expect(lru.combinedScore > 0.05 && lru.combinedScore < 1)
    #expect(lru.policies.map(\.combinedScore) == [lru.combinedScore])
    #expect(lru.policies.map(\.hiddenScore) == [lru.hidden.combinedScore])
  }

  @Test func saltChangesTheHiddenHalfAlone() throws {
    let (one, other) = try (judge(), judge(salt: 2))
    let (first, again) = try (one.judge(contender("arc")), judge().judge(contender("arc")))
    let salted = try other.judge(contender("arc"))
    #expect(first.traces == again.traces && first.hidden == again.hidden)
    #expect(first.traces == salted.traces && first.hidden.traces != salted.hidden.traces)
  }

  @Test func otherSeedOfARandomPolicyIsNamed() throws {
    let random = try judge().judge(contender("random"))
    #expect(random.determinism.isRepeatable && random.determinism.ignoresKeys)
    #expect(try #require(random.determinism.otherSeed) > 0)
  }

  @Test(arguments: ["opt", "infinite"]) func futureIsRefused(_ bound: String) {
    #expect(throws: PolicyError.self) { try contender(bound) }
  }

  @Test func documentIsReadAsItWasWritten() throws {
    let document = try judge().judge(contender("sieve"))
    let text = document.json.document
    let read = try ScoreDocument(
      JSONNode(reading: Array(text.utf8), schema: ScoreDocument.schema, file: "score.json"))
    #expect(read == document)
  }
}
