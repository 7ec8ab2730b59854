import Eviction
import Testing

/// In the tables the oldest stands first, a number is the hits, and worth and mean are in 257ths.
@Suite("CLFUS by hand")
struct CLFUSTests {
  @Test("A newcomer enters once it is known, and worth more than its victim")
  func knownNewcomer() throws {
    //          residents  remembered
    //   a b    a1 b1      –
    //   c      b1 a0      c1     after 100 turns a is the victim, and comes back: c is unknown
    //   c      b1 c2      a0     mean 1.3: the clock passes b (2), a (1) leaves for c (3)
    //   a      c2 a1      b1     the mean rises to b's 2, which is not more than a's
    #expect(try outcome(of: "clfus", capacity: 2, "a b c c a") == ". . x .a .b")
  }

  @Test("Once enough is remembered, a key must have been seen to be remembered")
  func seenKeys() throws {
    //          residents  remembered
    //   a      a1         –
    //   b      a0         b1
    //   c      a0         b1     not seen before; with seen=false: c1
    //   c      a0         c1     seen; with seen=false it enters
    //   c      c2         a0
    #expect(try outcome(of: "clfus", capacity: 1, "a b c c c") == ". x x x .a")
    #expect(try outcome(of: "clfus:seen=false", capacity: 1, "a b c c") == ". x x .a")
  }

  @Test("A large victim leaves only for what is worth more")
  func sizes() throws {
    // b is remembered at the first request. At the second it is worth 3/(256 + 90), and a 1/(256 + 20).
    #expect(try outcome(of: "clfus", capacity: 100, "a20 b90 b90") == ". x .a")
  }
}
