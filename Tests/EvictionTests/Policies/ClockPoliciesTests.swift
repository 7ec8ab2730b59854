import Testing

@Suite("LIFO by hand")
struct LIFOTests {
  @Test("The newest leaves, and a hit changes nothing")
  func newestLeaves() throws {
    // ab, ac (b left), ac, ad (c left)
    #expect(try outcome(of: "lifo", capacity: 2, "a b c a d b") == ". . .b + .c .d")
  }
}

@Suite("CLOCK by hand")
struct CLOCKTests {
  @Test("A set bit saves an object once, and makes it the newest")
  func secondChance() throws {
    // Oldest first, ' marks a set bit.
    //   a b c a    a'bc
    //   d          bca → the hand passes a, evicts b: c a d
    //   e          c leaves: a d e
    //   f          a leaves, as its bit was cleared: d e f
    #expect(try outcome(of: "clock", capacity: 3, "a b c a d e f") == ". . . + .b .c .a")
  }

  @Test("When every bit is set, the oldest leaves after a whole round")
  func wholeRound() throws {
    // a'b' → b'a → ab: a leaves; b c
    #expect(try outcome(of: "clock", capacity: 2, "a b a b c b") == ". . + + .a +")
  }

  @Test("With a newcomer's bit set, all are passed over once")
  func insertBit() throws {
    // a'b' → ab: a leaves; b c' → d: b leaves. Without the bit the same, so a hit tells:
    //   a'b' a     → c: all are passed over, a leaves though it was requested
    #expect(try outcome(of: "clock:insertBit=1", capacity: 2, "a b a c") == ". . + .a")
    #expect(try outcome(of: "clock", capacity: 2, "a b a c") == ". . + .b")
  }

  @Test("A counter of two bits stops at 3, and saves an object three times")
  func twoBits() throws {
    // a has 3 after four hits; each newcomer's pass costs 1, and the fourth evicts a.
    #expect(
      try outcome(of: "clock:bits=2", capacity: 2, "a a a a a b c d e f")
        == ". + + + + . .b .c .d .a")
    #expect(
      try outcome(of: "clock", capacity: 2, "a a a a a b c d e f")
        == ". + + + + . .b .a .c .d")
  }

  @Test(
    "Inserted first, the newcomer is passed by those that are passed over, and may leave at once")
  func insertFirst() throws {
    // a'bc → the hand passes a: b c d a, evicts b: c d a. Evicting first it is c a d. Then e: c leaves
    // in both; f: d leaves, where evicting first it is a.
    let trace = "a b c a d e f"
    #expect(try outcome(of: "clock:order=insert-first", capacity: 3, trace) == ". . . + .b .c .d")
    #expect(try outcome(of: "clock", capacity: 3, trace) == ". . . + .b .c .a")
    // a'b' and c: the hand clears both bits and finds c; then d: a leaves.
    #expect(
      try outcome(of: "clock:order=insert-first", capacity: 2, "a b a b c d") == ". . + + x .a")
  }

  @Test("A removed object leaves the order of the others alone")
  func removal() throws {
    // a b c d, −b: a c d; e; f: a leaves; b: c leaves
    #expect(try outcome(of: "clock", capacity: 4, "a b c d -b e f b") == ". . . . _ . .a .c")
  }
}

@Suite("SIEVE by hand")
struct SIEVETests {
  @Test("Survivors stay in place, and the hand stays where it was")
  func survivorsStay() throws {
    // Tail first, ' marks visited, the hand is before ^.
    //   a b c a b   a'b'c
    //   d           a and b are cleared, c leaves: a b d, the hand is unset (c was the head)
    //   b           a b'd
    //   e           a leaves: ^b'd e
    //   f           b is cleared, d leaves: b^e f
    //   g           e leaves, though b is older and not visited: b^f g
    #expect(
      try outcome(of: "sieve", capacity: 3, "a b c a b d b e f g")
        == ". . . + + .c + .a .d .e")
  }

  @Test("Past the head the hand goes on at the tail")
  func wraps() throws {
    // a'b'c' → all cleared, then a leaves: ^b c d. Then b leaves: ^c d e.
    #expect(try outcome(of: "sieve", capacity: 3, "a b c a b c d e") == ". . . + + + .a .b")
  }

  @Test("The hand moves on when its object is removed")
  func handIsRemoved() throws {
    // a b c: d evicts a: ^b c d. −b: ^c d. e; f evicts c: ^d e f
    #expect(try outcome(of: "sieve", capacity: 3, "a b c d -b e f") == ". . . .a _ . .c")
    // a'b c: d passes a, evicts b: a^c d. −c: a^d. e; f evicts d: a^e f
    #expect(try outcome(of: "sieve", capacity: 3, "a b c a d -c e f") == ". . . + .b _ . .d")
  }

  @Test("The hand of a removed head starts over at the tail")
  func handAtTheHeadIsRemoved() throws {
    // a'b'c: d evicts c, the hand is unset: a b d. d' b' a'; e: all are cleared, a leaves: ^b d e.
    // −b −d −e empties it. Then f g h i: f leaves.
    #expect(
      try outcome(of: "sieve", capacity: 3, "a b c a b d d b a e -b -d -e f g h i")
        == ". . . + + .c + + + .a _ _ _ . . . .f")
  }

  @Test("A cache of one object evicts it")
  func capacityOfOne() throws {
    #expect(try outcome(of: "sieve", capacity: 1, "a a b c c") == ". + .a .b +")
  }
}

@Suite("Random-two by hand")
struct RandomTwoTests {
  @Test("Of all residents, the most recently used leaves only if both draws find it")
  func mostRecentSeldomLeaves() throws {
    // A loop over two residents and a newcomer: anyone who was requested last is drawn twice in one of
    // four evictions. Over 400 of them, between 60 and 140.
    let trace = (0..<400).map { $0 % 2 == 0 ? "a b c" : "d e f" }.joined(separator: " ")
    let outcomes = try outcome(of: "random-two", capacity: 2, trace).split(separator: " ")
    var last = Character("?")
    var mostRecent = 0
    for (word, letter) in zip(outcomes, trace.split(separator: " ")) {
      if word.last == last { mostRecent += 1 }
      last = letter.first!
    }
    let evictions = outcomes.count { $0.count == 2 }
    #expect(evictions > 800)
    #expect((evictions / 6...evictions / 3).contains(mostRecent))
  }

  @Test("The same seed gives the same evictions")
  func isReproducible() throws {
    let trace = "a b c d e f a b c g h a b"
    #expect(
      try outcome(of: "random-two", capacity: 4, trace)
        == outcome(of: "random-two", capacity: 4, trace))
  }
}
