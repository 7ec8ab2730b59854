import Testing

@Suite("LIRS by hand")
struct LIRSTests {
  // Of 4 blocks two are LIR (upper case). S from its bottom, Q from its front; (x) is not resident.

  @Test("A block that comes back while S knows it takes the place of the bottom LIR block")
  func shortAbsenceBecomesLIR() throws {
    //   a b    LIR                        AB           –
    //   c d    HIR                        ABcd         cd
    //   e      c leaves, stays in S       AB(c)de      de
    //   c      d leaves; c becomes LIR    B(d)eC       ea
    //          and a the end of Q
    //   d      e leaves; d becomes LIR    (e)CD → CD   ab
    //   e      unknown: a leaves          CDe          be
    #expect(try outcome(of: "lirs", capacity: 4, "a b c d e c d e") == ". . . . .c .d .e .a")
  }

  @Test("A resident HIR block that S forgot goes to the end of Q and starts anew")
  func hitOutsideTheStack() throws {
    //   a b c d                           ABcd         cd
    //   a b    S is pruned                AB           cd
    //   c      back on S, not LIR         ABc          dc
    //   e      d leaves, unknown to S     ABce         ce
    //   c      in S: LIR, a is demoted    BeC          ea
    //   d      e leaves                   B(e)Cd       ad
    #expect(try outcome(of: "lirs", capacity: 4, "a b c d a b c e c d") == ". . . . + + + .d + .e")
  }

  @Test("An immediate repeat changes nothing, unless repeats count")
  func repeats() throws {
    //   a b c c d e                       counted: c c makes c LIR: BC, Q: a; d: Q = ad; e: a leaves
    let trace = "a b c c d e"
    #expect(try outcome(of: "lirs", capacity: 4, trace) == ". . . + . .c")
    #expect(try outcome(of: "lirs:repeats=count", capacity: 4, trace) == ". . . + . .a")
  }

  @Test("A removed LIR block makes room for a LIR block, and what S loses is forgotten")
  func removalPrunes() throws {
    //   a b c d e                         AB(c)de      de
    //   −a                                B(c)de       de
    //   f      LIR                        B(c)deF      de
    //   −b     c is forgotten             F            de
    //   c      LIR                        FC           de
    //   g      d leaves                   FCg          eg
    #expect(
      try outcome(of: "lirs", capacity: 4, "a b c d e -a f -b c g") == ". . . . .c _ . _ . .d")
  }

  @Test("Removing the block of the latest request ends its repeats")
  func removalEndsRepeats() throws {
    // c is removed, and inserted as HIR again; its repeat is ignored: c leaves for e.
    #expect(try outcome(of: "lirs", capacity: 4, "a b c -c c c d e") == ". . . _ . + . .c")
  }

  @Test("One HIR block is enough with hirs=1")
  func oneHIRBlock() throws {
    // ABC, Q: d; e: d leaves. With two: AB, Q: cd; c leaves.
    #expect(try outcome(of: "lirs:hirs=1", capacity: 4, "a b c d e") == ". . . . .d")
    #expect(try outcome(of: "lirs", capacity: 4, "a b c d e") == ". . . . .c")
  }

  @Test("Bounded ghosts: the oldest-evicted leaves S")
  func boundedGhosts() throws {
    // c, d, e leave for e, f, g, and f for c.
    // With one ghost c is unknown, and HIR: Q is gc, then ch; a stays LIR.
    let trace = "a b c d e f g c a h i"
    #expect(
      try outcome(of: "lirs:ghosts=0.25", capacity: 4, trace)
        == ". . . . .c .d .e .f + .g .c")
    // Otherwise c becomes LIR and a HIR: Q is ga, then ah.
    #expect(try outcome(of: "lirs", capacity: 4, trace) == ". . . . .c .d .e .f + .g .a")
  }

  @Test("With sizes nothing is kept for HIR blocks, and the bottom LIR block leaves if Q is empty")
  func sizes() throws {
    // A4 B4 of 10; c4 does not fit the LIR blocks; Q is empty: a leaves. Then d4: Q is c: c leaves.
    #expect(try outcome(of: "lirs", capacity: 10, "a4 b4 c4 b4 a2 d4") == ". . .a + . .c")
  }

  @Test("A trim remembers its victim as long as S does")
  func trimRemembers() throws {
    //   a b c d !                         AB(c)d       d
    //   c      in S: becomes LIR          BdC          da
    //   e      d leaves                   B(d)Ce       ae
    #expect(try outcome(of: "lirs", capacity: 4, "a b c d ! c e") == ". . . . _c . .d")
  }

  @Test("A smaller capacity demotes LIR blocks at once")
  func shrinkDemotes() throws {
    // All six are LIR, as sizes count; a and b are demoted and leave. Q is empty: c leaves for a, which
    // is HIR and leaves for c, which is LIR.
    #expect(
      try outcome(of: "lirs", capacity: 6, "a b c d e f =4 e a c")
        == ". . . . . . _ab + .c .a")
  }
}
