import Eviction
import EvictionTesting
import Foundation
import Parameters
import Testing

/// The draws of seed 42 begin 0.74, 0.16, 0.28, 0.34, 0.04, 0.87, 0.22, 0.80; below w_lru LRU decides.
@Suite("LeCaR by hand")
struct LeCaRTests {
  @Test("A draw leaves each eviction to one of the experts")
  func drawsDecide() throws {
    // Least recent first, with frequencies.  residents   LRU’s   LFU’s   draw
    //   a a b                                a2 b1
    //   c      LRU: a, LFU: b                a2 c1               b       0.74: LFU
    //   d      LRU: a, LFU: c                c1 d1       a       b       0.16: LRU
    //   a      ghost; both: c                d1 a3               b       0.28
    //   c      unknown; both: d              a3 c1               b       0.34
    //   e      LRU: a, LFU: c                c1 e1       a       b       0.04: LRU
    #expect(try outcome(of: "lecar", capacity: 2, "a a b c d a c e") == ". + . .b .a .c .d .a")
  }

  @Test("A ghost returns with its frequency + 1, and only disputed victims become ghosts")
  func frequencyReturns() throws {
    //   a a b                                a2 b1
    //   c                                    a2 c1               b       0.74: LFU
    //   b      ghost; LRU: a, LFU: c         c1 b2       a               0.16: LRU
    //   d      both: c                       b2 d1       a               0.28
    //   e      LRU: b; LFU: d, as b has 2    d1 e1       a b             0.34: LRU
    let run = try learned(LeCaR.self, "lecar", capacity: 2, "aabcbde")
    #expect(run.victims == "bacb")
    #expect(run.ghosts == "ab")
  }

  @Test("A mistake costs its expert weight, the more the shorter ago it was")
  func regret() throws {
    // a leaves for d in request 5 by LRU's decision, and is asked for in request 6.
    let soon = try learned(LeCaR.self, "lecar", capacity: 2, "aabcda").internals
    // With a hit between them, in request 7.
    let later = try learned(LeCaR.self, "lecar", capacity: 2, "aabcdda").internals
    for (internals, age) in [(soon, 1.0), (later, 2.0)] {
      let factor = exp(-0.45 * pow(0.005, age / 2))
      #expect(abs(internals["w_lru"]! - factor / (factor + 1)) < 1e-15)
      #expect(abs(internals["w_lfu"]! - 1 / (factor + 1)) < 1e-15)
    }
    #expect(soon["w_lru"]! < later["w_lru"]!)
    // b leaves by LFU's decision in request 4.
    let frequency = try learned(LeCaR.self, "lecar:rate=0.9", capacity: 2, "aabcb").internals
    let factor = exp(-0.9 * pow(0.005, 1.0 / 2))
    #expect(abs(frequency["w_lfu"]! - factor / (factor + 1)) < 1e-15)
  }

  @Test("No weight leaves 0.01 … 0.99")
  func bounds() throws {
    // LRU evicts a for m or n, and a comes back at once: e^(−10 r) would leave LRU less.
    let one = try learned(LeCaR.self, "lecar:rate=10", capacity: 12, "aabcdefghijklmna").internals
    #expect(one["w_lru"] == 0.01)
    #expect(one["w_lfu"] == 0.99)
  }

  @Test("Each history forgets the oldest-evicted, and a removed ghost taught nothing")
  func historiesAreBounded() throws {
    // As in frequencyReturns, with room for one ghost in each history: b pushes out a.
    #expect(try learned(LeCaR.self, "lecar:ghosts=0.5", capacity: 2, "aabcbde").ghosts == "b")
    #expect(try learned(LeCaR.self, "lecar:ghosts=0", capacity: 2, "aabcbde").ghosts == "")
    let removed = try outcome(of: "lecar", capacity: 2, "a a b c -b b")
    #expect(removed == ". + . .b _ .a")
  }
}
