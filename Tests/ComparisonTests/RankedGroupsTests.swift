import Comparison
import Results
import Testing

/// The ranking over the traces of a suite.
@Suite struct RankedGroupsTests {
  /// A run of 100 requests with some misses, where FIFO has some.
  private static func run(
    _ policy: String, on trace: String = "a", at capacity: Int = 1, misses: Int, fifo: Int
  ) -> Results.Measurement {
    var run = Results.Measurement(kind: .sweep, trace: trace, policy: policy, capacity: capacity)
    run.requests = 100
    run.hits = 100 - misses
    run.missRatioReduction = fifo == 0 ? nil : Double(fifo - misses) / Double(fifo)
    return run
  }

  /// A suite of traces of one group, each with its misses by policy; FIFO has 50.
  private static func suite(
    _ misses: [[String: Int]], group: TraceGroup = .block, generated: Set<Int> = [],
    copies: [Int: Int] = [:]
  ) -> ResultSet {
    var results = ResultSet(
      measurements: misses.enumerated().flatMap { number, misses in
        misses.map { run($0.key, on: "t\(number)", misses: $0.value, fifo: 50) }
      })
    results.suite = SuiteRecord {
      $0.traces = misses.indices.map { number in
        SuiteTrace {
          $0.name = "t\(number)"
          $0.group = group
          $0.isGenerated = generated.contains(number)
          $0.pattern = "scan"
          $0.requests = "\(copies[number] ?? number)"
        }
      }
    }
    return results
  }

  private static func group(
    _ basis: RankedGroup.Basis, of results: ResultSet
  ) throws -> RankedGroup {
    try #require(results.rankedGroups(bounds: []).first { $0.basis == basis })
  }

  /// FIFO misses 40: 30 are a quarter fewer; of 50 a fifth are more; all 100 are three fifths more.
  @Test(arguments: [(30, 40, 0.25), (40, 40, 0), (50, 40, -0.2), (100, 40, -0.6), (0, 40, 1)])
  func metricIsThatOfTheDefinition(misses: Int, fifo: Int, value: Double) throws {
    let found = try #require(Self.run("lru", misses: misses, fifo: fifo).boundedReduction)
    #expect(abs(found - value) < 1e-12)
  }

  @Test func metricIsBoundedWhereFIFOMissesNothing() {
    #expect(Self.run("lru", misses: 0, fifo: 0).boundedReduction == 0)
    #expect(Self.run("lru", misses: 1, fifo: 0).boundedReduction == -1)
  }

  @Test func traceCountsTheMeanOverItsCapacities() throws {
    var results = Self.suite([["lru": 25]])
    results.measurements.append(Self.run("lru", on: "t0", at: 2, misses: 50, fifo: 50))
    results.measurements.append(Self.run("arc", on: "t0", at: 2, misses: 0, fifo: 50))
    let group = try Self.group(.recorded, of: results)
    // ARC did not run at the other capacity.
    #expect(group.policies.map(\.policy) == ["lru"])
    #expect(group.policies[0].values == [0.25])
  }

  @Test func equalMeansShareARank() throws {
    // a and b hit the same on average, and not on each trace.
    let group = try Self.group(
      .recorded,
      of: Self.suite(
        (0..<8).map { ["a": $0 % 2 == 0 ? 20 : 30, "b": $0 % 2 == 0 ? 30 : 20, "c": 50, "d": 100] }
      ))
    #expect(group.policies.map(\.policy) == ["a", "b", "c", "d"])
    #expect(group.policies.map { $0.standing?.rank } == [1, 1, 3, 4])
    #expect(group.policies.map { $0.standing?.isTied } == [true, true, false, false])
    #expect(group.policies.map(\.firsts) == [4, 4, 0, 0])
    #expect(group.policies.map(\.mean) == [0.5, 0.5, 0, -0.5])
    #expect(group.policies[2].standing?.interval == 0...0)
  }

  /// Eight traces where two names have the same hits: one policy, under the shorter name.
  @Test func policiesWithTheSameHitsAreOne() throws {
    let misses = (0..<8).map { ["lru": 25 + $0, "camp": 25 + $0, "arc": 24, "sieve": 30] }
    var results = Self.suite(misses)
    let group = try Self.group(.recorded, of: results)
    #expect(group.policies.map(\.policy) == ["arc", "lru", "sieve"])
    #expect(group.policies.map(\.same) == [[], ["camp"], []])
    #expect(group.policies.map { $0.standing?.rank } == [1, 2, 3])
    // One hit more on one trace, and they are two.
    results.measurements[results.measurements.firstIndex { $0.policy == "camp" }!].hits += 1
    #expect(try Self.group(.recorded, of: results).policies.count == 4)
  }

