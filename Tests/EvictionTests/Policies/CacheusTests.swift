import Eviction
import EvictionTesting
import Parameters
import Testing

/// The draws of seed 42 begin 0.74, 0.16, 0.28, 0.34, 0.04, 0.87, 0.22; below w_lru SR-LRU decides.
@Suite("Cacheus by hand")
struct CacheusTests {
  @Test("R fills first, then SR; newcomers pass through SR, and R demotes into it")
  func fillAndScan() throws {
    // C = 4: SR is to have 1, R the other 3. Least recent first.
    //                                               R      SR      draw
    //   a b c d  fill                               abc    d
    //   e        both: d, the newest requested once; bc    ea      0.74
    //            R demotes until it is below 3
    //   f        both: e                            bc     af      0.16
    //   a        demoted: R’s limit stays at 3      bca    f
    //   g        both: f                            ca     gb      0.28
    //   g        new                                cag    b
    #expect(
      try outcome(of: "cacheus", capacity: 4, "a b c d e f a g g") == ". . . . .d .e + .f +")
  }

  @Test("Among the least frequent CR-LFU takes the most recent")
  func churn() throws {
    // From the state above, with frequencies.           R         SR      draw
    //   h        SR-LRU: b1, CR-LFU: c1, the newer one  a2 g2     h1 c1   0.34: SR-LRU
    //   h                                               a2 g2 h2  c1
    //   c        demoted                                g2 h2 c2  a2
    //   i        SR-LRU: a2, CR-LFU: c2, the newest     h2 c2     i1 g2   0.04: SR-LRU
    //   i                                               h2 c2 i2  g2
    //   j        SR-LRU: g2, CR-LFU: i2, the newest     h2 c2     g2 j1   0.87: CR-LFU
    let run = try learned(Cacheus.self, "cacheus", capacity: 4, "abcdefagghhciij")
    #expect(run.victims == "defbai")
    #expect(run.ghosts == "abi")
  }

  @Test("A new ghost of SR-LRU enlarges SR, a hit of a demoted object shrinks it")
  func border() throws {
    // * demoted, ' new.                        R    SR      LRU’s ghosts   SR is to have
    //   d h f e   fill                         dhf  e                      1
    //   c         both: e                      hf   c'd*                   1
    //   e         both: c                      hf   d*e'                   1
    //   g         SR-LRU: d, CR-LFU: e         hf   e'g'    d              1
    //   c         SR-LRU: e, CR-LFU: g         hf   g'c'    d e'           1
    //   e         new: SR + 1; SR-LRU: g       e    c'h*f*  d g'           2
    //   f         demoted: SR − 1              ef   c'h*    d g'           1
    func size(after trace: String) throws -> Double? {
      try learned(Cacheus.self, "cacheus", capacity: 4, trace).internals["sr_size"]
    }
    #expect(
      try outcome(of: "cacheus", capacity: 4, "d h f e c e g c e f")
        == ". . . . .e .c .d .e .g +")
    #expect(try size(after: "dhfecegc") == 1)
    #expect(try size(after: "dhfecegce") == 2)
    #expect(try size(after: "dhfecegcef") == 1)
  }

  @Test("An empty demoted object moves no border")
  func emptyDemotedObject() throws {
    // C = 2: SR is to have 1, R the other.            R       SR
    //   a0                                            a0      –
    //   b2     enters SR                              a0      b2
    //   b2     R demotes a                            b2      a0
    //   a0     demoted: 0 of new ghosts / 0 demoted
    #expect(try outcome(of: "cacheus", capacity: 2, "a0 b2 b2 a0") == ". . + +")
  }

  @Test("The rate starts at √(2 ln 2 / C), and follows the hit ratio up")
  func learningRate() throws {
    func rate(after trace: String) throws -> Double {
      try learned(Cacheus.self, "cacheus", capacity: 4, trace).internals["learning_rate"] ?? 0
    }
    let start = (2 * 0.6931471805599453 / 4).squareRoot()
    #expect(try rate(after: "aaa") == start)
    // The first period ends as request 4 begins, with 2 hits; the rate had risen from nothing to 0.589,
    // and goes on by that share of itself.
    let first = try rate(after: "aaaa")
    #expect(abs(first - start * 1.589) < 1e-15)
    // 4 hits in the next, after the rate rose from 0.589 to 0.935: no rate is above 1.
    #expect(try rate(after: "aaaaaaaa") == 1)
    // 1 hit in the next instead, fewer than 2: the other way; then none, and on by what it fell.
    #expect(abs(try rate(after: "aaaabcde") - first * (1 - 0.346)) < 1e-15)
  }

  @Test("The rate does not move while the hit ratio does not")
  func steadyRate() throws {
    let misses = try learned(Cacheus.self, "cacheus", capacity: 4, "abcdefghijklmnop")
    #expect(misses.internals["learning_rate"] == (2 * 0.6931471805599453 / 4).squareRoot())
  }
}
