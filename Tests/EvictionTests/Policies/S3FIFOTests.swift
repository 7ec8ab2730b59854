import Testing

/// In the tables the oldest of a queue stands first, and a number is a frequency.
@Suite("S3-FIFO by hand")
struct S3FIFOTests {
  @Test("What was requested twice in S moves to M, and a ghost enters M")
  func smallFilters() throws {
    // Sc = 1, Mc = 2, Gc = 2         S      M    G
    //   a b c a a                    a2bc   –    –
    //   d    a moves, b leaves       cd     a    b
    //   b    c leaves; b is known    d      ab   c
    //   e    d leaves                e      ab   cd
    //   b    hit
    #expect(
      try outcome(of: "s3fifo", capacity: 3, "a b c a a d b e b") == ". . . + + .b .c .d +")
  }

  @Test("Room is made before the ghost test: a request can push out its own ghost")
  func roomComesFirst() throws {
    // As above, then                 S      M    G
    //                                e      ab   cd
    //   c    e leaves, c is dropped  c      ab   de
    //   f    c leaves                f      ab   ec
    //   c    f leaves; c is known    –      abc  f
    let trace = "a b c a a d b e c f c"
    #expect(try outcome(of: "s3fifo", capacity: 3, trace) == ". . . + + .b .c .d .e .c .f")
    // Taken out of G first:
    //   c    c is known, e leaves    –      abc  de
    //   f    S is empty: a leaves    f      bc   de
    //   c    hit
    #expect(
      try outcome(of: "s3fifo:order=ghost-first", capacity: 3, trace)
        == ". . . + + .b .c .d .e .a +")
  }

  @Test("An eviction from S goes on until S has lost an object, though M has made room")
  func innerEviction() throws {
    // Sc = 2, Mc = 2                 S      M    G
    //   a b c d a a b b              a2b2cd –    –
    //   e    a, b move; c leaves     de     ab   c
    //   d d                          d2e    ab   c
    //   f    d moves, a leaves M;    f      bd   ce
    //        e leaves, too
    //   g    there is room           fg     bd   ce
    let trace = "a b c d a a b b e d d f g"
    #expect(
      try outcome(of: "s3fifo:small=0.5", capacity: 4, trace)
        == ". . . . + + + + .c + + .ae .")
    // Without: f leaves abd in M; g finds |S| = 1, and takes a.
    #expect(
      try outcome(of: "s3fifo:small=0.5:inner=false", capacity: 4, trace)
        == ". . . . + + + + .c + + .e .a")
  }

  @Test("M evicts like a CLOCK whose counters a move resets, unless they are kept")
  func keptFrequency() throws {
    // a b c move to M, d leaves, e is in S. Then f takes from M: a, the oldest, whose frequency is
    // 0; kept, a has 3 and b, c have 2: the hand goes round twice, and b is the first with 0.
    let trace = "a b c d a a a b b c c e f"
    #expect(
      try outcome(of: "s3fifo:small=0.5:inner=false", capacity: 4, trace)
        == ". . . . + + + + + + + .d .a")
    #expect(
      try outcome(of: "s3fifo:small=0.5:inner=false:keep=true", capacity: 4, trace)
        == ". . . . + + + + + + + .d .b")
  }

  @Test("The threshold is what a frequency must exceed")
  func threshold() throws {
    #expect(try outcome(of: "s3fifo", capacity: 2, "a b a c") == ". . + .a")
    #expect(try outcome(of: "s3fifo:threshold=0", capacity: 2, "a b a c") == ". . + .b")
    #expect(try outcome(of: "s3fifo:threshold=3", capacity: 2, "a b a a a a c") == ". . + + + + .a")
  }

  @Test("In bytes the forms choose between S and M differently")
  func formsInBytes() throws {
    // Sc = Mc = 5 of 10: a moves to M, b leaves; c4|a4. Then |S| < Sc, but |M| ≤ Mc.
    let trace = "a4 a4 a4 b4 c4 d4"
    #expect(try outcome(of: "s3fifo:small=0.5", capacity: 10, trace) == ". + + . .b .a")
    #expect(
      try outcome(of: "s3fifo:small=0.5:form=libcachesim", capacity: 10, trace)
        == ". + + . .b .c")
  }

  @Test("What is given beside a form counts, and the form says the rest")
  func formIsOverridden() throws {
    // The table of roomComesFirst: libCacheSim takes the ghost out of G first.
    let trace = "a b c a a d b e c f c"
    #expect(
      try outcome(of: "s3fifo:form=libcachesim", capacity: 3, trace)
        == ". . . + + .b .c .d .e .a +")
    #expect(
      try outcome(of: "s3fifo:form=libcachesim:order=room-first", capacity: 3, trace)
        == ". . . + + .b .c .d .e .c .f")
    // The table of innerEviction: an eviction from S leaves M alone.
    let inner = "a b c d a a b b e d d f"
    #expect(
      try outcome(of: "s3fifo:small=0.5:form=libcachesim", capacity: 4, inner)
        == ". . . . + + + + .c + + .e")
    #expect(
      try outcome(of: "s3fifo:small=0.5:form=libcachesim:inner=true", capacity: 4, inner)
        == ". . . . + + + + .c + + .ae")
  }

  @Test("Caffeine's form remembers nine tenths of the capacity")
  func caffeine() throws {
    // C = 4, Mc = 2. Up to g, a b c left. b makes d leave: G is cd, or bcd, and b enters S, or M:
    // then k takes b, the oldest of S, or h.
    let trace = "a b c d e f g b h i j k"
    #expect(
      try outcome(of: "s3fifo:small=0.5", capacity: 4, trace)
        == ". . . . .a .b .c .d .e .f .g .b")
    #expect(
      try outcome(of: "s3fifo:small=0.5:form=caffeine", capacity: 4, trace)
        == ". . . . .a .b .c .d .e .f .g .h")
  }

  @Test("Filling M, newcomers enter it while S is full and nothing was evicted")
  func fillsMain() throws {
    // ab|cd: a, b, e leave S. Otherwise abcd|: a, b, c.
    let trace = "a b c d e f g"
    #expect(
      try outcome(of: "s3fifo:small=0.5:fill=main", capacity: 4, trace) == ". . . . .a .b .e")
    #expect(try outcome(of: "s3fifo:small=0.5", capacity: 4, trace) == ". . . . .a .b .c")
  }

  @Test("A removed ghost is unknown")
  func removalForgetsGhosts() throws {
    // b is a ghost; removed, it enters S, and leaves for f. Otherwise it enters M, and e leaves.
    #expect(
      try outcome(of: "s3fifo", capacity: 3, "a b c a a d -b b e f") == ". . . + + .b _ .c .d .b")
    #expect(try outcome(of: "s3fifo", capacity: 3, "a b c a a d b e f") == ". . . + + .b .c .d .e")
  }
}

