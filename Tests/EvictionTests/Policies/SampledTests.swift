import Eviction
import Testing

@Suite("Sampled LRU by hand")
struct SampledLRUTests {
  @Test("A sample that has seen every resident makes it LRU")
  func largeSampleIsLRU() throws {
    let trace = "a b c a d b a e c a b d d a e f b a c"
    #expect(
      try outcome(of: "sampled-lru:sample=1000", capacity: 3, trace)
        == outcome(of: "lru", capacity: 3, trace))
  }

  @Test("Ticks hide the order within them: of equally idle residents the one drawn first leaves")
  func ticksHideOrder() throws {
    // Seed 42 draws 1, 0 below 2: b, then a. Both are of tick 0; b was offered first, so that it is the
    // last of the pool.
    var generator = SplitMix64(seed: 42)
    #expect((0..<2).map { _ in generator.index(below: 2) } == [1, 0])
    let policy = "sampled-lru:sample=2:resolution=100"
    #expect(try outcome(of: policy, capacity: 2, "a b c") == ". . .b")
    #expect(try outcome(of: "sampled-lru:sample=2", capacity: 2, "a b c") == ". . .a")
  }

  @Test("The pool keeps what earlier samples saw, with the idleness of that time")
  func poolRemembers() throws {
    // Seed 42 draws 2, 0, 0, 1 below 3.
    //   a b c b b b b   residents [a b c]
    //   d               draws c, idle for 5, and a, idle for 7, which leaves: [c b d]; c stays in the pool
    //   c               is not idle any more, but its candidate still is
    //   e               draws c, idle for 1, and b, idle for 3: the pool has c 1, b 3, c 5
    var generator = SplitMix64(seed: 42)
    #expect((0..<4).map { _ in generator.index(below: 3) } == [2, 0, 0, 1])
    let trace = "a b c b b b b d c e"
    #expect(
      try outcome(of: "sampled-lru:sample=2", capacity: 3, trace) == ". . . + + + + .a + .c")
    #expect(
      try outcome(of: "sampled-lru:sample=2:pool=0", capacity: 3, trace)
        == ". . . + + + + .a + .b")
  }

  @Test("A removed object leaves the pool, too")
  func removalLeavesThePool() throws {
    // b and a are in the pool when a leaves for c; b is removed and comes back as the newest object.
    let trace = "a b c -b b d"
    #expect(try outcome(of: "sampled-lru:sample=1000", capacity: 2, trace) == ". . .a _ . .c")
  }
}

@Suite("Sampled LFU by hand")
struct SampledLFUTests {
  /// With log=0 each request counts, and a sample of 1000 has seen every resident.
  static let exact = "sampled-lfu:sample=1000:pool=0:log=0"

  @Test("The smallest counter leaves")
  func smallestCounter() throws {
    // Counters begin with 5: a 7, b 6, c 5; then d 5.
    #expect(
      try outcome(of: Self.exact, capacity: 3, "a a a b b c d") == ". + + . + . .c")
  }

  @Test("Idle counters lose one per period")
  func decay() throws {
    // A period of 2 requests. a: 5 in period 0, 6 in period 1 … the trace's requests are 1, 2, …; the
    // period is half of that.
    // a a a a: 5, 5 − 1 + 1 = 5 (period 1), 6, 6 − 1 + 1 = 6 (period 2).
    // b at 5: 5 (period 2). b b at 6, 7: 5 − 1 + 1 = 5 (period 3), 6.
    // c at 8 in period 4: a is 6 − 2 = 4, b 6 − 1 = 5.
    #expect(
      try outcome(of: Self.exact + ":decay=2", capacity: 2, "a a a a b b b c")
        == ". + + + . + + .a")
    // Without decay a has 8, b 7.
    #expect(
      try outcome(of: Self.exact + ":decay=0", capacity: 2, "a a a a b b b c")
        == ". + + + . + + .b")
  }

  @Test("A counter of 5 always grows, one beyond it by chance")
  func logarithmicCounter() throws {
    // With log=0 a is 10 and b 7. With a huge factor both are 6, whatever they were requested after
    // their second request, and the draws decide: the same for both traces.
    let many = "a a a a a a b b b c"
    let few = "a a a b b b b b b c"
    #expect(try outcome(of: Self.exact, capacity: 2, many) == ". + + + + + . + + .b")
    #expect(try outcome(of: Self.exact, capacity: 2, few) == ". + + . + + + + + .a")
    let slow = "sampled-lfu:sample=1000:pool=0:log=1000000"
    #expect(
      try outcome(of: slow, capacity: 2, many).suffix(1)
        == outcome(of: slow, capacity: 2, few).suffix(1))
  }
}
