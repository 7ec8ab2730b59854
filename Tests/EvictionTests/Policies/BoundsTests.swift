import Eviction
import Testing

@Suite("Belady's MIN by hand")
struct OPTTests {
  @Test("The farthest next use leaves")
  func farthestLeaves() throws {
    // next uses: a3 b5; c4 comes and b leaves; a and c hit; b comes back: a is never used again.
    #expect(try outcome(of: "opt", capacity: 2, "a b c a c b") == ". . .b + + .a")
  }

  @Test("What is never used again leaves first, the least recently used before others")
  func neverUsedAgain() throws {
    // a and b never, c at 5: d takes a's place, e takes b's, c hits.
    #expect(try outcome(of: "opt", capacity: 3, "b a c d e c") == ". . . .b .a +")
  }

  @Test("A hit without a next use makes an object the farthest")
  func lastHit() throws {
    // a is used last at 2; c takes its place, not that of b.
    #expect(try outcome(of: "opt", capacity: 2, "a b a c b c") == ". . + .a + +")
  }

  @Test("With bypass, a newcomer that is used later than all others is refused")
  func bypass() throws {
    #expect(try outcome(of: "opt", capacity: 2, "a b d a b") == ". . .b + .d")
    #expect(try outcome(of: "opt:bypass=true", capacity: 2, "a b d a b") == ". . x + +")
    // Equally far, never: refused, too. With room it enters.
    #expect(try outcome(of: "opt:bypass=true", capacity: 1, "a b") == ". x")
  }

  @Test("A trim takes the farthest, too, and a removal leaves room")
  func trims() throws {
    #expect(try outcome(of: "opt", capacity: 3, "a b c ! -a d b c") == ". . . _a _ . + +")
  }

  @Test("Sizes only say how many must leave")
  func sizes() throws {
    #expect(try outcome(of: "opt", capacity: 5, "a1 b4 c2 a1 c2 b4") == ". . .b + + .ac")
  }
}

@Suite("Belady-size by hand")
struct BeladySizeTests {
  @Test("Distance times size decides")
  func product() throws {
    // At c: a is 4 requests away and takes 1, b is 2 away and takes 3: b leaves.
    // At the second b: c is 1 away and takes 2, a is 2 away and takes 1: the farther one leaves.
    let trace = "a1 b3 c2 c2 b3 c2 a1"
    #expect(try outcome(of: "belady-size", capacity: 5, trace) == ". . .b + .a + .b")
    // Opt would let a go.
    #expect(try outcome(of: "opt", capacity: 5, trace) == ". . .a + + + .b")
  }

  @Test("Products change their order as time passes")
  func overtaking() throws {
    // At c (2): a is 6 away and takes 3: 18; b is 9 away and takes 2: 18; the farther one leaves.
    #expect(
      try outcome(of: "belady-size", capacity: 5, "a3 b2 c1 c1 c1 c1 c1 c1 a3 c1 c1 b2")
        .hasPrefix(". . .b"))
    // One request earlier a is the larger product: 7 × 3 against 10 × 2.
    #expect(
      try outcome(of: "belady-size", capacity: 5, "a3 b2 c1 c1 c1 c1 c1 c1 c1 a3 c1 c1 b2")
        .hasPrefix(". . .a"))
  }

  @Test("What is never used again leaves first, whatever its size")
  func neverUsedAgain() throws {
    #expect(try outcome(of: "belady-size", capacity: 6, "a1 b4 c1 d1 b4") == ". . . .a +")
  }
}

@Suite("Bounds are for simulations")
struct BoundsTests {
  @Test("A cache refuses them")
  func cachesRefuseThem() {
    #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(countLimit: 10, policy: CachePolicy(OPT.self))
    }
    #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(countLimit: 10, policy: CachePolicy(BeladySize.self))
    }
    let error = #expect(throws: PolicyError.self) {
      try MemoryCache<Int, Int>.open(countLimit: 10, policy: CachePolicy(Infinite.self))
    }
    #expect(error?.description == "infinite: is a bound, which exists in simulation only")
  }

  @Test("They are marked as such")
  func marked() {
    let bounds = PolicyCatalog.all.filter(\.isBound).map(\.name)
    #expect(bounds == ["opt", "belady-size", "infinite"])
    #expect(PolicyCatalog.all.filter(\.ignoresCapacity).map(\.name) == ["infinite"])
  }
}
