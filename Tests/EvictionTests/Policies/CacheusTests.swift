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

  @Test("Among the least frequent CR-LFU takes the most recent, and a ghost keeps its frequency")
  func churn() throws {
    // From the state above, with frequencies.         R         SR      draw  ghost of
    //   h        SR-LRU: b1, CR-LFU: b1, the only one a2 g2      h1 c1*  0.34
    //   h        R demotes a                        g2 h2     c1 a2
    //   c        R demotes g                        h2 c2     a2 g2
    //   i        SR-LRU: a, CR-LFU: c, the newest   h2 c2     g2 i1   0.04  a: SR-LRU
    //   i        R has room                         h2 c2 i2  g2
    //   j        SR-LRU: g, CR-LFU: i               c2 …              0.87  i: CR-LFU
    let run = try learned(Cacheus.self, "cacheus", capacity: 4, "abcdefagghhciij")
    #expect(run.victims == "defbai")
    #expect(run.ghosts == "ai")
  }

  @Test("A new ghost of SR-LRU enlarges SR, a hit of a demoted object shrinks it")
  func border() throws {
    let cycle = String(repeating: "abcdefghijklmnopqrst", count: 20)
    let scan = try learned(Cacheus.self, "cacheus:ghosts=2", capacity: 10, cycle)
    #expect(scan.internals["sr_size"]! > 1)
    let hot = try learned(
      Cacheus.self, "cacheus", capacity: 10, "abcdefghij" + String(repeating: "kab", count: 9))
    #expect(hot.internals["sr_size"] == 1)
  }

  @Test("The rate starts at √(2 ln 2 / C), and follows the hit ratio up")
  func learningRate() throws {
    // C = 4: 0.589; the first period ends with request 4, before its own hit counts.
    let start = (2 * 0.6931471805599453 / 4).squareRoot()
    #expect(
      try learned(Cacheus.self, "cacheus", capacity: 4, "aaa").internals["learning_rate"] == start)
    // 2 hits of 4; the rate had risen from nothing to 0.589: it goes on by that share.
    let first = try learned(Cacheus.self, "cacheus", capacity: 4, "aaaa").internals[
      "learning_rate"]!
    #expect(first == start + start * 0.589)
    // 4 hits of 4, and the rate rose from 0.589 to 0.936.
    let second = try learned(Cacheus.self, "cacheus", capacity: 4, "aaaaaaaa").internals[
      "learning_rate"]!
    #expect(second == 1)
    // No hit of 4 after that: the other way.
    let third = try learned(Cacheus.self, "cacheus", capacity: 4, "aaaabcdefghi").internals[
      "learning_rate"]!
    #expect(third < first)
  }

  @Test("The rate does not move while the hit ratio does not")
  func steadyRate() throws {
    let misses = try learned(Cacheus.self, "cacheus", capacity: 4, "abcdefghijklmnop")
    #expect(misses.internals["learning_rate"] == (2 * 0.6931471805599453 / 4).squareRoot())
  }
}
