import Comparison
import Results
import Testing

@Suite struct OrderLeadersTests {
  /// Runs of policies whose hits in each order are given.
  private func results(_ hits: [String: [Int]], reach: Double = 8) -> ResultSet {
    var results = ResultSet(environment: Environment())
    for (policy, hits) in hits.sorted(by: { $0.key < $1.key }) {
      for (number, count) in ([500] + hits).enumerated() {
        var run = Measurement(kind: .sweep, trace: "t", policy: policy, capacity: 10)
        run.requests = 1_000
        run.hits = count
        if number > 0 {
          run.variation = Variation(.order, model: "window", extent: reach, number: number)
        }
        results.measurements.append(run)
      }
    }
    return results
  }

  private func leaders(_ hits: [String: [Int]]) -> OrderLeaders? {
    results(hits).leaders(bounds: ["opt"])
  }

  private let base = [600, 640, 620, 610, 630, 615]

  @Test func oneIsAheadInEveryOrder() {
    let found = leaders(["a": base, "b": base.map { $0 - 1 }, "opt": base.map { $0 + 99 }])
    #expect(found?.policies == ["a"] && found?.compared == 2)
    #expect(
      found?.text
        == "a is ahead of the other over 6 orders (window, no request further than 8 places)")
  }

  /// Of six differences all have to be on one side: 1 − 2 · 2^-6 is 97 %.
  @Test func someCannotBeToldApart() {
    let found = leaders(["a": base, "b": [599, 639, 619, 609, 629, 616]])
    #expect(found?.policies == ["a", "b"])
    #expect(found?.text.hasPrefix("a and b cannot be told apart over 6 orders") == true)
  }

  /// Three pairs need 98.3 %: seven orders have 98.4 %.
  @Test func manyComparisonsNeedMore() {
    let six = leaders(["a": base, "b": base.map { $0 - 9 }, "c": base.map { $0 - 5 }])
    #expect(six?.needed == 7)
    #expect(six?.text.hasSuffix("are too few to tell 3 policies apart; give --orders 7") == true)
    let more = base + [605]
    let seven = leaders(["a": more, "b": more.map { $0 - 9 }, "c": more.map { $0 - 5 }])
    #expect(seven?.policies == ["a"] && seven?.needed == nil)
  }

  @Test func thereIsNothingToSayOfOneOrder() {
    #expect(leaders(["a": [600], "b": [500]]) == nil)
    #expect(leaders(["a": [600, 601]]) == nil)
    #expect(leaders(["a": [], "b": []]) == nil)
    #expect(leaders(["a": [600, 600], "b": [500, 500]]) == nil)
  }

  /// A run that was stopped lacks orders of some policies.
  @Test func onlyOrdersOfAllAreCompared() {
    var results = results(["a": base + [1], "b": base.map { $0 - 1 }])
    #expect(results.leaders(bounds: [])?.policies == ["a"])
    // Orders of another kind are not mixed in.
    results.measurements += self.results(["a": base, "b": base], reach: 9).measurements
    #expect(results.leaders(bounds: []) == nil)
  }

  @Test func estimatesAreMediansByOrder() {
    var many = results(["lru": base, "arc": base.map { $0 + 20 }])
    let found = many.estimated(bounds: [])
    #expect(found.map(\.policy) == ["lru", "arc", "arc"] || found.count == 3)
    let gain = found.first { $0.against == "lru" }
    #expect(gain?.estimand == .orders && gain?.samples == 6)
    #expect(abs((gain?.value ?? 0) - 0.02) < 1e-12)
    #expect(gain?.interval.map { abs($0.lowerBound - 0.02) < 1e-12 } == true)
    many.measurements.removeAll { ($0.variation?.number ?? 0) > 3 }
    let few = many.estimated(bounds: []).first { $0.against == "lru" }
    #expect(few?.interval == nil)
    #expect(few?.reason == "3 are too few for 1 comparison; give --orders 6")
  }
}
