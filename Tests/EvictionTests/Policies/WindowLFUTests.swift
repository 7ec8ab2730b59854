import Testing

@Suite("Window-LFU by hand")
struct WindowLFUTests {
  @Test("Requests that left the window do not count")
  func oldRequestsDoNotCount() throws {
    // W = 4. aaab, aabb, and with c abbc: a1 b2, where LFU has a3 b2
    let trace = "a a a b b c"
    #expect(try outcome(of: "window-lfu:window=2", capacity: 2, trace) == ". + + . + .a")
    #expect(try outcome(of: "lfu", capacity: 2, trace) == ". + + . + .b")
  }

  @Test("A resident without a request in the window leaves first")
  func noRequests() throws {
    // W = 2. bb and then bc: a0 b1
    #expect(try outcome(of: "window-lfu:window=1", capacity: 2, "a a b b c b") == ". + . + .a +")
  }

  @Test("Requests before the stay count, unless ghosts are forgotten")
  func requestsBeforeTheStay() throws {
    // W = 6. a2 b1, c evicts b; b has 2 with the request of its earlier stay, evicts c1, and is more
    // recent than a; without ghosts it has 1
    let trace = "a a b c b d"
    #expect(try outcome(of: "window-lfu:window=3", capacity: 2, trace) == ". + . .b .c .a")
    #expect(try outcome(of: "window-lfu:window=3:ghosts=0", capacity: 2, trace) == ". + . .b .c .b")
  }

  @Test("The request of an empty object takes one unit of the window")
  func emptyObjects() throws {
    // W = 4. After four requests of c, which is empty, a and b have none; a is older
    #expect(
      try outcome(of: "window-lfu:window=2", capacity: 2, "a1 a1 b1 c0 c0 c0 c0 d1")
        == ". + . . + + + .a")
  }

  @Test("The requests of a removed key are struck out")
  func removalStrikesOut() throws {
    // a3 b2, a removed; a1 b2
    #expect(try outcome(of: "window-lfu", capacity: 2, "a a a b b -a a c") == ". + + . + _ . .a")
  }
}
