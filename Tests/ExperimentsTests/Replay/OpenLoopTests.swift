import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import Parameters
import Results
import Runner
import Synchronization
import Testing
import Traces

/// An open loop starts requests when they are meant to start, and counts from there.
@Suite struct OpenLoopTests {
  private static let millisecond = 1_000_000

  private static var uniform: ReplayConditions {
    var conditions = ReplayConditions()
    conditions.arrivals = .uniform
    return conditions
  }

  /// A sleep is never shorter than asked for, so that these bounds hold on any machine.
  @Test func overloadShowsInResponsesAndNotInServices() throws {
    let cache = FakeCache(pause: Self.millisecond)
    let requests = 240
    let outcome = try cache.replay(
      .of((0..<UInt64(requests)).map { $0 }), pace: .rate(1_200), conditions: Self.uniform)
    let pace = try #require(outcome.pace)
    #expect(pace.isOverload)
    #expect(pace.achieved <= 1_000)
    #expect(abs(pace.offered / 1_200 - 1) < 0.01)
    let response = try #require(outcome.response)
    let service = try #require(outcome.service)
    #expect(response.whole.count == requests && service.whole.count == requests)
    // The k-th request ends after k services and was meant to start after k − 1 distances.
    let behind = Double(Self.millisecond) - 1e9 / 1_200
    for (quarter, median) in response.quarters.enumerated() {
      #expect(Double(median) >= Double(quarter * requests / 4) * behind)
    }
    #expect(response.quarters == response.quarters.sorted())
    #expect(try #require(response.growth) > 2)
    #expect(service.whole.p50 < response.quarters[2])
  }

  @Test func serviceTimeThatDoublesAtTheMiddleShows() throws {
    let quarters = [1_000, 1_000, 2_000, 2_000].map { (time: UInt64) in
      var histogram = DurationHistogram.ready
      for _ in 0..<100 { histogram.record(time) }
      return histogram
    }
    let planted = try #require(ResponseSummary(quarters))
    #expect(planted.quarters == [1_000, 1_000, 2_000, 2_000] && planted.growth == 2)
    // In a run, by orders of magnitude.
    let asked = Atomic(0)
    let requests = 40
    let cache = ReplayedCache {
      let call = asked.add(1, ordering: .relaxed).oldValue % requests
      usleep(call < requests / 2 ? 100 : 20_000)
    }
    let outcome = try cache.replay(
      .of((0..<UInt64(requests)).map { $0 }), pace: .rate(1e6), conditions: Self.uniform)
    #expect(try #require(outcome.service?.growth) > 2)
    #expect(try #require(outcome.service?.quarters[3]) >= 20_000_000)
  }

  /// The first request of the timed pass takes so long that the trace ends far behind; but nothing grows
  /// from there on, as anyone who comes later has waited less.
  @Test func stallThatIsMadeUpForIsNoOverload() throws {
    let asked = Atomic(0)
    let cache = ReplayedCache {
      if asked.add(1, ordering: .relaxed).oldValue == 12 { usleep(1_000_000) }
    }
    let outcome = try cache.replay(
      .of((0..<12).map { $0 }), pace: .rate(100), conditions: Self.uniform)
    let pace = try #require(outcome.pace)
    #expect(pace.achieved < 0.5 * pace.offered)
    #expect(!pace.isOverload, "\(pace) \(outcome.response?.quarters ?? [])")
  }

