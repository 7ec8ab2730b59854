import Eviction
import Testing

/// In the tables the least recent of a list stands first.
@Suite("k-LRU by hand")
struct KLRUTests {
  @Test("A key that the list of keys has enters the cache, and hits renew it in both")
  func secondRequestEnters() throws {
    // Both hold 2     keys  cache
    //   a b           ab    –
    //   a   known     ba    a
    //   c   b leaves  ac    a
    //   b   a leaves  cb    a
    //   a   hit       ba    a
    //   b   known     ab    ab
    //   c   a leaves  bc    ab
    //   c   known     bc    bc    (a left)
    #expect(
      try outcome(of: "k-lru", capacity: 2, "a b a c b a b c c") == "x x . x x + . x .a")
  }

  @Test("A hit in the cache is a request in the list of keys")
  func hitsRenewKeys() throws {
    // a a, then b is known, a is renewed by its hit and c pushes b out: b is unknown again.
    #expect(try outcome(of: "k-lru", capacity: 2, "a a b a c b") == "x . x + x x")
    // Without the hit b is known.
    #expect(try outcome(of: "k-lru", capacity: 2, "a a b c b") == "x . x x .")
  }

  @Test("With k = 3 a key passes one list at each request")
  func threeLists() throws {
    // Capacity 2          first  second  cache
    //   a                 a      –       –
    //   a                 a      a       –
    //   a                 a      a       a
    //   b                 ab     a       a
    //   a   hit           ba     a       a
    //   b                 ab     ab      a
    //   b                 ab     ab      ab
    #expect(try outcome(of: "k-lru:k=3", capacity: 2, "a a a b a b b") == "x x . x + x .")
  }

  @Test("With k = 1 it is LRU")
  func oneListIsLRU() throws {
    var generator = SplitMix64(seed: 4)
    for capacity in [1, 2, 5, 12] {
      let trace = (0..<1_000).map { _ in
        let key = min(generator.index(below: 26), generator.index(below: 26))
        return String(UnicodeScalar(UInt8(97 + key)))
      }.joined(separator: " ")
      #expect(
        try outcome(of: "k-lru:k=1", capacity: capacity, trace)
          == outcome(of: "lru", capacity: capacity, trace))
    }
  }

  @Test("The list of keys may be shorter, or hold nothing")
  func ghosts() throws {
    // Two keys: c pushes a out, and the hit of a pushes b out; d is known at its second request.
    #expect(
      try outcome(of: "k-lru:ghosts=0.5", capacity: 4, "a a b b c a d d a") == "x . x . x + x . +")
    #expect(try outcome(of: "k-lru:ghosts=0", capacity: 3, "a a a") == "x x x")
  }

  @Test("Keys count as their objects do")
  func sizes() throws {
    // a and b are 11 of 10: the key of either pushes out the other's. a is in the cache until b enters.
    #expect(
      try outcome(of: "k-lru", capacity: 10, "a6 a6 b5 b5 a6 c9 c9") == "x . x .a x x .b")
  }

  @Test("A removed object is unknown, and a smaller capacity forgets keys at once")
  func removalAndShrink() throws {
    // Keys: b c a, without b c a, then c a b, and a b at C = 2: c is unknown, a still in the cache.
    #expect(
      try outcome(of: "k-lru", capacity: 4, "a b c a -b b =2 c a !")
        == "x x x . _ x _ x + _a")
  }
}
