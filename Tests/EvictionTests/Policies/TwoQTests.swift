import Eviction
import Testing

@Suite("2Q by hand")
struct TwoQTests {
  @Test("Only what is requested after it left A1in enters Am")
  func ghostsEnterAm() throws {
    // Kin = 1, Kout = 2; oldest first.  A1in   Am    A1out
    //   a b c d e    a leaves           bcde   –     a
    //   a    known; b leaves            cde    a     b
    //   c    hit: nothing               cde    a     b
    //   f    c leaves all the same      def    a     bc
    //   g    d leaves, b is dropped     efg    a     cd
    //   b    unknown; e leaves          fgb    a     de
    //   a    hit
    #expect(
      try outcome(of: "2q", capacity: 4, "a b c d e a c f g b a")
        == ". . . . .a .b + .c .d .e +")
  }

  @Test("Am gives up its least recent while A1in is within Kin, and forgets it")
  func amEvicts() throws {
    // Kin = 1, Kout = 2                 A1in   Am    A1out
    //   a b c d e a b c                 e      abc   d
    //   a    hit                        e      bca   d
    //   f    |A1in| = Kin: b leaves     ef     ca    d
    //   b    unknown; e leaves          fb     ca    de
    #expect(
      try outcome(of: "2q", capacity: 4, "a b c d e a b c a f b")
        == ". . . . .a .b .c .d + .b .e")
  }

  @Test("The ghost of a request is taken out before room is made")
  func ghostLeavesFirst() throws {
    // C = 2: Kin = 0, Kout = 1. c makes a a ghost; a is known, though b becomes one; so is b, when
    // c leaves for it: a b are in Am, and d takes a.
    #expect(try outcome(of: "2q", capacity: 2, "a b c a b d") == ". . .a .b .c .a")
  }

  @Test("Kin and Kout can be set")
  func quotas() throws {
    // Without ghosts nothing enters Am: FIFO.
    #expect(try outcome(of: "2q:kout=0", capacity: 2, "a b c a b a") == ". . .a .b .c +")
    // A1in may have it all: Am, a and b, gives way first.
    #expect(
      try outcome(of: "2q:kin=0.5:ghosts=1", capacity: 4, "a b c d e f a b g h")
        == ". . . . .a .b .c .d .a .e")
  }

  @Test("In the simplified version the second request in A1 moves to Am, and nothing is remembered")
  func simplified() throws {
    // Threshold 1                  A1     Am
    //   a b a c d                  bcd    a
    //   e    b leaves              cde    a
    //   b    unknown; c leaves     deb    a
    //   d e  hits                  b      ade
    //   f    |A1| = 1: a leaves    bf     de
    #expect(
      try outcome(of: "2q:version=simple", capacity: 4, "a b a c d e b d e f")
        == ". . + . . .b .c + + .a")
  }

  @Test("Parameters that exclude each other are refused")
  func conflicts() {
    for specification in ["2q:kout=1:ghosts=1", "2q:version=simple:ghosts=1"] {
      #expect(throws: PolicyError.self) { try outcome(of: specification, capacity: 4, "a") }
    }
  }

  @Test("A smaller capacity drops ghosts at once")
  func shrink() throws {
    // a and b are ghosts; at C = 2 one is kept: d, the last that leaves for the capacity. So b is
    // unknown, enters A1in, and leaves it for h.
    #expect(
      try outcome(of: "2q", capacity: 4, "a b c d e f =2 b g h") == ". . . . .a .b _cd .e .f .b")
  }
}
