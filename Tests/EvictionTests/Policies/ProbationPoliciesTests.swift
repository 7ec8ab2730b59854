import Eviction
import Testing

/// In the tables the oldest of a queue stands first, and a number is a counter.
@Suite("Clock2Q+ and S4-FIFO by hand")
struct ProbationPoliciesTests {
  @Test("A hit counts once half of S has entered after its object")
  func window() throws {
    // Sc = 4, Mc = 4, the window 2       S       M
    //   a b c d e f g h                  abcd    efgh   (M while S is full and nothing was evicted)
    //   d c b a   d, c are too new       abcd    efgh   (after d 0, c 1, b 2, a 3)
    //             b, a count
    //   i         a, b move, c leaves    di      efghab
    let trace = "a b c d e f g h d c b a i"
    #expect(
      try outcome(of: "clock2q-plus:small=0.5", capacity: 8, trace)
        == ". . . . . . . . + + + + .c")
    // Without a window all four move, and M, over its limit, gives up e.
    #expect(
      try outcome(of: "clock2q-plus:small=0.5:window=0", capacity: 8, trace)
        == ". . . . . . . . + + + + .e")
  }

  @Test("A ghost needs as many requests as it is told")
  func ghostHits() throws {
    // Sc = 1, Mc = 1, Gc = 4             S   M    G
    //   a b       b enters M             a   b    –
    //   c         a leaves for G         c   b    a
    //   a         1 ghost hit: S         a   b    c
    //   d         a leaves with its hit  d   b    ca
    //   a         2 ghost hits: M        –   ba   cd
    //   e         b leaves               e   a    cd
    let trace = "a b c a d a e"
    #expect(
      try outcome(of: "s4fifo:small=0.5:ghosts=2:reghosts=1", capacity: 2, trace)
        == ". . .a .c .a .d .b")
    #expect(
      try outcome(of: "s4fifo:small=0.5:ghosts=2", capacity: 2, trace)
        == ". . .a .c .b + .d")
  }

  @Test("S4-FIFO without its parameters is libCacheSim's S3-FIFO")
  func defaultsAreS3FIFO() throws {
    var generator = SplitMix64(seed: 8)
    for capacity in [1, 2, 5, 10, 17] {
      let trace = (0..<2_000).map { _ in
        let key = min(generator.index(below: 26), generator.index(below: 26))
        return String(UnicodeScalar(UInt8(97 + key)))
      }.joined(separator: " ")
      #expect(
        try outcome(of: "s4fifo", capacity: capacity, trace)
          == outcome(of: "s3fifo:form=libcachesim:fill=main", capacity: capacity, trace))
    }
  }
}
