import Testing

@Suite("FRD by hand")
struct FRDTests {
  // C = 4: two main objects, two in the filter. S with its bottom first, main objects in capitals; the filter with its
  // least recent first.

  @Test("An object that comes back while S knows it takes the place of the least recent main one")
  func historyPromotes() throws {
    //                                            S            filter
    //   a b   main                               A B          –
    //   c d   room, so no history                A B          c d
    //   e     c leaves, unknown to S             A B e        d e
    //   c     d leaves                           A B e c      e c
    //   d     e leaves, a ghost                  A B e c d    c d
    //   a     S keeps its bottom                 B e c d A    c d
    //   e     B leaves; pruning takes all off S  A E          c d
    //         that is older than A
    //   f     c leaves, a ghost no longer        A E f        d f
    //   c     unknown: d leaves                  A E f c      f c
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, "a b c d e c d a e f c")
        == ". . . . .c .d .e + .b .c .d")
  }

  @Test("A hit in the filter gives the object a history")
  func filterHitEntersStack() throws {
    // c and d have none; d is hit, leaves and comes back: a, the least recent main object, makes the room
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, "a b c d d e f d") == ". . . . + .c .d .a")
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, "a b c d e f d") == ". . . . .c .d .e")
  }

  @Test("A removed main object takes the histories below the next one with it")
  func removalPrunes() throws {
    //                                            S            filter
    //   a … g  c, d and e leave; e is a ghost    A B e f g    f g
    //   b                                        A e f g B    f g
    //   -a     pruning takes e, f and g off S    B            f g
    //   h      there is room in the main LRU     B H          f g
    //   e      unknown: f leaves                 B H e        g e
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, "a b c d e f g b -a h e")
        == ". . . . .c .d .e + _ . .f")
  }

  @Test("Ghosts are bounded, and the oldest-evicted is forgotten first")
  func boundedGhosts() throws {
    // e and f are ghosts, and with one ghost at most only f
    let trace = "a b c d e f g h e"
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, trace) == ". . . . .c .d .e .f .a")
    #expect(
      try outcome(of: "frd:main=0.5:ghosts=0.25", capacity: 4, trace)
        == ". . . . .c .d .e .f .g")
  }

  @Test("Main objects beyond a smaller share become the most recent of the filter")
  func smallerCapacity() throws {
    // A B, c d; =2: a is demoted, c and d leave; e takes the place of a, and has a history
    #expect(
      try outcome(of: "frd:main=0.5", capacity: 4, "a b c d =2 e a b") == ". . . . _cd .a .e +")
  }

  @Test("In bytes, evictions are repeated")
  func sizes() throws {
    // M = 9: A4 B4; c is too much for it, and so is d: c and a leave; e fits
    #expect(try outcome(of: "frd", capacity: 10, "a4 b4 c2 d5 e1 b4") == ". . . .ca . +")
  }
}
