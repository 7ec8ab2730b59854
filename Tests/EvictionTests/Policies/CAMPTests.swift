import Eviction
import Testing

/// In workloads a miss of a or b costs 8, of c or e 4, of i 7, of d, h or j 1.
@Suite("CAMP by hand")
struct CAMPTests {
  @Test("L becomes the lowest priority that is left")
  func inflation() throws {
    //                               residents     L
    //   a d                         a8 d1         0
    //   c     d leaves              a8 c12        8
    //   h     a leaves              c12 h13       12
    //   j     c leaves              h13 j14       13
    #expect(try outcome(of: "camp", capacity: 2, "a d c h j") == ". . .d .a .c")
  }

  @Test("Objects whose ratios are rounded to one are in LRU order")
  func rounding() throws {
    // 7 and 4 are both 4 with one bit
    #expect(try outcome(of: "camp:precision=1", capacity: 2, "i c a") == ". . .i")
    #expect(try outcome(of: "camp", capacity: 2, "i c a") == ". . .c")
    #expect(try outcome(of: "camp:precision=1", capacity: 2, "i c i a") == ". . + .c")
  }

  @Test("Ratios are whole numbers of the largest size's")
  func scale() throws {
    // a 8 × 4/4 = 8; e 4 × 4/1 = 16; e leaves if it takes four
    #expect(try outcome(of: "camp", capacity: 6, "a4 e1 d2") == ". . .a")
    #expect(try outcome(of: "camp", capacity: 9, "a4 e4 d2") == ". . .e")
  }

  @Test("Of equal heads, that of the larger ratio was used longer ago, and leaves")
  func equalHeads() throws {
    //                               residents     L
    //   d c h                       d1 c4 h1      0
    //   e     d leaves              c4 h1 e5      1
    //   j     h leaves              c4 e5 j5      4
    //   l     c leaves              e5 j6? – see below
    // d leaves: L = 1 (h). e = 5. h leaves: L = 4 (c). j = 5. c leaves: L = 5. l = 6.
    // Now e5 (ratio 4) and j5 (ratio 1): e was used longer ago.
    #expect(try outcome(of: "camp", capacity: 3, "d c h e j l a") == ". . . .d .h .c .e")
  }

  @Test("Costs that make no sense count as nothing, and any size of one is bounded")
  func strangeCosts() throws {
    func run(_ costs: [Double]) throws -> String {
      let requests = costs.enumerated().map { Request(slot: Slot($0), cost: $1) }
      return try outcome(of: CAMP.self, capacity: 2, requests)
    }
    #expect(try run([1, .nan, 1]) == ". . .b")
    #expect(try run([1, -3, 1]) == ". . .b")
    #expect(try run([1e300, .infinity, 1, 1]) == ". . .a .b")
  }
}
