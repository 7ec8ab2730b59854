import Eviction
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

  @Test("CLOCK-Pro+ raises the target for a ghost by the ratio of demoted pages to ghosts")
  func utilityRaisesTarget() throws {
    // As above, and * for a page that was hot.
    //                                       list                   target
    //   a b c d e f g h   f and g leave      A B C D E (f)t (g)t ht 1
    //   g   h leaves; target + max(1, 0/3);  C D E (f)t (h)t a* b*  2
    //       a and b are demoted              G
    //   f   a leaves; target + max(1, 1/2);  E (h)t b* G c* d* F    3
    //       c and d are demoted
    //   h   b leaves; target + 2/1; E is     G c* d* F e* ht        5
    //       demoted, and HANDhot passes h
    let policy = "clock-pro:adapt=utility:most=1"
    for (trace, victims, ghosts, target) in [
      ("abcdefghg", "fgh", "fh", 2.0), ("abcdefghgf", "fgha", "h", 3.0),
      ("abcdefghgfh", "fghab", "", 5.0),
    ] {
      let after = try learned(ClockPro.self, policy, capacity: 6, trace)
      #expect(after.victims == victims)
      #expect(after.ghosts == ghosts)
      #expect(after.internals == ["coldTarget": target])
    }
    // Half of the capacity at most
    let bounded = try learned(
      ClockPro.self, "clock-pro:adapt=utility", capacity: 6, "abcdefghgfh")
    #expect(bounded.internals == ["coldTarget": 3])
  }

  @Test("CLOCK-Pro+ lowers the target for a demoted page that was requested, once")
  func utilityLowersTarget() throws {
    //   a … g    f leaves                   A B C D E (f)t gt      1
    //   f        g leaves; target + 1       C D E (g)t a* b* F     2
    //   g        a leaves; target + 1       E b* F c* d* G         3
    //   b c      bits                       E b*' F c*' d* G       3
    //   h        b and c to the head, − 1   E F G bt ct ht         1
    //            for each; d leaves
    let policy = "clock-pro:adapt=utility:most=1"
    let before = try learned(ClockPro.self, policy, capacity: 6, "abcdefgfgbc")
    #expect(before.internals == ["coldTarget": 3])
    let after = try learned(ClockPro.self, policy, capacity: 6, "abcdefgfgbch")
    #expect(after.victims == "fgad")
    #expect(after.internals == ["coldTarget": 1])
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
