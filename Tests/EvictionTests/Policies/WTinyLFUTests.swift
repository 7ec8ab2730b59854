import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("W-TinyLFU by hand")
struct WTinyLFUTests {
  @Test("What the window pushes out stays only if it is more frequent than the main cache's victim")
  func frequencyDecides() throws {
    // Least recent first, with frequencies.  window  probation
    //   a b c   the window has 1 of 3        c1      a1 b1
    //   d       c1 against a1: not more      d1      a1 b1
    //   d       a hit                        d2      a1 b1
    //   e       d2 against a1: a leaves      e1      b1 d2
    //   f       e1 against b1                f1      b1 d2
    //   e e     e2 once more; f1 leaves,     e3      d2 …
    //           then a hit                   e3      b1 d2
    //   g       e3 against b1: b leaves      g1      d2 e3
    #expect(
      try outcome(of: "wtinylfu", capacity: 3, "a b c d d e f e e g")
        == ". . . .c + .a .e .f + .b")
  }

  @Test("A probationary hit protects, and the protected overflow is probationary again")
  func secondRequestProtects() throws {
    // Of 6 the main cache has ⌊0.99 × 6⌋ = 5, of which ⌊0.5 × 5⌋ = 2 are protected.
    // Least recent first.  window  probation  protected
    //   a b c d e f        f       a b c d e  –
    //   a b                f       c d e      a b
    //   c                  f       d e a      b c
    //   g g                g2      d e a      b c      f1 lost against d1
    //   h                  h       e a g      b c      g2 against d1
    //   h i                i       a g h      b c      h2 against e1
    //   i j                j       g h a …             i2 against a2: not more; i leaves
    #expect(
      try outcome(of: "wtinylfu:protected=0.5", capacity: 6, "a b c d e f a b c g g h h i i j")
        == ". . . . . . + + + .f + .d + .e + .i")
  }

  @Test("Frequencies outlive the objects")
  func frequenciesAreRemembered() throws {
    //           window  probation
    //   a a a b b   b2  a3
    //   !           –   a3    b2 against a3: b leaves
    //   c           c1  a3
    //   b           b3  a3    c1 against a3
    //   b           b4  a3
    //   c           c2  b4    b4 against a3: a leaves
    #expect(
      try outcome(of: "wtinylfu", capacity: 2, "a a a b b ! c b b c")
        == ". + + . + _b . .c + .a")
  }

  @Test("Without a window the newcomer itself is compared, and may be refused")
  func withoutWindow() throws {
    // a2 b1; c1 is not more frequent than b1, c2 is; a's place in protected is safe.
    #expect(
      try outcome(of: "wtinylfu:window=0:protected=0.5", capacity: 2, "a a b c c a b b")
        == ". + . x .b + x .c")
  }

  @Test("With a window of everything it is LRU")
  func onlyWindow() throws {
    let trace = "a b c a d b a e"
    #expect(
      try outcome(of: "wtinylfu:window=1", capacity: 3, trace)
        == outcome(of: "lru", capacity: 3, trace))
  }

  @Test("One object fits into the smallest cache")
  func capacityOfOne() throws {
    #expect(try outcome(of: "wtinylfu", capacity: 1, "a a b a") == ". + .a .b")
  }

  @Test("Halving empties the doorkeeper: what was there is forgotten altogether")
  func doorkeeper() throws {
    // The eighth request completes a sample.
    //                   window  probation    without       with a doorkeeper
    //   b b d a×5       a       b d          b1 d0 a2      b0 d0 a2
    //   c               c       b d a        c1            c1
    //   e               e       …            c leaves      b leaves
    let trace = "b b d a a a a a c e"
    let sample = "sample=1"
    #expect(
      try outcome(of: "wtinylfu:\(sample)", capacity: 4, trace) == ". + . . + + + + . .c")
    #expect(
      try outcome(of: "wtinylfu:\(sample):doorkeeper=true", capacity: 4, trace)
        == ". + . . + + + + . .b")
  }

  @Test("A window of two segments keeps what was requested again in it")
  func windowOfTwoSegments() throws {
    // Of 4 the window holds 2, its protected segment 1. a is protected there when b, then c overflow, and d is the
    // candidate against b; in an LRU window a is the first to overflow, and c the candidate against it.
    #expect(
      try outcome(of: "wtinylfu:window=0.5:windowProtected=0.5", capacity: 4, "a a b c d e")
        == ". + . . . .d")
    #expect(
      try outcome(of: "wtinylfu:window=0.5", capacity: 4, "a a b c d e") == ". + . . . .c")
  }

  @Test("A window of two segments does what its model does")
  func windowOfTwoSegmentsModel() throws {
    for features in Workload.Features.samples + Workload.Features.extremes {
      for rest in ["window=0.5", "window=1", "window=0.3:protected=0", "window=0"] {
        let workload = Workload(seed: 5, features: features, length: 1_000)
        let text = "wtinylfu:windowProtected=0.8:\(rest)"
        #expect(try ModelAgreementTests.difference(text, workload) == nil)
      }
    }
  }

  @Test("A main cache of four segments moves an object one up, and what overflows one down")
  func fourSegments() throws {
    // Without a window; each upper segment holds 1 of 4. Least recent first, from the lowest segment up.
    //   a b c d    a b c d
    //   a b        c d a | b
    //   d          c a b | d
    //   e e        e2 against c1: c leaves, a b e | d
    //   f f f      f3 against a2: a leaves; with two segments a, b and d are protected, and e2 leaves
    let trace = "a b c d a b d e e f f f"
    #expect(
      try outcome(of: "wtinylfu:main=s4lru:window=0", capacity: 4, trace)
        == ". . . . + + + x .c x x .a")
    #expect(
      try outcome(of: "wtinylfu:window=0", capacity: 4, trace) == ". . . . + + + x .c x x .e")
  }

  /// Periods of 4 requests. e, refused in the third, is the first loser for long, which lowers the level, at 0 already. f is
  /// refused in the fourth, and again in the same half of it.
  private static let refusedTwice = "a a b b c c d d e a b c f f"

  @Test("Feedback: who is refused twice in half a period stays in the victim's place")
  func feedback() throws {
    #expect(
      try outcome(of: "wtinylfu:window=0:protected=0", capacity: 4, Self.refusedTwice)
        == ". + . + . + . + x + + + x x")
    for form in ["gain", "window"] {
      #expect(
        try outcome(
          of: "wtinylfu:window=0:protected=0:feedback=\(form)", capacity: 4, Self.refusedTwice)
          == ". + . + . + . + x + + + x .d")
    }
  }

  @Test("Feedback: the window grows by 8, at most to what the protected segment had")
  func feedbackOfTheWindow() throws {
    let keys = Self.refusedTwice.split(separator: " ").map { Int($0.utf8.first! - 97) }
    #expect(try windows(of: "wtinylfu:window=0:feedback=window", capacity: 4, keys) == [0, 3])
  }

  @Test(
    "Other main caches, feedback and climbers do what their models do",
    arguments: [
      "main=s4lru:window=0.3", "main=s4lru:window=0", "main=s4lru:feedback=gain",
      "main=random:window=0.5", "main=random:window=0", "main=random:feedback=gain:window=0.2",
      "feedback=gain:window=0:protected=0", "feedback=gain:windowProtected=0.8:window=0.5",
      "feedback=window:window=0.5:sample=1", "feedback=window:window=0",
      "climb=true:climber=indicator:period=7:window=0.5", "climb=true:climber=indicator:period=100",
    ]
      + WTinyLFU.Climber.allCases.filter { $0 != .indicator }.flatMap {
        [
          "climb=true:climber=\($0.rawValue):step=0.5:sample=1",
          "climb=true:climber=\($0.rawValue):sample=3:window=0.5",
        ]
      })
  func formsModel(form: String) throws {
    for features in Workload.Features.samples + Workload.Features.extremes {
      let workload = Workload(seed: 7, features: features, length: 1_000)
      #expect(try ModelAgreementTests.difference("wtinylfu:\(form)", workload) == nil)
    }
  }

  @Test("The window grows or shrinks as long as the hit ratio rises, and turns when it falls")
  func climbing() throws {
    // 20 objects, one of them in the window, then samples of 20 requests, all hits or all misses, and
    // one request that begins the next sample. A step is a quarter of the capacity.
    var keys = Array(0...20)
    for sample in 0..<4 {
      keys +=
        sample % 2 == 0
        ? Array(repeating: keys.last!, count: 20) : Array(30..<50).map { $0 + keys.count }
    }
    keys.append(0)
    // All hits: the first step is down, but one object stays. No hits: up. All hits: further up. No
    // hits: down.
    #expect(
      try windows(of: "wtinylfu:climb=true:step=0.25:sample=1", capacity: 20, keys) == [
        1, 6, 11, 6,
      ])
    // A small cache begins with a step up, of 2, and each sample is another workload. The window never
    // falls below one object.
    #expect(try windows(of: "wtinylfu:density=true:sample=1", capacity: 20, keys) == [1, 3, 1, 3])
  }

  @Test("Density: the window shrinks where the main cache earns more per object")
  func densities() throws {
    // The window has 50 of 100 objects and no hits, which count as an eighth of the bar of 4: 0.01 per
    // object. The main cache has 100 hits: 2 per object. A step is 3 objects × ln(0.01/2) = −15.9.
    let keys = Array(0...100) + Array(repeating: 1, count: 101)
    let text = "wtinylfu:window=0.5:sample=1:density=true:dense=99"
    #expect(try windows(of: text, capacity: 100, keys) == [50, 35])
  }

  @Test("Density: above its threshold it does what its model does")
  func densityModel() throws {
    for (number, rest) in ["", ":victims=queue", ":window=0.5"].enumerated() {
      let workload = Workload(seed: UInt64(number), length: 6_000)
      let text = "wtinylfu:sample=2:density=true:dense=0\(rest)"
      #expect(try ModelAgreementTests.difference(text, workload) == nil)
    }
  }

  private func windows(of text: String, capacity: Int, _ keys: [Int]) throws -> [Double] {
    let workload = Workload(
      capacity: capacity, keys: 1 + (keys.max() ?? 0),
      operations: keys.map { .request(key: $0, size: 1) })
    let arguments = try Specification(parsing: text)
      .arguments(for: WTinyLFU.information.parameters)
    var driver = try PolicyDriver<WTinyLFU>(workload, arguments: arguments)
    var windows: [Double] = []
    for index in workload.operations.indices {
      driver.perform(index)
      driver.policy.showInternals { name, value in
        if name == "window" && windows.last != value { windows.append(value) }
      }
    }
    #expect(driver.run.violation == nil)
    return windows
  }

  @Test("Where a candidate needs the room of one object, all ways to compare are one")
  func victimsOfOneSize() throws {
    var generator = SplitMix64(seed: 5)
    for capacity in [1, 2, 7, 20] {
      let trace = (0..<2_000).map { _ in
        String(
          UnicodeScalar(UInt8(97 + min(generator.index(below: 26), generator.index(below: 26)))))
      }.joined(separator: " ")
      let expected = try outcome(of: "wtinylfu:window=0.2", capacity: capacity, trace)
      for victims in WTinyLFU.Victims.allCases {
        let text = "wtinylfu:window=0.2:victims=\(victims.rawValue)"
        #expect(try outcome(of: text, capacity: capacity, trace) == expected, "\(victims)")
      }
    }
  }

  @Test("Sizes: one victim, each of them or all together decide")
  func victimsOfALargeObject() throws {
    // Without a window, of 10 bytes; a1 is probationary, b2 protected. c needs the room of both.
    //   c7       c1: not more than a1
    //   c7       c2: more than a1, and not than b2
    let trace = "a4 b4 b4 c7 c7"
    #expect(
      try outcome(of: "wtinylfu:window=0:victims=implicit", capacity: 10, trace) == ". . + x .ab")
    #expect(
      try outcome(of: "wtinylfu:window=0:victims=queue", capacity: 10, trace) == ". . + x xa")
    // Together they have 3.
    #expect(
      try outcome(of: "wtinylfu:window=0:victims=aggregated", capacity: 10, trace + " c7 c7")
        == ". . + x x x .ab")
  }

  @Test("Sizes: an object larger than the window must beat every victim")
  func largerThanTheWindow() throws {
    // Of 10 bytes the window has 1. Everything is larger: it enters probation directly.
    //   a4 b4        a b, 8 of 10
    //   c3           c1 is not more frequent than a1
    //   c3           c2 is: a leaves, and c fits
    //   d9           d1 against b1
    //   d9           d2 beats b1, but not c2: b is gone and d is refused
    #expect(
      try outcome(of: "wtinylfu", capacity: 10, "a4 b4 c3 c3 d9 d9") == ". . x .a x xb")
  }
}
