import Testing

@Suite("LFU with aging by hand")
struct LFUAgingTests {
  @Test("When the average is too high all frequencies are halved, rounding up")
  func halving() throws {
    // a2 a3→2 a3→2; b1, b2, b3 makes 5 of 2: a1 b2; c evicts a, which LFU (a4 b3) keeps
    let trace = "a a a a b b b c"
    #expect(try outcome(of: "lfu-aging:average=2", capacity: 2, trace) == ". + + + . + + .a")
    #expect(try outcome(of: "lfu", capacity: 2, trace) == ". + + + . + + .b")
  }

  @Test("Frequencies that the halving made equal are ordered by their last use")
  func mergedByRecency() throws {
    // b2 c1; a4 makes 7 of 3: a2 b1 c1, and b was used before c: d evicts b, and e evicts c
    let trace = "b b c a a a a d e"
    #expect(try outcome(of: "lfu-aging:average=2", capacity: 3, trace) == ". + . . + + + .b .c")
    #expect(try outcome(of: "lfu", capacity: 3, trace) == ". + . . + + + .c .d")
  }

  @Test("A single frequency stops at the maximum, and a request there still makes recent")
  func maximum() throws {
    // a2 of at most 2, b2; a is the more recent: c evicts b, though LFU has a4 b2
    #expect(
      try outcome(of: "lfu-aging:maximum=2", capacity: 2, "a a a b b a c") == ". + + . + + .b")
    // and with b the more recent: a, which LFU keeps
    #expect(try outcome(of: "lfu-aging:maximum=2", capacity: 2, "a a a b b c") == ". + + . + .a")
    #expect(try outcome(of: "lfu", capacity: 2, "a a a b b c") == ". + + . + .b")
  }
}
