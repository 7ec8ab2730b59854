import Eviction
import Testing

@Suite("Tree pseudo-LRU by hand")
struct PLRUTests {
  @Test("The bits lead to an object that was not used lately, which need not be the least recent")
  func pseudo() throws {
    // Leaves: a c | b d. After d the root points left; c turns it right, where the node points to b.
    // e takes b's place and turns the root left, where the node points to a.
    let trace = "a b c d c e f"
    #expect(try outcome(of: "plru", capacity: 4, trace) == ". . . . + .b .a")
    #expect(try outcome(of: "lru", capacity: 4, trace) == ". . . . + .a .b")
  }

  @Test("A capacity that is no power of two leaves a leaf out")
  func threeLeaves() throws {
    // a c | b: after c the root points right, and after d left
    #expect(try outcome(of: "plru", capacity: 3, "a b c d e") == ". . . .b .a")
  }

  @Test("A half without objects is passed over")
  func emptyHalf() throws {
    // a c | b: b leaves first, and then the root points to nothing
    #expect(try outcome(of: "plru", capacity: 6, "a2 b2 c2 d5") == ". . . .bac")
  }

  @Test("A newcomer takes the place that was left last")
  func vacantPlace() throws {
    // a c | b d: e takes b's place, and turns the root left, where the node points to a
    #expect(try outcome(of: "plru", capacity: 4, "a b c d -b e f") == ". . . . _ . .a")
  }

  @Test("Each set evicts for itself, also where another one has room")
  func sets() throws {
    // Two sets of two ways: a hash in the lower half of all hashes is of the first.
    let requests = "abcadbe".map { letter in
      let number = UInt32(letter.asciiValue! - Character("a").asciiValue!)
      return Request(slot: number, keyHash: letter == "d" ? .max : UInt64(number))
    }
    // c finds the first set full, and the second empty; d fills no way of the first.
    #expect(
      try outcome(of: PLRU.self, "ways=2", capacity: 4, requests) == ". . .a .b . .c .a")
  }

  @Test("The ways are as good as LRU where there are two")
  func twoWays() throws {
    let trace = "a b a c b a c c a b c b a"
    #expect(
      try outcome(of: "plru:ways=2", capacity: 3, trace)
        == outcome(of: "lru", capacity: 2, trace))
  }
}
