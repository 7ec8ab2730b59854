import Eviction
import EvictionTesting
import Parameters
import PolicyModels
import Testing

@Suite("A policy by a formula")
struct RankTests {
  @Test("does what a plain score does", arguments: RankModel.scores.keys.sorted())
  func scores(_ score: String) throws {
    for parameters in ["", ":sample=3", ":ghosts=0.5"] {
      for features in Workload.Features.samples {
        let workload = Workload(seed: 5, features: features)
        let difference = try ModelAgreementTests.difference(
          "rank:score=\(score)\(parameters)", workload)
        #expect(difference == nil, "\(score)\(parameters), features \(features.rawValue)")
      }
    }
  }

  @Test(
    "is LRU and LFU, to the last eviction",
    arguments: [("rank:score=-lastUse", "lru"), ("rank:score=frequency", "lfu")])
  func identities(_ formula: String, _ name: String) throws {
    for features in Workload.Features.samples {
      for seed in UInt64(0)..<4 {
        let workload = Workload(seed: seed, features: features)
        #expect(try events(of: formula, workload) == events(of: name, workload))
      }
    }
  }

  @Test("The order of a sum with age and lastUse is kept, that of a product is not")
  func byHand() throws {
    // Scores at d's entry: a 1/4, b 1/3, c 1/2.
    #expect(try outcome(of: "rank:score=frequency/age", capacity: 3, "a b c d") == ". . . .a")
    // a 2/6, b 1/4, c 1/3.
    #expect(
      try outcome(of: "rank:score=frequency/age", capacity: 3, "a a b c a d") == ". + . . + .b")
    #expect(try outcome(of: "rank:score=lastUse", capacity: 3, "a b c d") == ". . . .c")
    #expect(try outcome(of: "rank:score=-size", capacity: 9, "a2 b5 c2 d1") == ". . . .b")
  }

  @Test(
    "that is too long or too deep is refused, not followed",
    arguments: [
      (
        String(repeating: "(", count: 30_000) + "1" + String(repeating: ")", count: 30_000),
        "character 2001: a score has at most 2000 characters, this has 60001"
      ),
      (
        "1" + String(repeating: "+1", count: 60_000),
        "character 2001: a score has at most 2000 characters, this has 120001"
      ),
      (
        String(repeating: "abs(", count: 65) + "1" + String(repeating: ")", count: 65),
        "character 260: a score nests at most 64 parentheses"
      ),
    ])
  func excess(_ score: String, _ message: String) {
    do throws(PolicyError) {
      _ = try MemoryCache<Int, Int>.open(
        countLimit: 3, policy: CachePolicy(Rank.self, parameters: ["score": score]))
      Issue.record("\(score.prefix(9))… was read")
    } catch {
      #expect("\(error)" == "rank: score=\(score.prefix(80))…, \(message)")
    }
  }

  @Test("may be as long and as deep as the bounds")
  func bounds() throws {
    let sum = "1" + String(repeating: "+1", count: 999)
    let nested = String(repeating: "(", count: 64) + "hits" + String(repeating: ")", count: 64)
    for score in [sum, nested] {
      #expect(try outcome(of: "rank:score=\(score)", capacity: 3, "a b c d") == ". . . .a")
    }
  }

  @Test(
    "that cannot be read is refused with its place",
    arguments: [
      ("hits/(agee*size)", "character 7: “agee” is unknown; did you mean age?"),
      ("hits/(age*size", "character 15: “)” is missing"),
      ("", "character 1: the expression ends too early"),
      ("hits+*2", "character 6: “*” is not expected"),
      ("min(hits)", "character 1: “min” takes 2, not 1"),
      ("1.2.3", "character 1: “1.2.3” is no number"),
      ("hits hits", "character 6: “h” is not expected"),
      ("size^2", "character 5: “^” is not expected"),
    ])
  func mistakes(_ score: String, _ message: String) {
    do throws(PolicyError) {
      _ = try MemoryCache<Int, Int>.open(
        countLimit: 3, policy: CachePolicy(Rank.self, parameters: ["score": score]))
      Issue.record("\(score) was read")
    } catch {
      #expect("\(error)" == "rank: score=\(score), \(message)")
    }
  }

  private func events(of text: String, _ workload: Workload) throws -> [CacheEvent] {
    struct Run: PolicyVisitor {
      let specification: Specification
      let workload: Workload
      var events: [CacheEvent] = []
      var error: (any Error)?

      @_semantics("optimize.sil.specialize.generic.never")
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        if Policy.information.name != specification.name { return }
        do {
          var driver = try PolicyDriver<Policy>(
            workload, arguments: specification.arguments(for: Policy.information.parameters),
            seed: 1)
          for index in workload.operations.indices { driver.perform(index) }
          events = driver.run.events
        } catch { self.error = error }
      }
    }
    var run = Run(specification: try Specification(parsing: text), workload: workload)
    PolicyCatalog.visit(&run)
    if let error = run.error { throw error }
    return run.events
  }
}
