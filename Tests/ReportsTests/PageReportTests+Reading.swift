import Rendering
import Reports
import ResultSamples
import Results
import Testing

/// The names, numbers and colours of a page.
extension PageReportTests {
  /// The classes of a policy's first line on a page.
  private func inks(_ names: [String]) throws -> [String: String] {
    let runs = names.enumerated().flatMap { number, name in
      [10, 20].map { run(name, 900 - number * 100, capacity: $0) }
    }
    let series = try page(results(runs)).matches(
      of: /class="series ([a-z0-9 -]+)" data-name="([^"]+)"/)
    return Dictionary(
      series.map { (String($0.2), String($0.1)) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func commonPoliciesHaveOneColourOnAllPages() throws {
    let (few, many) = try (
      inks(["lru", "a", "s3fifo"]), inks(["b", "c", "s3fifo", "d", "e", "lru", "fifo"])
    )
    for policy in ["lru", "s3fifo"] { #expect(few[policy] == many[policy], "\(policy)") }
    #expect(many["d"] == "faint" && many["b"] != many["c"])
    #expect(Set(few.values).count == 3)
  }

  @Test func aMeasureHasOneName() throws {
    let text = try page(results(wideReductions))
    #expect(text.contains(">miss reduction against fifo, %</th>"))
    #expect(text.contains("<caption>Miss reduction against fifo, %, mean over sizes</caption>"))
    #expect(!text.contains("fewer misses than") && !text.contains("isses fewer than"))
  }

  @Test func headingPromisesWhatThereIs() throws {
    let one = try page(results([run("lru", 300), run("arc", 400)]))
    #expect(one.contains(">Which policy</h2>"))
    #expect(try section("ranking", of: one).contains("<svg class=\"strip"))
    #expect(try page(results(reductions)).contains(">Which policy, how large</h2>"))
    var runs = [run("lru", 300), run("arc", 400)]
    for index in runs.indices {
      runs[index].windows = RequestWindows(
        ends: [500, 1_000], requests: [500, 500], hits: [100 + 50 * index, 200 + 50 * index])
    }
    #expect(try page(results(runs)).contains(">Which policy, how sure</h2>"))
  }

  @Test func rowsOfRunsBeginWithTheirPolicies() throws {
    let runs = try section("runs", of: page(results([run("lru", 1), run("arc", 3)])))
    #expect(runs.contains("<thead><tr><th scope=\"col\">policy</th>"))
    #expect(runs.contains("<tr><th scope=\"row\">arc</th><td"))
  }

  @Test func smallThroughputKeepsItsDigits() throws {
    var slow = run("lru", 300)
    slow.requestsPerSecond = 5_812
    #expect(try section("runs", of: page(results([slow]))).contains(">0.0058</td>"))
    slow.requestsPerSecond = 5_812_000
    #expect(try section("runs", of: page(results([slow]))).contains(">5.81</td>"))
  }

  @Test func longTimesHaveUnitsAndLossesAMinus() throws {
    var run = ResultSamples.replay
    run.missRatioReduction = -0.4
    run.replay?.contention?.wait.max = 120_962_139
    let runs = try section("runs", of: page(results([run])))
    #expect(runs.contains("data-value=\"120962139\">121\u{A0}ms</td>"))
    #expect(runs.contains(">wait max</th>") && runs.contains(">wait p99 ns</th>"))
    #expect(runs.contains("data-value=\"-0.4\">−40.00</td>"))
  }
}
