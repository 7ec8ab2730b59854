import Eviction
import Testing

/// In the tables S has its bottom first and each block twice, for its last two requests; Q has its front first. With
/// hirs=1, two of three blocks are LIR.
@Suite("LIRS2 by hand")
struct LIRS2Tests {
  @Test("A block becomes LIR when S has both of its last two requests")
  func twoDistances() throws {
    //                S           LIR  Q
    //   a b c        aabbcc      ab   c
    //   d   c leaves aabbccdd    ab   d
    //   c   d leaves aabbcddc    ab   c    its lower place was without a request
    //   d   c leaves aabbcdcd    ab   d
    //   c   d leaves bbdcdc      bc   a    a is demoted
    //   e   a leaves bbdcdcee    bc   e
    //   a   e leaves
    #expect(
      try outcome(of: "lirs2:hirs=1", capacity: 3, "a b c d c d c e a")
        == ". . . .c .d .c .d .a .e")
  }

  @Test("A place below the bottom LIR block does not count")
  func pruning() throws {
    //                S           LIR  Q
    //   a b c        aabbcc      ab   c
    //   a b a b      abab        ab   c
    //   c   hit      ababc       ab   c    its other place had left S
    //   d   c leaves ababcdd     ab   d
    //   c   d leaves ababcddc    ab   c
    //   e   c leaves                       not a: c had only one place
    #expect(
      try outcome(of: "lirs2:hirs=1", capacity: 3, "a b c a b a b c e a")
        == ". . . + + + + + .c +")
  }

  @Test("A full S loses the lowest places of HIR blocks")
  func fullStack() throws {
    // S has 6 places, 4 of them of a and b: of c and d, one each.
    #expect(
      try outcome(of: "lirs2:hirs=1:stack=2", capacity: 3, "a b c d c d c e a")
        == ". . . .c .d .c .d .c +")
  }

  @Test("A repeat is no request")
  func repeats() throws {
    // c would be LIR after its third request, and a would leave.
    #expect(try outcome(of: "lirs2:hirs=1", capacity: 3, "a b c c c d a") == ". . . + + .c +")
  }

  @Test("After a removal what misses next is LIR")
  func removal() throws {
    //   a b c   LIR ab  Q c;   -a: LIR b;   d: LIR bd;   e: c leaves Q
    #expect(try outcome(of: "lirs2:hirs=1", capacity: 3, "a b c -a d e") == ". . . _ . .c")
  }

  @Test("With Q empty the bottom LIR block leaves")
  func emptyQueue() throws {
    //   a b: LIR;   trim: a leaves;   c: LIR;   d: Q;   e: d leaves
    #expect(try outcome(of: "lirs2:hirs=1", capacity: 3, "a b ! c d e") == ". . _a . . .d")
  }

  @Test("A smaller capacity demotes the LIR blocks at the bottom")
  func shrink() throws {
    // All six are LIR, as sizes count; a, b and c are demoted and leave.
    #expect(try outcome(of: "lirs2", capacity: 6, "a b c d e f =3") == ". . . . . . _abc")
  }

  @Test("Sizes: a newcomer is LIR if it fits with the others")
  func sizes() throws {
    //   a4 b4: LIR;   c4: no LIR, and a leaves the bottom;   a2: LIR;   d4: LIR, c leaves Q
    #expect(try outcome(of: "lirs2", capacity: 10, "a4 b4 c4 b4 a2 d4") == ". . .a + . .c")
  }
}
