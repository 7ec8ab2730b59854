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
}
