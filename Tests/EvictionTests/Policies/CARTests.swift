import Testing

@Suite("CAR by hand")
struct CARTests {
  @Test("Hands look at reference bits, and ghosts move the target after room was made")
  func figureTwo() throws {
    // Oldest first; ' is a set bit.    T1   T2   B1   B2   p
    //   a b a  a's bit is set          a'b  –    –    –    0
    //   c      a to T2, b leaves       c    a    b    –    0
    //   b      c leaves; in B1: p + 1  –    ab   c    –    1
    //   a      bit                     –    a'b  c    –    1
    //   d      a to the tail, b leaves d    a    c    b    1
    //   b      |T1| ≥ p: d leaves;     –    ab   cd   –    0
    //          in B2: p − 2/1
    //   e      a leaves                e    b    d    a    0
    #expect(
      try outcome(of: "car", capacity: 2, "a b a c b a d b e") == ". . + .b .c + .b .d .a")
  }

  @Test("Objects hit in T1 leave it in the order of their insertion, not of their hits")
  func hitsKeepTheOrder() throws {
    // abc with bits at a and b: both go to T2, as ab; T1 is empty after c: a leaves, then b
    #expect(try outcome(of: "car", capacity: 3, "a b c b a ! ! !") == ". . . + + _c _a _b")
  }

  @Test("A removed ghost is unknown")
  func removalForgetsGhosts() throws {
    // T1 c, T2 a, B1 b. If b is known it enters T2, and d takes the place of a; else it enters T1, and d
    // takes its own.
    #expect(try outcome(of: "car", capacity: 2, "a b a c b d") == ". . + .b .c .a")
    #expect(try outcome(of: "car", capacity: 2, "a b a c -b b d") == ". . + .b _ .c .b")
  }
}

@Suite("CART by hand")
struct CARTTests {
  @Test("Only a ghost's return, or a hit after a while, leads to T2")
  func figureThree() throws {
    // Oldest first; S, L: filter bits.   T1     T2   B1     p   q
    //   a b                              aS bS  –    –      0   0
    //   c      a leaves                  bS cS  –    a      0   0
    //   a      b leaves; in B1: L, p+1   cS aL  –    b      1   0
    //   d      c leaves                  aL dS  –    bc     1   0
    //   e      a to T2: q = 2 − |T1|;    eS     a    cd     1   1
    //          d leaves, b is forgotten
    //   a      bit                       eS     a'   cd     1   1
    //   f      a to T1; e leaves         aL fS  –    de     1   1
    //   c      unknown: a to T2, f       cS     a    ef     1   1
    #expect(
      try outcome(of: "cart", capacity: 2, "a b c a d e a f c")
        == ". . .a .b .c .d + .e .f")
  }

  @Test("Referenced objects go around in T1, and are long-term when T1 is long enough")
  func referencedGoAround() throws {
    // a'b: a goes to the tail as L, b leaves; then a is at the head: to T2, and c leaves
    #expect(try outcome(of: "cart", capacity: 2, "a b a c d a") == ". . + .b .c +")
  }
}
