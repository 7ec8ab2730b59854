import Eviction
import Testing

/// In workloads a miss of a or b costs 8, of c, e or z 4, of x 3, of y 2, of d, h, j or l 1.
@Suite("GD-Wheel by hand")
struct GDWheelTests {
  @Test("On one wheel, an object waits as many queues as it costs")
  func oneWheel() throws {
    // The hand, and the queues that are not empty.
    //   a d                         0: 1 d, 8 a
    //   c     the hand goes to 1    1: 5 c, 8 a
    //   h                           5: 6 h, 8 a
    //   j                           6: 7 j, 8 a
    //   l                           7: 8 l a
    //   f     the tail of queue 8
    let trace = "a d c h j l f"
    #expect(try outcome(of: "gd-wheel", capacity: 2, trace) == ". . .d .c .h .j .a")
    #expect(try outcome(of: "gd-wheel:wheels=1", capacity: 2, trace) == ". . .d .c .h .j .a")
  }

  @Test("A turn of the first wheel brings the next queue of the second down")
  func migration() throws {
    // Hands, then the queues of four on the first wheel | on the second.
    //   a d                         0 0: 1 d | 2 a
    //   h     d leaves              1 0: 2 h | 2 a
    //   e     h leaves              2 0: – | 1 e, 2 a
    //   j     a turn; e comes down  0 1: 0 e | 2 a;  e leaves: 1 j | 2 a
    //   l     j leaves              1 1: 2 l | 2 a
    //   x     l leaves              2 1: – | 2 x a
    //   y     a turn; a has nothing left over, x has 3
    //                               0 2: 0 a, 3 x | –;  a leaves: 3 x | 3 y
    //   z     x leaves
    #expect(
      try outcome(of: "gd-wheel:queues=4", capacity: 2, "a d h e j l x y z")
        == ". . .d .h .e .j .l .a .x")
  }

  @Test("A hit counts the cost from the hand again")
  func hitRefreshes() throws {
    //   a d c d     d leaves for c: 5 c, 8 a; c leaves for d: 6 d, 8 a; hand 5
    //   d d h       6 d again, twice; d leaves
    #expect(try outcome(of: "gd-wheel", capacity: 2, "a d c d d d h") == ". . .d .c + + .d")
    // c was at 4, is at 5 with d gone from 1, and at 5 again: b at 8 stays.
    #expect(try outcome(of: "gd-wheel", capacity: 2, "c d c b h") == ". . + .d .c")
  }

  @Test("Costs are rounded, and bounded by what the wheels can tell apart")
  func costsAreRounded() throws {
    func run(_ parameters: String, _ costs: [(Slot, Double)]) throws -> String {
      let requests = costs.map { Request(slot: $0, cost: $1) }
      return try outcome(of: GDWheel.self, parameters, capacity: 2, requests)
    }
    // 1.4 and 0.1 are 1; 1.5 is 2
    #expect(try run("", [(0, 1.5), (1, 1.4), (2, 9)]) == ". . .b")
    #expect(try run("", [(0, 1.4), (1, 0.1), (2, 9)]) == ". . .a")
    #expect(try run("", [(0, .nan), (1, 1), (2, 9)]) == ". . .a")
    // 3 at most: both are equal
    #expect(try run("wheels=1:queues=4", [(0, 1e300), (1, 3), (2, 9)]) == ". . .a")
    // Four wheels: the hands run to where something is.
    #expect(try run("wheels=4", [(0, 4e9), (1, 3e9), (2, 1), (3, 1)]) == ". . .b .c")
  }
}
