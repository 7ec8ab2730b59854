import Eviction
import Testing

/// Letters are experts of the layers 0 to 4 in turn: a and f are of layer 0, b and g of 1, c and h of 2.
@Suite("Least-Stale by hand")
struct LeastStaleTests {
  @Test("Of the stale the lowest layer behind leaves first, then the highest ahead")
  func order() throws {
    // Pass 1 is a b c d; the others are of layer 1 in pass 2. Of a b c d only a is behind, and d is the farthest ahead.
    #expect(
      try outcome(of: "least-stale", capacity: 4, "a b c d g l q v")
        == ". . . . .a .d .c .b")
  }

  @Test("A current expert of a layer behind leaves before one of the current layer")
  func current() throws {
    // All are of one pass: a, then b leave for c and h.
    #expect(try outcome(of: "least-stale", capacity: 2, "a b c h") == ". . .a .b")
    // With order=fifo the first of the pass.
    #expect(try outcome(of: "least-stale:order=fifo", capacity: 2, "b g b c") == ". . + .b")
    #expect(try outcome(of: "least-stale", capacity: 2, "b g b c") == ". . + .g")
  }

  @Test("With order=fifo the oldest pass leaves first, whatever the layer")
  func fifo() throws {
    // e is of pass 1, b of pass 2, a and c of pass 3; b is behind the layer of c, e ahead.
    #expect(try outcome(of: "least-stale:order=fifo", capacity: 3, "e b a c") == ". . . .e")
    #expect(try outcome(of: "least-stale", capacity: 3, "e b a c") == ". . . .b")
  }

  @Test("A request in another class moves the object to that layer, and grows the lists")
  func otherClass() throws {
    let classes: [(Int, UInt32)] = [(0, 0), (1, 300), (0, 400), (1, 0), (2, 70_000), (3, 80_000)]
    let requests = classes.map { Request(slot: Slot($0.0), requestClass: $0.1) }
    #expect(try outcome(of: LeastStale.self, capacity: 2, requests) == ". . + + .a .b")
  }
}
