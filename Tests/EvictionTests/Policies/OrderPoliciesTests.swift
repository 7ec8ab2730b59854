import Eviction
import Testing

@Suite("LRU by hand")
struct LRUTests {
  @Test("A hit saves an object from being the least recent")
  func hitMovesToTheMostRecentEnd() throws {
    // least recent first:  a, ab, abc, bca, cad (b left), adb (c left)
    #expect(try outcome(of: "lru", capacity: 3, "a b c a d b") == ". . . + .b .c")
  }

  @Test("A removed object makes room")
  func removalMakesRoom() throws {
    // a, ab, b, bc, cb
    #expect(try outcome(of: "lru", capacity: 2, "a b -a c b") == ". . _ . +")
  }

  @Test("As many objects leave as the newcomer needs, and one larger than the cache does not enter")
  func sizesAreBytes() throws {
    // a2, a2 b2, b2 c3 (a left), c3 a2 (b left), d6 is refused, e5 needs all
    #expect(try outcome(of: "lru", capacity: 5, "a2 b2 c3 a2 d6 e5") == ". . .a .b x .ca")
  }

  @Test("A trim and a smaller capacity evict the least recent")
  func trimAndShrink() throws {
    // abc, bc, bcd, d
    #expect(try outcome(of: "lru", capacity: 3, "a b c ! d =1 d") == ". . . _a . _bc +")
  }
}

@Suite("FIFO by hand")
struct FIFOTests {
  @Test("A hit does not save an object")
  func hitChangesNothing() throws {
    // oldest first:  a, ab, abc, abc, bcd (a left), cda (b left)
    #expect(try outcome(of: "fifo", capacity: 3, "a b c a d a") == ". . . + .a .b")
  }

  @Test("An object that was removed and came back is the newest")
  func removalEndsAStay() throws {
    // abc, bc, bca, cad (b left)
    #expect(try outcome(of: "fifo", capacity: 3, "a b c -a a d") == ". . . _ . .b")
  }
}

@Suite("MRU by hand")
struct MRUTests {
  @Test("The object touched last leaves, before the newcomer enters")
  func touchedLastLeaves() throws {
    // most recent last:  a, ab, abc, bca, bcd (a left), cdb, cde (b left)
    #expect(try outcome(of: "mru", capacity: 3, "a b c a d b e") == ". . . + .a + .b")
  }

  @Test("A loop longer than the cache hits")
  func loopHits() throws {
    // ab, ac (b left), ca, cb (a left), bc
    #expect(try outcome(of: "mru", capacity: 2, "a b c a b c") == ". . .b + .a +")
  }
}

@Suite("Random by hand")
struct RandomTests {
  @Test("The generator's draws say which index leaves, and the last resident takes its place")
  func drawsAreTheGenerators() throws {
    // Seed 42 draws 1, 0, 0 below 2.
    var generator = SplitMix64(seed: 42)
    #expect((0..<3).map { _ in generator.index(below: 2) } == [1, 0, 0])
    // [a b] draws 1: [a c] draws 0: [c d] draws 0: [d e]
    #expect(try outcome(of: "random", capacity: 2, "a b c d e") == ". . .b .a .c")
  }

  @Test("A removal fills the hole with the last resident and draws nothing")
  func removalSwapsWithTheLast() throws {
    // [a b c], a removed: [c b]; [c b d] draws index 2 of 3 first: e takes the place of d.
    var generator = SplitMix64(seed: 42)
    #expect(generator.index(below: 3) == 2)
    #expect(try outcome(of: "random", capacity: 3, "a b c -a d e") == ". . . _ . .d")
  }
}
