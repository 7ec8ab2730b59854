import Eviction
import Testing

@Suite("SLRU by hand")
struct SLRUTests {
  @Test("Protected overflows into probationary, which gives up its least recent")
  func overflowIsDemoted() throws {
    // Protected holds 2 of 3. Probationary | protected, least recent first:
    // abc| → bc|a → c|ab → a|bc → d|bc (a left) → e|bc (d left)
    #expect(try outcome(of: "slru", capacity: 3, "a b c a b c d e") == ". . . + + + .a .d")
  }

  @Test("A demoted object is the most recent of probationary")
  func demotedIsMostRecent() throws {
    // abcd| → cd|ab → da|bc → ae|bc (d left)
    let trace = "a b c d a b c e"
    #expect(try outcome(of: "slru:protected=0.5", capacity: 4, trace) == ". . . . + + + .d")
  }

  @Test("When probationary is empty, protected gives up its least recent")
  func protectedIsLast() throws {
    // ab| → |ab → c|b (a left)
    #expect(try outcome(of: "slru:protected=1", capacity: 2, "a b a b c") == ". . + + .a")
  }

  @Test("A fixed probationary segment evicts though the cache has room")
  func fixedProbation() throws {
    // 2 and 2: ab| → bc| (a left) → b|c → bd|c → de|c (b left)
    let trace = "a b c c d e"
    #expect(
      try outcome(of: "slru:protected=0.5:probation=fixed", capacity: 4, trace)
        == ". . .a + . .b")
  }

  @Test("An object too large for a fixed probationary segment evicts nothing")
  func tooLargeForProbation() throws {
    // 80 and 20 of 100
    let trace = "a20 a20 b20 c30 b20"
    #expect(
      try outcome(of: "slru:probation=fixed", capacity: 100, trace) == ". + . x +")
  }

  @Test("A fixed probationary segment evicts after a demotion too")
  func fixedProbationAfterDemotion() throws {
    // 5 and 5 of 10. a4 → |a4 → b2|a4 → b2 c3|a4 → the hit of c: b2|a4 c3 → b2 a4|c3 → a4|c3
    let trace = "a4 a4 b2 c3 c3"
    #expect(
      try outcome(of: "slru:protected=0.5:probation=fixed", capacity: 10, trace)
        == ". + . . +b")
  }

  @Test("With n segments a hit moves one up, overflow cascades down, and only a full cache evicts")
  func segments() throws {
    // 2, 1, 1 of 4: ab|| → b|a| → a|b| → a||b → ac||b → acd||b → cde||b (a left)
    let trace = "a b a b b c d e"
    #expect(try outcome(of: "slru:segments=3", capacity: 4, trace) == ". . + + + . . .a")
  }

  @Test("Filling, newcomers enter protected while it has room")
  func fillsProtected() throws {
    // 2 of 3 protected: |a → |ab → c|ab → d|ab (c left)
    #expect(try outcome(of: "slru:fill=protected", capacity: 3, "a b c d a") == ". . . .c +")
  }

  @Test("A smaller capacity demotes at once, and then evicts")
  func shrinkCascades() throws {
    // 4 of 5 protected: abcde| → e|abcd → C = 2, one protected: e, a, b, c are probationary | d
    let trace = "a b c d e a b c d =2 c d"
    #expect(try outcome(of: "slru", capacity: 5, trace) == ". . . . . + + + + _eab + +")
  }

  @Test("Parameters that exclude each other are refused")
  func conflicts() {
    #expect(throws: PolicyError.self) {
      try outcome(of: "slru:protected=0.5:segments=2", capacity: 4, "a")
    }
    #expect(throws: PolicyError.self) {
      try outcome(of: "slru:protected=1:probation=fixed", capacity: 4, "a")
    }
  }
}
