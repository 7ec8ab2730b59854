import Testing

@Suite("LFRU by hand")
struct LFRUTests {
  @Test("The lowest count of the unprivileged leaves, the privileged stay")
  func unprivilegedLeave() throws {
    // a3 is privileged; b1 c2 d1; e evicts b, f evicts d, g evicts e
    #expect(
      try outcome(of: "lfru", capacity: 4, "a a a b c c d e f") == ". + + . . + . .b .d")
  }

  @Test("The privileged beyond their share become unprivileged with count 1")
  func demotion() throws {
    // At most 2 of 4: a, b, c become privileged in turn, and a unprivileged; d1; e evicts a, f d
    let trace = "a a a b b b c c c d e f"
    #expect(
      try outcome(of: "lfru:window=0", capacity: 4, trace) == ". + + . + + . + + . .a .d")
  }

  @Test("Without unprivileged objects the least recent of the privileged leaves")
  func privilegedIsLast() throws {
    let trace = "a a b b a c"
    #expect(
      try outcome(of: "lfru:privileged=1:popular=2", capacity: 2, trace) == ". + . + + .b")
  }

  @Test("When the observation window ends, counts start again, and higher ones become more recent")
  func windowEnds() throws {
    // a2 b1 c1 after four requests: all 1, and a the most recent
    let trace = "a a b c d e f"
    #expect(try outcome(of: "lfru:window=4", capacity: 3, trace) == ". + . . .b .c .a")
    #expect(try outcome(of: "lfru:window=0", capacity: 3, trace) == ". + . . .b .c .d")
  }
}