@Suite("QD-LP-FIFO by hand")
struct QDLPTests {
  @Test("Probation keeps only what was requested, and a ghost may cost two evictions")
  func quickDemotion() throws {
    // Main holds 3 of 4.               probation  main  ghosts
    //   a b c d a                      abcd       –     –
    //   e    a moves, b leaves         cde        a     b
    //   b    known; c leaves           de         ab    c
    //   c    known; d leaves           e          abc   d
    //   d    known; e leaves, main     –          bcd   e
    //        has no room: a leaves
    //   f    there is room             f          bcd   e
    //   g    f leaves                  g          bcd   ef
    #expect(
      try outcome(of: "qd-lp", capacity: 4, "a b c d a e b c d f g")
        == ". . . . + .b .c .d .ea . .f")
  }

  @Test("The main queue passes over what was requested")
  func lazyPromotion() throws {
    // As above, then b is requested. e is a ghost: g leaves; main passes b, and evicts c.
    let trace = "a b c d a e b c d f g b e"
    #expect(
      try outcome(of: "qd-lp", capacity: 4, trace) == ". . . . + .b .c .d .ea . .f + .gc")
  }

  @Test("A request on probation is not counted in the main queue")
  func counterStartsAtZero() throws {
    // Main holds 1 of 2. a moves, b leaves; c is requested and moves: a leaves main, though it was
    // requested three times on probation; then d: there is room after a has left.
    #expect(try outcome(of: "qd-lp", capacity: 2, "a a a a b c c d") == ". + + + . .b + .a")
  }
}
