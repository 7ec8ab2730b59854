import Comparison
import Results
import Testing

@Suite struct OrderLeadersTests {
  /// Runs of policies whose hits in each order are given.
  private func leaders(_ hits: [String: [Int]], recorded: Int = 500) -> OrderLeaders? {
    var results = ResultSet(environment: Environment())
    for (policy, hits) in hits.sorted(by: { $0.key < $1.key }) {
      for (number, count) in ([recorded] + hits).enumerated() {
        var run = Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 10)
        run.requests = 1_000
        run.hits = count
        if number > 0 {
          run.variation = Variation(.order, model: "window", extent: 8, number: number)
        }
        results.measurements.append(run)
      }
    }
    return results.leaders(bounds: ["opt"])
  }

  @Test func oneIsAheadInEveryOrder() {
    let found = leaders(["a": [600, 640, 620], "b": [590, 630, 610], "opt": [900, 900, 900]])
    #expect(found?.policies == ["a"] && found?.compared == 2)
    #expect(
      found?.text
        == "a is ahead of the other over 3 orders (window, no request further than 8 places)")
  }

  /// Ahead on average, and not by more than chance moves it.
  @Test func someCannotBeToldApart() {
    let found = leaders(["a": [600, 500, 700], "b": [590, 530, 640], "c": [10, 20, 30]])
    #expect(found?.policies == ["a", "b"])
    #expect(found?.text.hasPrefix("a and b cannot be told apart over 3 orders") == true)
  }

  /// Differences of three orders have an interval 4.3 standard errors wide for one pair, 7.6 for three.
  @Test func manyComparisonsNeedMore() {
    let close = [600, 610, 620]
    #expect(leaders(["a": close, "b": [592, 605, 612]])?.policies == ["a"])
    let three = leaders(["a": close, "b": [592, 605, 612], "c": [592, 605, 612]])
    #expect(three?.policies == ["a", "b", "c"])
  }

  @Test func thereIsNothingToSayOfOneOrder() {
    #expect(leaders(["a": [600], "b": [500]]) == nil)
    #expect(leaders(["a": [600, 601]]) == nil)
    #expect(leaders(["a": [], "b": []]) == nil)
  }
}
