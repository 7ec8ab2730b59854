import Eviction
import Testing

@Suite("DynamicAdaptiveClimb by hand")
struct DynamicAdaptiveClimbTests {
  /// The front first, then jump, and the hits in the lower half: dcba 4 0; a: adcb 3 1; a a a a: adcb −1 1; a: a
  /// round ends at −2, and 1 > ⌊0.1 × 2⌋, so that only jump is 1 again; a a a: a round ends with 0, the limit is 2.
  let start = "a b c d a a a a a a a a a"

  @Test("A round of hits in the upper half halves the limit, and the next miss evicts down to it")
  func halves() throws {
    // e: b, c and d leave, jump 2: ea 2 0; f: a is the last and leaves: fe 3 0
    #expect(
      try outcome(of: "dynamic-adaptive-climb", capacity: 4, "\(start) e f")
        == ". . . . + + + + + + + + + .bcd .a")
  }

  @Test("Misses double the limit again, when the jump is twice the objects")
  func doubles() throws {
    // e f: fe 3 0; g: gf, and jump is 4 = 2 × 2: the limit is 4, jump 2; h and i need no eviction
    #expect(
      try outcome(of: "dynamic-adaptive-climb", capacity: 4, "\(start) e f g h i j k")
        == ". . . . + + + + + + + + + .bcd .a .e . . .f .g")
  }

  @Test("The limit is not halved while the half holds all that is cached")
  func doesNotHalveForNothing() throws {
    // a: jump 0 = −⌊1/2⌋ ends a round, and so on; b c d fill the cache
    #expect(
      try outcome(of: "dynamic-adaptive-climb:epsilon=1", capacity: 4, "a a a b c d e")
        == ". + + . . . .a")
  }

  @Test("An object larger than the limit doubles it")
  func largeObjects() throws {
    // e3: the limit is 4, b, c and d leave: ea; f1: a is the last and leaves: fe
    let sized = start.split(separator: " ").map { $0 + "1" }.joined(separator: " ")
    #expect(
      try outcome(of: "dynamic-adaptive-climb", capacity: 4, "\(sized) e3 f1")
        == ". . . . + + + + + + + + + .bcd .a")
  }
}
