import Results
import Runner
import Testing
import Traces

/// The counts of runs window by window.
@Suite struct WindowLogTests {
  private func run(
    _ trace: Trace, policy: String = "lru", capacity: Int = 2, warmup: Int = 0, _ cut: WindowCut
  ) throws -> Results.Measurement {
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse([policy]), capacities: [.count(capacity)],
      settings: ExperimentPlan.Settings(warmup: warmup), sweep: SweepExperiment(windows: cut))
    return try #require(ExperimentRun(plan).run().measurements.first)
  }

  @Test func handTracedWindows() throws {
    // LRU of 2: misses 1 2, hit 1, miss 3, hit 1, misses 2 4, hit 2.
    let trace = Trace.of([1, 2, 1, 3, 1, 2, 4, 2])
    #expect(
      try run(trace, .count(4)).windows
        == RequestWindows(ends: [2, 4, 6, 8], requests: [2, 2, 2, 2], hits: [0, 1, 1, 1]))
    #expect(
      try run(trace, warmup: 2, .count(2)).windows
        == RequestWindows(ends: [5, 8], requests: [3, 3], hits: [2, 1]))
    #expect(try run(trace, .count(100)).windows?.ends == Array(1...8))
  }

  @Test func windowsOfTimeMayBeEmpty() throws {
    let second: Int64 = 1_000_000_000
    let times: [Int64] = [0, 1, 2, 12, 13, 33, 32, 34].map { $0 * second }
    let trace = Trace.of([1, 2, 1, 3, 1, 2, 4, 2], times: times)
    #expect(
      try run(trace, .time(10 * second)).windows
        == RequestWindows(
          seconds: 10, ends: [3, 5, 5, 8], requests: [3, 2, 0, 3], hits: [1, 1, 0, 1]))
    #expect(
      try run(trace, .time(10 * second)).windows?.hitRatios.map { $0 == nil }
        == [false, false, true, false])
  }

  @Test(arguments: ["lru", "arc", "wtinylfu"])
  func windowsAddUpToTheRun(policy: String) throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=5000")
    for (warmup, count) in [(0, 7), (0, 1), (999, 13)] {
      let run = try run(trace, policy: policy, capacity: 30, warmup: warmup, .count(count))
      let windows = try #require(run.windows)
      #expect(windows.ends.count == count && windows.ends.last == 5_000)
      #expect(windows.requests.reduce(0, +) == run.requests)
      #expect(windows.hits.reduce(0, +) == run.hits)
    }
  }

  @Test func windowsChangeNoHit() throws {
    let trace = try TraceGenerators.trace("zipf:keys=300:requests=5000")
    let with = try run(trace, policy: "arc", capacity: 30, .count(50))
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(["arc"]), capacities: [.count(30)])
    #expect(ExperimentRun(plan).run().measurements.first?.hits == with.hits)
    #expect(ExperimentRun(plan).run().measurements.first?.windows == nil)
  }

  @Test func whatCannotBeCutIsSaid() throws {
    func message(_ trace: Trace, _ cut: WindowCut) -> String {
      do {
        _ = try run(trace, cut)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(.of([1, 2], name: "t"), .time(1))
        == "t has no times, so windows cannot last a time; give how many there are (100)")
    #expect(
      message(.of([1, 2], name: "t", times: [0, 1_000_000]), .time(1))
        == "t would be cut into more than 100000 windows; make them longer")
  }
}
