import Eviction
import Testing

/// In workloads a miss of a or b costs 8, of c or e 4, of f 10, of d, h, j or l 1.
@Suite("GDSF by hand")
struct GDSFTests {
  @Test("What is cheap leaves first, until L has caught up with the dear")
  func cheapLeaves() throws {
    // Priorities in units of 10⁶.   residents     L
    //   a d                         a8 d1         0
    //   c     d leaves              a8 c5         1
    //   h     c leaves              a8 h6         5
    //   j     h leaves              a8 j7         6
    //   l     j leaves              a8 l8         7
    //   f     a and l are equal, a was used longer ago
    #expect(try outcome(of: "gdsf", capacity: 2, "a d c h j l f") == ". . .d .c .h .j .a")
  }

  @Test("At one cost it is LFU with aging")
  func agesFrequencies() throws {
    //   a a a b                     a3 b1         0
    //   c     b leaves              a3 c2         1
    //   d     c leaves              a3 d3         2
    //   e     a and d are equal, a was used longer ago: LFU would evict d
    let trace = "a a a b c d e"
    #expect(try outcome(of: "gdsf:objective=hits", capacity: 2, trace) == ". + + . .b .c .a")
    #expect(try outcome(of: "lfu", capacity: 2, trace) == ". + + . .b .c .d")
  }

  @Test("Without frequencies a second request only refreshes")
  func greedyDualSize() throws {
    // d 3, h 1; or both 1, and d was used longer ago
    #expect(try outcome(of: "gdsf", capacity: 2, "d d d h j") == ". + + . .h")
    #expect(try outcome(of: "gdsf:frequency=false", capacity: 2, "d d d h j") == ". + + . .d")
  }

  @Test("What is large is worth less, unless bytes are what a hit saves")
  func sizesDivide() throws {
    // a 1/1, b 1/5; or 1 each, and a was used longer ago
    #expect(try outcome(of: "gdsf:objective=hits", capacity: 6, "a1 b5 c1") == ". . .b")
    #expect(try outcome(of: "gdsf:objective=bytes", capacity: 6, "a1 b5 c1") == ". . .a")
  }

  @Test("A newcomer that enters first has the L of before, and may be its own victim")
  func insertFirst() throws {
    // Priorities in units of 10⁶.   residents     L
    //   a a d d                     a16 d2        0
    //   h     itself the lowest     a16 d2        1
    //   j     equal to d, which was used longer ago
    //                               a16 j2        2
    //   l     j leaves              a16 l3        2
    let trace = "a a d d h j l"
    #expect(try outcome(of: "gdsf", capacity: 2, trace) == ". + . + .d .h .j")
    #expect(try outcome(of: "gdsf:order=insert-first", capacity: 2, trace) == ". + . + x .d .j")
  }

  @Test("A removed object's requests are forgotten")
  func removalForgets() throws {
    #expect(try outcome(of: "gdsf", capacity: 2, "d d d -d d h j") == ". + + _ . . .d")
  }

  @Test("An object keeps the cost of its miss; costs that make no sense count as nothing")
  func costsAreKept() throws {
    func run(_ costs: [(Slot, Double)]) throws -> String {
      let requests = costs.map { Request(slot: $0, cost: $1) }
      return try outcome(of: GDSF.self, capacity: 2, requests)
    }
    // a 2 × 1, b 3
    #expect(try run([(0, 1), (1, 3), (0, 9), (2, 1)]) == ". . + .a")
    #expect(try run([(0, 1), (1, .nan), (2, 1)]) == ". . .b")
    #expect(try run([(0, -5), (1, 0), (2, 1)]) == ". . .a")
    // L is infinite from d's arrival on, and every object is equal then.
    #expect(
      try run([(0, .infinity), (1, .infinity), (2, 1), (3, 1), (4, 1)]) == ". . .a .b .c")
  }
}
