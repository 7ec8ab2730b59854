import Eviction
import Testing

/// In the tables the least recent of a list stands first.
@Suite("TuQueue by hand")
struct TuQueueTests {
  @Test("What is requested in cold becomes warm, and outlives a scan")
  func coldBecomesWarm() throws {
    // Hot and warm hold 1   hot  warm  cold
    //   a b c               c    –     ab
    //   a                   c    a     b
    //   d   b leaves        d    a     c
    //   b   c leaves        b    a     d
    //   e   d leaves        e    a     b
    //   a   hit
    #expect(
      try outcome(of: "tuqueue:hot=0.34:warm=0.34", capacity: 3, "a b c a d b e a")
        == ". . . + .b .c .d +")
  }

  @Test("Warm overflows into cold, whose least recent leaves")
  func warmOverflows() throws {
    // Hot and warm hold 1   hot  warm  cold
    //   a b c d             d    –     abc
    //   a                   d    a     bc
    //   b                   d    b     ca
    //   c                   d    c     ab
    //   e   a leaves        e    c     bd
    //   trims                          b d c e leave
    #expect(
      try outcome(of: "tuqueue", capacity: 4, "a b c d a b c e ! ! ! !")
        == ". . . . + + + .a _b _d _c _e")
  }

  @Test("A hit in hot renews the object there")
  func hotIsLRU() throws {
    // Hot holds 2: ab, ba; c pushes b into cold, d a.
    #expect(
      try outcome(of: "tuqueue:hot=0.5", capacity: 4, "a b a c d e") == ". . + . . .b")
  }

  @Test("Without limits of one object all is cold, and warm is passed through")
  func smallest() throws {
    // Hot and warm hold nothing: LRU.
    #expect(try outcome(of: "tuqueue", capacity: 2, "a b a c") == ". . + .b")
  }

  @Test("Where cold is empty, what hot cannot keep beside the newcomer leaves before warm")
  func coldIsEmpty() throws {
    // Limits of 3: b is hot, a warm.
    #expect(
      try outcome(of: "tuqueue:hot=0.3:warm=0.3", capacity: 10, "a3 b3 a3 c8") == ". . + .ba")
  }

  @Test("A smaller capacity moves what is beyond the limits to cold")
  func shrink() throws {
    // Hot holds 3, then 1: cold abc, then def with f hot.
    #expect(
      try outcome(of: "tuqueue:hot=0.5", capacity: 6, "a b c d e f =3 ! ! !")
        == ". . . . . . _abc _d _e _f")
  }
}
