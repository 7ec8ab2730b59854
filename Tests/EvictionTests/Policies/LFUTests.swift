import Testing

@Suite("LFU by hand")
struct LFUTests {
  @Test("The lowest frequency leaves, among equals the least recently used")
  func leastFrequentLeaves() throws {
    // a2; a2 b1 c1: b is the least recent of the ones; a2 c1 d1: c; its frequency was forgotten
    #expect(try outcome(of: "lfu", capacity: 3, "a a b c d b") == ". + . . .b .c")
  }

  @Test("Ties go to the least recently used, or to the oldest insertion")
  func tiesAreDecided() throws {
    // a and b have 2 each; b's last request is older, a was inserted first
    #expect(try outcome(of: "lfu", capacity: 2, "a b b a c") == ". . + + .b")
    #expect(try outcome(of: "lfu:ties=fifo", capacity: 2, "a b b a c") == ". . + + .a")
  }

  @Test("A perfect history counts on where the last stay ended")
  func perfectHistory() throws {
    // a2 b1; c evicts b; b comes back and evicts c.
    // Perfect: a2 b2, and a's last request is older. Otherwise: a2 b1.
    let trace = "a a b c b d"
    #expect(try outcome(of: "lfu:history=perfect", capacity: 2, trace) == ". + . .b .c .a")
    #expect(try outcome(of: "lfu", capacity: 2, trace) == ". + . .b .c .b")
  }

  @Test("A bounded history forgets the oldest-evicted, but not the newcomer for its own victim")
  func boundedHistory() throws {
    // One ghost. b is remembered while c leaves for it: a2 b2, as if unbounded.
    let bounded = "lfu:history=perfect:ghosts=0.5"
    #expect(try outcome(of: bounded, capacity: 2, "a a b c b d") == ". + . .b .c .a")
    // b is forgotten when c leaves for d: a2 b1.
    #expect(try outcome(of: bounded, capacity: 2, "a a b c d b e") == ". + . .b .c .d .b")
  }

  @Test("A removed object's frequency is forgotten, even by a perfect history")
  func removalForgets() throws {
    // a3, removed; b2; a1: a leaves
    let trace = "a a a b b -a a c"
    #expect(try outcome(of: "lfu:history=perfect", capacity: 2, trace) == ". + + . + _ . .a")
  }
}