  /// The first is behind and grows, the others only one of the two, or neither.
  @Test(arguments: [
    (98.0, 2.0 as Double?, true), (99.5, 2, false), (98, 1.4, false), (98, nil, false),
    (100, 1, false),
  ])
  func overloadIsWhatFallsBehindAndGrows(achieved: Double, growth: Double?, isOverload: Bool) {
    #expect(
      PaceReport.isOverload(offered: 100, achieved: achieved, growth: growth) == isOverload)
  }

  @Test func shareOfTheCapacityIsOfTheBareThroughput() throws {
    let outcome = try FakeCache(pause: Self.millisecond / 4).replay(
      .of((0..<101).map { $0 }), pace: .capacityShare(0.5), conditions: Self.uniform)
    let pace = try #require(outcome.pace)
    let capacity = try #require(pace.capacity)
    #expect(abs(capacity / outcome.facts.requestsPerSecond - 1) < 1e-9)
    #expect(capacity > 0 && capacity <= 4_000)
    // 101 requests in 100 distances.
    #expect(abs(pace.offered / capacity - 0.505) < 1e-6)
    #expect(pace.label == "50%")
  }

  @Test func generatorReportsItsOwnLatenessWhereItWaits() throws {
    let outcome = try FakeCache().replay(
      .of((0..<50).map { $0 }), pace: .rate(1_000), conditions: Self.uniform)
    let lateness = try #require(outcome.arrivals?.lateness)
    #expect(lateness.count == 50)
    #expect(outcome.histograms.map(\.name).contains("lateness"))
  }

  /// Every request is due long before a thread is free for it; what the thread does between two of them is
  /// the generator's doing.
  @Test func recordingIsTheGeneratorsLatenessAsWell() throws {
    let requests = 5_000
    let outcome = try FakeCache().replay(
      .of((0..<UInt64(requests)).map { $0 % 7 }), pace: .rate(1e9), conditions: Self.uniform)
    let lateness = try #require(outcome.arrivals?.lateness)
    #expect(lateness.count == requests)
    #expect(lateness.percentile(50) == 0 && lateness.percentile(100) > 0)
  }

  @Test func everyThreadAndCopyServesItsArrivals() throws {
    for division in ReplayDivision.allCases {
      var conditions = Self.uniform
      conditions.division = division
      let outcome = try FakeCache().replay(
        .of((0..<60).map { $0 % 7 }), threads: 3, pace: .rate(20_000), conditions: conditions)
      let expected = division == .copies ? 180 : 60
      #expect(outcome.response?.whole.count == expected, "\(division)")
      #expect(outcome.counts.requests == expected, "\(division)")
    }
  }

  /// The cache takes a millisecond for what no cache does at once.
  @Test func cacheThatDoesNothingHasTheSameSchedule() throws {
    let outcome = try FakeCache(pause: Self.millisecond).replay(
      .of((0..<50).map { $0 }), pace: .rate(200), conditions: Self.uniform)
    let idle = try #require(outcome.idle)
    #expect(idle.count == 50)
    #expect(try #require(outcome.response?.whole.p50) >= Self.millisecond)
    #expect(outcome.histograms.map(\.name).contains("idle"))
    #expect(try FakeCache().replay(.of([1, 2])).idle == nil)
  }

  @Test func tracesOwnTimesAreFollowed() throws {
    let times = (0..<40).map { Int64($0) * 1_000_000 }
    let trace = Trace.of((0..<40).map { $0 }, times: times)
    let cache = FakeCache()
    let outcome = try cache.replay(trace, pace: .trace(speed: 2))
    let pace = try #require(outcome.pace)
    #expect(pace.label == "trace:2" && pace.tick == 1_000_000)
    #expect(pace.requestsPerReading == 1)
    // 39 distances of half a millisecond; an open pass comes last.
    let open = cache.calls.suffix(40).map(\.time)
    #expect(try #require(open.last) - #require(open.first) >= 19_000_000)
  }

  @Test func stoppedOpenLoopGivesUpItsWaits() throws {
    var conditions = ReplayConditions()
    conditions.missPenalty = MissPenalty(nanoseconds: 3_600_000_000_000)
    for (pace, conditions) in [
      (ReplayPace.rate(0.001), Self.uniform), (.closed, conditions),
    ] {
      let trace = Trace.of([1, 2, 3])
      let plan = try ExperimentPlan(
        traces: [trace], policies: PolicyChoice.parse(["lru"]), capacities: [.count(2)])
      let replays = try ReplayExperiment(
        locks: [LockChoice(MutexLock.self)], threads: [2], paces: [pace], conditions: conditions
      ).rows(of: plan)
      let cancellation = Cancellation()
      cancellation.cancel()
      #expect(ExperimentRun(replays).run(cancellation: cancellation).measurements.isEmpty)
    }
  }
}
