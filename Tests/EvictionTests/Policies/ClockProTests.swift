import Testing

@Suite("CLOCK-Pro by hand")
struct ClockProTests {
  @Test("Three hands: test periods, promotions and demotions")
  func threeHands() throws {
    // Oldest first; A hot, a cold, (a) not resident, t in its test period, ' a set bit.
    //                                       list              target
    //   a b c  two hot ones, then cold      A B ct            1
    //   d      c leaves                     A B (c)t dt       1
    //   c      d leaves; target + 1: A and  a b C             1
    //          B are demoted, C is hot;
    //          HANDhot ends d's test: − 1
    //   e      a leaves                     b C et            1
    //   b      bit                          b' C et           1
    //   f      b to the head; e leaves      C (e)t bt ft      1
    //   c      bit                          C' (e)t bt ft     1
    //   e      b leaves; target + 1; C has  f C et            1
    //          its bit set: to the head,
    //          and HANDhot ends all tests:
    //          e is not promoted
    //   g      f leaves                     C et gt           1
    #expect(
      try outcome(of: "clock-pro", capacity: 3, "a b c d c e b f c e g")
        == ". . . .c .d .a + .e + .b .f")
  }

  @Test("When no cold page is left, the oldest hot page without a bit is demoted and leaves")
  func onlyHotPages() throws {
    // A' B; −c; trims: A loses its bit, B leaves, then A
    #expect(try outcome(of: "clock-pro", capacity: 3, "a b c a -c ! !") == ". . . + _ _b _a")
  }

  @Test("A removed ghost is unknown")
  func removalForgetsGhosts() throws {
    // A B (c)t dt; c enters as cold, and A and B stay hot: d, then c leave
    #expect(
      try outcome(of: "clock-pro", capacity: 3, "a b c d -c c e a b")
        == ". . . .c _ .d .c + +")
  }

  @Test("Ghosts are bounded: the oldest test period ends")
  func boundedGhosts() throws {
    // Without ghosts c is unknown, and enters as cold: A and B stay hot
    #expect(
      try outcome(of: "clock-pro:ghosts=0", capacity: 3, "a b c d c e a b")
        == ". . . .c .d .c + +")
  }
}
