import Testing

@Suite("SR-LRU and DLIRS by hand")
struct ScanResistantPoliciesTests {
  @Test("An empty new ghost of SR-LRU moves no border")
  func emptyNewGhost() throws {
    // C = 2: SR is to have 1, R the other. Least recent first, * demoted, ' new.
    //                                          R     SR       ghosts
    //   f2                                     –     f2'      –
    //   a1    f leaves                         –     a1'      f2'
    //   f2    new: SR is to have 1 more than   –     f2*      a1'
    //         it may; too large for R
    //   e0                                     –     f2*e0'   a1'
    //   f2    demoted: R 1 + 1                 f2    e0'      a1'
    //   g1    e frees nothing; f leaves, and   –     g1'      e0'f2
    //         a is forgotten
    //   e0    new: 0 demoted / 0 new ghosts    e0    g1'      f2
    #expect(
      try outcome(of: "sr-lru", capacity: 2, "f2 a1 f2 e0 f2 g1 e0") == ". .f .a . + .ef .")
  }

  @Test("A new ghost that comes back empty moves no border, either")
  func newGhostComesBackEmpty() throws {
    // C = 10: SR is to have 1, R 9.            R     SR       ghosts
    //   a10                                    –     a10'     –
    //   b1                                     –     b1'      a10'
    //   a0    new: 0 / (10 − 10)               a0    b1'      –
    #expect(try outcome(of: "sr-lru", capacity: 10, "a10 b1 a0") == ". .a .")
  }

  @Test("An empty demoted block of DLIRS moves no limit")
  func emptyDemotedBlock() throws {
    // C = 2: Llirs = 1. S with its bottom first, Q with its front first, LIR blocks in capitals.
    //                                          S       Q
    //   e0 b1  enter as LIR                    EB      –
    //   c1                                     EBc     c
    //   c1     LIR; e and b are demoted        C       eb
    //   b1     demoted: Llirs = 1 at most      Cb      eb
    //   e0     demoted: 0 ghosts / 0 demoted
    #expect(try outcome(of: "dlirs", capacity: 2, "e0 b1 c1 c1 b1 e0") == ". . . + + +")
  }
}
