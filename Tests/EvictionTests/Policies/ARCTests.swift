import Testing

@Suite("ARC by hand")
struct ARCTests {
  @Test("Ghosts move the target, and the directory forgets what is beyond it")
  func figureFour() throws {
    // Least recent first.            T1   T2   B1   B2   p
    //   a b    misses                ab   –    –    –    0
    //   a      hit                   b    a    –    –    0
    //   c      REPLACE from T1       c    a    b    –    0
    //   b      in B1: p + 1;         c    b    –    a    1
    //          |T1| = p: from T2
    //   a      in B2: p − 1;         –    ba   c    –    0
    //          |T1| > p: from T1
    //   d      T1 is empty: from T2  d    a    c    b    0
    //   e      |L1| = C: c is        e    a    d    b    0
    //          forgotten; from T1
    //   c      unknown again         c    a    e    b    0
    #expect(
      try outcome(of: "arc", capacity: 2, "a b a c b a d e c") == ". . + .b .a .c .b .d .e")
  }

  @Test("When T1 is as long as its target, a request in B2 takes from T1")
  func tieOfTheTarget() throws {
    // Least recent first.            T1   T2   B1   B2   p
    //   a b a c                      bc   a    –    –    0
    //   d      from T1               cd   a    b    –    0
    //   b      in B1; from T1        d    ab   c    –    1
    //   c      in B1; from T2        d    bc   –    a    2
    //   a      in B2: p = 1 = |T1|   –    bca  d    –    1
    #expect(try outcome(of: "arc", capacity: 3, "a b a c d b c a") == ". . + . .b .c .a .d")
  }

  @Test("What T1 evicts while it fills the cache alone is not remembered")
  func fullT1IsNotRemembered() throws {
    // ab, bc (a is forgotten), ca, ad. Were a a ghost, it would enter T2 and leave for d.
    #expect(try outcome(of: "arc", capacity: 2, "a b c a d") == ". . .a .b .c")
  }

  @Test("A trim remembers its victim, and takes from T2 when T1 is empty")
  func trimRemembers() throws {
    // Least recent first.            T1   T2   B1   B2   p
    //   a b !                        b    –    a    –    0
    //   a      in B1, there is room  b    a    –    –    1
    //   b      hit                   –    ab   –    –    1
    //   !      T1 is empty           –    b    –    a    1
    //   c                            c    b    –    a    1
    //   a      in B2: p = 0          –    ba   c    –    0
    #expect(try outcome(of: "arc", capacity: 2, "a b ! a b ! c a") == ". . _a . + _a . .c")
  }

  @Test("A removed ghost is unknown, and p stays")
  func removalForgetsGhosts() throws {
    // Least recent first.            T1   T2   B1   B2   p
    //   a b a c                      c    a    b    –    0
    //   −b                           c    a    –    –    0
    //   b      unknown; from T1      b    a    c    –    0
    //   c      in B1: p = 1;         b    c    –    a    1
    //          |T1| = p: from T2
    #expect(try outcome(of: "arc", capacity: 2, "a b a c -b b c") == ". . + .b _ .c .a")
  }

  @Test("p moves by the object's size")
  func targetMovesBySize() throws {
    // Least recent first.            T1    T2    B1   B2   p
    //   a2 b2 a2 c2 of 6             b2c2  a2    –    –    0
    //   d2     from T1               c2d2  a2    b2   –    0
    //   b2     in B1: p + 2;         d2    a2b2  c2   –    2
    //          |T1| = 4 > p
    //   e2     |T1| = 2 = p: from T2 d2e2  b2    c2   a2   2
    #expect(try outcome(of: "arc", capacity: 6, "a2 b2 a2 c2 d2 b2 e2") == ". . + . .b .c .a")
  }

  @Test(
    "An empty ghost moves no target", arguments: ["arc", "arc:arithmetic=integer", "lp-arc"])
  func emptyGhost(policy: String) throws {
    // Least recent first.             T1      T2      B1    B2    p
    //   d1 d1 c0 g1 of 2              c0g1    d1      –     –     0
    //   a1    |T1| > p: c frees       a1      d1      c0g1  –     0
    //         nothing, and g leaves too
    //   g1    in B1: p + 1;           a1      g1      c0    d1    1
    //         |T1| = p: from T2
    //   a1    hit                     –       g1a1    c0    d1    1
    //   f2    d is beyond 2C; from T2 f2      –       c0    g1a1  1
    //   c0    in B1: p + 2/0 × 0 = p  f2      c0      –     g1a1  1
    //   g1    in B2: p − 1;           –       c0g1    f2    a1    0
    //         |T1| > p: from T1
    //   c0    hit
    #expect(
      try outcome(of: policy, capacity: 2, "d1 d1 c0 g1 a1 g1 a1 f2 c0 g1 c0")
        == ". + . . .cg .d + .ga . .f +")
  }

  @Test("A ghost that was empty and is not any more moves the target to its end")
  func grownGhost() throws {
    // Least recent first.               T1      T2        B1    B2  p
    //   a2 a2 b1 b1 c0 d1 e1 of 5       c0d1e1  a2b1      –     –   0
    //   f1    |T1| > p: from T1, twice  e1f1    a2b1      c0d1  –   0
    //   d1    in B1: p + 1; from T1     f1      a2b1d1    c0e1  –   1
    //   e1    in B1: p + 1; from T2     f1      b1d1e1    c0    a2  2
    //   c1    in B1: p + 2/0 × 1 = C    f1      b1d1e1c1  –     a2  5
    //   g1 h1 i1 j1    |T1| ≤ p: from T2
    #expect(
      try outcome(of: "arc", capacity: 5, "a2 a2 b1 b1 c0 d1 e1 f1 d1 e1 c1 g1 h1 i1 j1")
        == ". + . + . . . .cd .e .a . .b .d .e .c")
  }

  @Test("A smaller capacity bounds the ghosts at once")
  func shrinkBoundsGhosts() throws {
    // Four in T1; C = 1 evicts a, b, c. |T1| + |B1| ≤ 1 leaves no ghost, so a is unknown: it enters
    // T1, for which d is not remembered.
    #expect(try outcome(of: "arc", capacity: 4, "a b c d =1 a d") == ". . . . _abc .d .a")
  }
}
