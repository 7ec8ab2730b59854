import Testing

@Suite("LRU-K by hand")
struct LRUKTests {
  @Test("What was requested fewer than K times leaves first")
  func fewerThanKLeaveFirst() throws {
    // a has two requests, b one
    #expect(try outcome(of: "lru-k", capacity: 2, "a a b c") == ". + . .b")
  }

  @Test("The oldest K-th latest request leaves, whatever the latest is")
  func oldestKthLatestLeaves() throws {
    // the second latest of a is request 1, that of b request 2; the latest is that of a
    #expect(try outcome(of: "lru-k", capacity: 2, "a b b a c") == ". . + + .a")
  }

  @Test("K is a parameter; with 1 it is LRU")
  func depth() throws {
    // b three times, a twice
    let trace = "b b b a a c"
    #expect(try outcome(of: "lru-k", capacity: 2, trace) == ". + + . + .b")
    #expect(try outcome(of: "lru-k:k=3", capacity: 2, trace) == ". + + . + .a")
    #expect(try outcome(of: "lru-k:k=1", capacity: 2, "a b a c") == ". . + .b")
  }

  @Test("A history is taken up again for so many requests after its latest one")
  func retainedHistory() throws {
    // a is request 1, leaves at 3, and comes back at 4: known if 3 requests are retained. Then it has
    // two requests, and d leaves for e; else a does.
    let trace = "a b c a d e"
    #expect(try outcome(of: "lru-k", capacity: 2, trace) == ". . .a .b .c .d")
    #expect(try outcome(of: "lru-k:retained=1.5", capacity: 2, trace) == ". . .a .b .c .d")
    #expect(try outcome(of: "lru-k:retained=1", capacity: 2, trace) == ". . .a .b .c .a")
    #expect(try outcome(of: "lru-k:ghosts=0", capacity: 2, trace) == ". . .a .b .c .a")
  }

  @Test("A removed key's history is forgotten")
  func removalForgets() throws {
    #expect(try outcome(of: "lru-k", capacity: 2, "a b c -a a d e") == ". . .a _ .b .c .a")
  }
}
