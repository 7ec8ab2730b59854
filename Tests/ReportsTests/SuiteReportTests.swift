import Reports
import ResultSamples
import Results
import Testing

/// The advice of a ranking.
@Suite struct SuiteReportTests {
  private func results(lru mean: Double, _ leaders: OrderLeaders? = nil) -> ResultSet {
    var group = RankedGroup()
    group.traces = ["a", "b", "c"]
    group.policies = [("lru", mean), ("fifo", 0)].map { name, mean in
      var policy = RankedPolicy()
      policy.policy = name
      policy.mean = mean
      policy.values = [mean, mean, mean]
      return policy
    }
    var results = ResultSet(environment: ResultSamples.environment)
    results.suite = SuiteRecord()
    results.suite?.groups = [group]
    results.leaders = leaders
    return results
  }

  private func render(_ form: String, _ results: ResultSet) throws -> String {
    try #require(ReportFormats.form(named: form)).render(results, style: .plain)
  }

  @Test func withoutAGainNoPolicyIsAdvised() throws {
    for mean in [0, 0.000_4] {
      let text = try render("table", results(lru: mean))
      #expect(text.contains("no gain over fifo: no advice"), "\(text)")
      #expect(text.contains("Over 3 traces no policy has 0.1 % fewer misses than fifo"))
    }
    let text = try render("table", results(lru: 0.002))
    #expect(!text.contains("no gain over fifo"))
    #expect(text.contains("Over 3 traces lru has the fewest misses"))
  }

  @Test func otherOrdersStandBelowTheAdvice() throws {
    let leaders = OrderLeaders(
      policies: ["lru"], compared: 2,
      orders: "10 orders (window, no request further than 16 places)")
    for form in ["table", "markdown"] {
      #expect(
        try render(form, results(lru: 0.1, leaders)).contains(
          "Other orders, all traces together: lru is ahead of the other over 10 orders (window, no "
            + "request further than 16 places)."))
      #expect(try !render(form, results(lru: 0.1)).contains("Other orders"))
    }
  }
}
