import Testing

@Suite("LFUDA by hand")
struct LFUDATests {
  @Test("Frequencies rule until something leaves; among equals the least recent does")
  func frequencyFirst() throws {
    // a2 b1 c1; d evicts b (L = 1) and enters with 2; e evicts c (1) and enters with 2
    #expect(try outcome(of: "lfuda", capacity: 3, "a a b c d e") == ". + . . .b .c")
  }

  @Test("An old favourite falls behind the age of the cache, which plain LFU keeps for ever")
  func oldFavouriteLeaves() throws {
    // a3 b1. c evicts b: L = 1, c2. d evicts c: L = 2, d3. e evicts a, the less recent 3: L = 3, e4.
    // f evicts d (3), g evicts e (4).
    let trace = "a a a b c d e f g"
    #expect(try outcome(of: "lfuda", capacity: 2, trace) == ". + + . .b .c .a .d .e")
    #expect(try outcome(of: "lfu", capacity: 2, trace) == ". + + . .b .c .d .e .f")
  }

  @Test("A hit adds the age of now to the whole frequency")
  func hitAddsTheAge() throws {
    // a2 b1; c: L = 1, c2 (a is the less recent 2); a: 3 + 1 = 4; d evicts c: L = 2, d3;
    // e evicts d: L = 3, e4; f evicts a, the less recent 4
    #expect(try outcome(of: "lfuda", capacity: 2, "a a b c a d e f") == ". + . .b + .c .d .a")
  }

  @Test("A removal does not age the cache, a trim does")
  func removalAndTrim() throws {
    // a3 b1, b removed; c1, d evicts c: L = 1
    #expect(try outcome(of: "lfuda", capacity: 2, "a a a b -b c d") == ". + + . _ . .c")
    // a2 b1; trims evict b and a: L = 2; c3 d3; c4; e evicts d: L = 3, e4; f evicts c, the older 4
    #expect(
      try outcome(of: "lfuda", capacity: 2, "a a b ! ! c d c e f") == ". + . _b _a . . + .d .c")
  }
}