  /// Of two policies the one that misses more has the lower latency.
  @Test func whereMissesTakeTimeTheMetricIsTheMeanLatency() throws {
    var results = Self.suite((0..<8).map { _ in ["a": 25, "b": 40] })
    for index in results.measurements.indices {
      let mean = results.measurements[index].policy == "a" ? 60.0 : 40.0
      results.measurements[index].latency = LatencyMeasures {
        $0.mean = mean
        $0.total = Int(mean) * 100
      }
      results.measurements[index].latencyReduction = (50 - mean) / 50
    }
    let group = try Self.group(.recorded, of: results)
    #expect(results.rankingMetric == .latency)
    #expect(group.policies.map(\.policy) == ["b", "a"])
    // Of FIFO's 50 a fifth less; 60 are a sixth more.
    #expect(abs(group.policies[0].mean - 0.2) < 1e-12)
    #expect(abs(group.policies[1].mean + 1.0 / 6) < 1e-12)
    #expect(group.policies.map { $0.standing?.isTied } == [true, false])
    for index in results.measurements.indices { results.measurements[index].latencyReduction = nil }
    #expect(results.rankingMetric == .misses)
    #expect(try Self.group(.recorded, of: results).policies.map(\.policy) == ["a", "b"])
  }

  @Test func policiesWithTheSameHitsAndOtherLatenciesAreTwo() throws {
    var results = Self.suite([["lru": 25, "camp": 25]])
    #expect(try Self.group(.recorded, of: results).policies.count == 1)
    for index in results.measurements.indices {
      results.measurements[index].latency = LatencyMeasures { $0.total = 100 + index }
    }
    #expect(try Self.group(.recorded, of: results).policies.count == 2)
  }

  @Test func threeTracesAreTheLeastForAdvice() throws {
    for count in 1...3 {
      let group = try Self.group(.group, of: Self.suite((0..<count).map { _ in ["a": 25] }))
      #expect(group.isAdvised == (count == 3))
    }
  }

  @Test func policyThatLeadsByChanceIsTiedAndOneThatAlwaysLeadsIsNot() throws {
    // Ahead of b by 1 on every trace; ahead of c by 10 on half of them, and behind by 9 on the other.
    let misses = (0..<12).map { ["a": 20, "b": 21, "c": $0 % 2 == 0 ? 30 : 11] }
    let group = try Self.group(.recorded, of: Self.suite(misses))
    #expect(group.policies.map(\.policy) == ["a", "c", "b"])
    #expect(group.policies.map { $0.standing?.isTied } == [true, true, false])
  }

  @Test func percentilesAreThoseOfTheTraces() throws {
    // Values 0, 0.1, … 1.
    let misses = (0...10).map { ["a": 50 - 5 * $0] }
    let standing = try #require(
      try Self.group(.recorded, of: Self.suite(misses)).policies[0].standing)
    #expect(abs(standing.p10 - 0.1) < 1e-12)
    #expect(abs(standing.p50 - 0.5) < 1e-12)
    #expect(abs(standing.p90 - 0.9) < 1e-12)
    #expect(standing.interval.contains(0.5))
    #expect(standing.interval.lowerBound > 0.2 && standing.interval.upperBound < 0.8)
  }

  @Test func groupOfSevenTracesHasNoPlaces() throws {
    let seven = try Self.group(.group, of: Self.suite((0..<7).map { _ in ["a": 25, "b": 40] }))
    #expect(!seven.isRanked && seven.policies.allSatisfy { $0.standing == nil })
    #expect(seven.policies[0].values.count == 7)
    let eight = try Self.group(.group, of: Self.suite((0..<8).map { _ in ["a": 25, "b": 40] }))
    #expect(eight.isRanked && eight.policies.allSatisfy { $0.standing != nil })
  }

  @Test func copiesCountOnce() throws {
    let results = Self.suite([["a": 25], ["a": 25], ["a": 50]], copies: [1: 0])
    #expect(try Self.group(.recorded, of: results).traces == ["t0", "t2"])
    #expect(results.suite?.traces.map { results.suite?.original(of: $0) } == [nil, "t0", nil])
  }

  @Test func generatedTracesAreRankedApart() throws {
    let results = Self.suite([["a": 25, "b": 50], ["a": 50, "b": 25]], generated: [1])
    let groups = results.rankedGroups(bounds: [])
    #expect(
      groups.map { "\($0.basis.rawValue) \($0.name) \($0.traces[0]) \($0.policies[0].policy)" } == [
        "recorded recorded t0 a", "group block t0 a", "workload scan t0 a",
        "generated generated t1 b", "generated-workload scan t1 b",
      ])
  }

  @Test func recordedTracesThatRepeatAreAGroup() throws {
    var results = Self.suite([["a": 25], ["a": 40], ["a": 50]], generated: [2])
    results.suite?.traces[0].order = "repeating"
    results.suite?.traces[2].order = "repeating"
    #expect(try Self.group(.order, of: results).traces == ["t0"])
  }

  @Test func boundsHaveNoPlace() {
    let groups = Self.suite([["lru": 25, "opt": 10]]).rankedGroups(bounds: ["opt"])
    #expect(groups[0].policies.map(\.policy) == ["lru"])
  }
}
