import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// The sentence on response times below the headline of a page.
@Suite struct LoadHeadlineTests {
  private func run(
    _ policy: String, _ pace: String, p99: Double, spread: Double = 1, isOverload: Bool = false
  ) -> Results.Measurement {
    var run = ResultSamples.openLoop
    run.policy = policy
    run.replay?.pace?.label = pace
    run.replay?.pace?.isOverload = isOverload
    run.replay?.repetitions = Repetitions {
      $0.count = 6
      $0.figures = [
        Repetitions.Figure {
          $0.name = "response.p99"
          $0.values = [p99]
          $0.mean = p99
          $0.median = p99
          $0.interval = p99 - spread...p99 + spread
        }
      ]
    }
    return run
  }

  private func support(_ runs: [Results.Measurement]) throws -> String {
    let results = ResultSet(environment: ResultSamples.environment, measurements: runs)
    let page = try #require(ReportFormats.form(named: "html")).render(results, style: .plain)
    return page.replacing("\u{A0}", with: " ").replacing("&#39;", with: "'")
  }

  @Test func paceThatOneDoesNotServeIsNotCompared() throws {
    let text = try support([
      run("lru", "50%", p99: 2_000), run("lru", "90%", p99: 9_000, isOverload: true),
      run("arc", "50%", p99: 3_000), run("arc", "90%", p99: 8_000),
    ])
    #expect(
      text.contains(
        "At 50 % of each policy's own throughput, the highest at which both policies are served, lru has "
          + "the lowest 99th percentile of the response time, 2.00 µs; next is arc with 3.00 µs."))
    #expect(!text.contains("At 90 %"))
  }

  /// A pace in per cent is compared with one in requests by what was offered.
  @Test func theHighestPaceIsThatOfMostRequests() throws {
    let runs = [
      ("lru", "5000", 5_000.0), ("lru", "5%", 900_000), ("arc", "5000", 5_000),
      ("arc", "5%", 800_000),
    ]
    .map { policy, pace, offered in
      var run = run(policy, pace, p99: policy == "lru" ? 2_000 : 3_000)
      run.replay?.pace?.offered = offered
      return run
    }
    #expect(
      try support(runs).contains(
        "At 5 % of each policy's own throughput, the highest at which both policies are served"))
  }

  @Test func overlappingIntervalsAreNoLead() throws {
    let text = try support([
      run("lru", "100000", p99: 2_000, spread: 600), run("arc", "100000", p99: 3_000, spread: 600),
    ])
    #expect(text.contains("At 100,000 requests/s, the highest"))
    #expect(text.contains("with 3.00 µs: no clear lead, their 95 % intervals overlap."))
  }

  @Test func overloadAtEveryPaceIsNotCompared() throws {
    let text = try support([
      run("lru", "90%", p99: 9_000, isOverload: true), run("arc", "90%", p99: 8_000),
    ])
    #expect(text.contains("Overload: at every pace a policy is offered more than it serves"))
    #expect(!text.contains("lowest 99th"))
  }

  @Test func onePolicyHasNoRival() throws {
    #expect(
      try support([run("lru", "50%", p99: 2_000)]).contains(
        "At 50 % of its own throughput the 99th percentile of lru's response time is 2.00 µs."))
  }
}
