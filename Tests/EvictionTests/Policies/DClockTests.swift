import Eviction
import Testing

/// In the tables the least recent of a list stands first; a shadow stands with the count of evictions and activations
/// when it was left.
@Suite("D-Clock by hand")
struct DClockTests {
  @Test("What comes back soon enough is active at once")
  func refault() throws {
    // Active holds 2   active  inactive  shadows
    //   a b a b        ab      –                    2 activations
    //   c d            ab      cd
    //   e   c leaves   ab      de        c3
    //   c   d leaves   bc      ea        d5         activated, a is demoted
    //   f   e leaves   bc      af        d5 e6
    //   a   hit        ca      fb        d5 e6      7 evictions and activations
    //   d   f leaves   ad      bc        e6 f9      activated: 2 since then, as many as are active
    #expect(
      try outcome(of: "d-clock", capacity: 4, "a b a b c d e c f a d")
        == ". . + + . . .c .d .e + .f")
  }

  @Test("Caffeine's simulator demotes the newest")
  func demotesNewest() throws {
    //   c   d leaves   ac      eb        d5         b is demoted
    //   f   e leaves   ac      bf        d5 e6
    //   a   hit
    //   d   b leaves
    #expect(
      try outcome(of: "d-clock:demoted=newest", capacity: 4, "a b a b c d e c f a d")
        == ". . + + . . .c .d .e + .b")
  }

  @Test("What comes back too late is inactive")
  func tooLate() throws {
    // Nothing is active when a comes back after one further eviction: it passes through inactive.
    #expect(
      try outcome(of: "d-clock", capacity: 4, "a b c d e f a g h i j")
        == ". . . . .a .b .c .d .e .f .a")
  }

  @Test("A removed shadow is forgotten")
  func removal() throws {
    // As its shadow, a would be active at once.
    #expect(
      try outcome(of: "d-clock", capacity: 4, "a b c d e -a a f g h i")
        == ". . . . .a _ .b .c .d .e .a")
    #expect(
      try outcome(of: "d-clock", capacity: 4, "a b c d e a f g h i")
        == ". . . . .a .b .c .d .e .f")
  }

  @Test("With inactive empty the least recent of active leaves")
  func emptyInactive() throws {
    #expect(try outcome(of: "d-clock:active=1", capacity: 2, "a a b b ! !") == ". + . + _a _b")
  }

  @Test("A smaller capacity demotes what is beyond the limit")
  func shrink() throws {
    // Active holds 1: ab, c becomes b, ca, and c leaves.
    #expect(
      try outcome(of: "d-clock", capacity: 4, "a b a b c =2 ! !") == ". . + + . _c _a _b")
  }

  @Test("Sizes: what is larger than the limit of active stays in inactive")
  func sizes() throws {
    #expect(try outcome(of: "d-clock", capacity: 10, "a6 a6 b4 c4") == ". + . .a")
  }
}
