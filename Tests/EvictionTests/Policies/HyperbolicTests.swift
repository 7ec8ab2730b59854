import Eviction
import Testing

@Suite("Hyperbolic caching by hand")
struct HyperbolicTests {
  // A sample of 1000 of at most three residents has seen them all.
  static func hyperbolic(_ weight: String = "none") -> String {
    "hyperbolic:sample=1000:weight=\(weight)"
  }

  @Test("The fewest requests per age leave, not the fewest requests")
  func requestsPerAge() throws {
    // Request 8 needs room: a entered at 1 with 3 requests, 3/7; b at 6 with 1, 1/2; c at 7, 1/1.
    // LFU would let b go.
    let trace = "a a a -c -c -c b c"
    #expect(try outcome(of: Self.hyperbolic(), capacity: 3, trace) == ". + + _ _ _ . .")
    // Requests:  1 2 3 4 5 6: a has 4/5 (entered 1), b 1/1 (entered 5): a leaves.
    #expect(
      try outcome(of: Self.hyperbolic(), capacity: 2, "a a a a b c") == ". + + + . .a")
    #expect(try outcome(of: "lfu", capacity: 2, "a a a a b c") == ". + + + . .b")
  }

  @Test("A priority falls while nobody asks for the object")
  func prioritiesFall() throws {
    // At request 5: a 2/4, b 1/2, c 1/1: a tie of a and b, which the draws decide; at 6 the rest.
    // Here a's two requests are old: at request 7 a has 2/6, b 3/4.
    #expect(
      try outcome(of: Self.hyperbolic(), capacity: 2, "a a b b b c") == ". + . + + .a")
    // 2/5 against 3/3.
  }

  @Test("By size, the larger of two equals leaves; without, sizes do not matter")
  func sizes() throws {
    // At request 3: a 1/2, b 1/1; by size a 1/2/1, b 1/1/5.
    #expect(try outcome(of: Self.hyperbolic(), capacity: 6, "a1 b5 c1") == ". . .a")
    #expect(try outcome(of: Self.hyperbolic("size"), capacity: 6, "a1 b5 c1") == ". . .b")
  }

  @Test("An empty object leaves last, but one whose miss costs nothing first")
  func emptyObjects() throws {
    // At request 4: a 1/3/0, infinite; b 1/2/1, c 1/1/1.
    #expect(try outcome(of: Self.hyperbolic("size"), capacity: 2, "a0 b1 c1 d1") == ". . . .b")
    // With a miss of a at no cost, a has 0 × ∞, of which nothing is left; b has 1 × 1/2/1, c 1/1/1.
    let requests = [(0, 0.0), (1, 1), (1, 1), (1, .infinity)].enumerated().map {
      Request(slot: Slot($0), size: $1.0, cost: $1.1)
    }
    #expect(
      try outcome(of: Hyperbolic.self, "sample=1000:weight=cost-size", capacity: 2, requests)
        == ". . . .ab")
  }

  @Test("A sample of one is a uniform draw")
  func sampleOfOne() throws {
    let trace = "a b c d e f g h a b c d"
    #expect(
      try outcome(of: "hyperbolic:sample=1", capacity: 3, trace)
        == outcome(of: "random", capacity: 3, trace))
  }
}
