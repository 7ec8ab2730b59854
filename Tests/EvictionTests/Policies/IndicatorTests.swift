import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("The climbers of the indicator, and those of FRD")
struct IndicatorTests {
  @Test("W-TinyLFU: the window is what the skew and the frequencies of a period say")
  func window() throws {
    // 100 objects, and one that evicts. Then periods of 8 requests.
    //   0 1 0 1 …   frequencies 0 0 1 1 2 2 3 3: h = 1.5; no skew: 1.5 / 15 × 80 = 8
    //   0 0 0 …     no line through one key: none, but one object stays
    //   50 × 5, 51 × 3   h = 13/8; s = log₂(5/3), s³ = 0.4: 1.625 × 0.6 / 15 × 80 = 5.2
    let keys =
      Array(0...100) + [0, 1, 0, 1, 0, 1, 0, 1] + Array(repeating: 0, count: 8)
      + Array(repeating: 50, count: 5) + [51, 51, 51, 50]
    let text = "wtinylfu:climb=true:climber=indicator:period=8"
    #expect(
      try values(of: "window", WTinyLFU.self, text, capacity: 100, keys) == [1, 8, 1, 5])
  }

  @Test("FRD: the filter has what the indicator says, at least one object")
  func filter() throws {
    // The same from the first request on, and before the request that ends a period: a filter of 10, then of 1.
    let keys = [0, 1, 0, 1, 0, 1, 0, 1] + Array(repeating: 0, count: 8)
    #expect(
      try values(of: "main", FRD.self, "frd:main=0.5:climb=indicator:period=8", capacity: 100, keys)
        == [50, 90, 99])
  }

  @Test("FRD: the filter shrinks as long as the hit ratio does not fall, and turns when it does")
  func steps() throws {
    // Samples of 200 requests, steps of an object; the filter begins with 2 of 20. The first sample has none before it. All
    // hits: down to 1, and no further. No hits: up. Without a hit to compare with, it stays.
    let keys = Array(repeating: 0, count: 800) + Array(1...600)
    #expect(
      try values(of: "main", FRD.self, "frd:climb=simple", capacity: 20, keys) == [18, 19, 18])
  }

  @Test("FRD: M moves before the request that ends a period")
  func borderMoves() throws {
    // M = 2 of 4, in periods of 4 requests. a b c d, each once, say that the filter needs 1: M is 3 when d comes.
    //   a b    main         A B
    //   c      filter       A B       c
    //   d      main         A B D     c
    //   e      c leaves     A B D e   e
    //   f      e leaves     A B D e f f
    #expect(
      try outcome(of: "frd:main=0.5:climb=indicator:period=4", capacity: 4, "a b c d e f")
        == ". . . . .c .e")
    #expect(try outcome(of: "frd:main=0.5", capacity: 4, "a b c d e f") == ". . . . .c .d")
  }

  @Test(
    "They do what their models do, also with more keys than the summary has counters",
    arguments: [
      "wtinylfu:climb=true:climber=indicator:period=2000",
      "wtinylfu:climb=true:climber=indicator:period=1900:window=0.9:victims=queue",
      "frd:climb=indicator:period=1700", "frd:climb=indicator:period=100:main=0.1",
      "frd:climb=simple", "frd:climb=simple:main=0.3:ghosts=0.5",
    ])
  func models(form: String) throws {
    var generator = SplitMix64(seed: 7)
    let operations = (0..<5_000).map { _ in
      // The smaller a number, the more often.
      let key = generator.index(below: 1 + generator.index(below: 4_000))
      return CacheOperation.request(key: key, size: 1)
    }
    for capacity in [20, 100] {
      let workload = Workload(capacity: capacity, keys: 4_000, operations: operations)
      #expect(try ModelAgreementTests.difference(form, workload) == nil)
    }
  }

  /// The values that a number inside the policy takes, one after the other.
  private func values<Policy: ReplacementPolicy & ~Copyable>(
    of name: String, _ policy: Policy.Type, _ text: String, capacity: Int, _ keys: [Int]
  ) throws -> [Double] {
    let workload = Workload(
      capacity: capacity, keys: 1 + (keys.max() ?? 0),
      operations: keys.map { .request(key: $0, size: 1) })
    let arguments = try Specification(parsing: text).arguments(for: Policy.information.parameters)
    var driver = try PolicyDriver<Policy>(workload, arguments: arguments)
    var values: [Double] = []
    for index in workload.operations.indices {
      driver.perform(index)
      driver.policy.showInternals { shown, value in
        if shown == name && values.last != value { values.append(value) }
      }
    }
    #expect(driver.run.violation == nil)
    return values
  }
}
