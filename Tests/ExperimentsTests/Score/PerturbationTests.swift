import Experiments
import Testing

@Suite("Hidden traces") struct PerturbationTests {
  /// Each key is its request's number, so that a request is known again.
  private static let numbered = (0..<10_000).map { UInt64($0) }

  private func perturbed(_ keys: [UInt64], salt: UInt64, trace: Int = 0) -> [UInt64] {
    var keys = keys
    var perturbation = Perturbation(salt: salt, trace: trace)
    perturbation.perturb(&keys)
    return keys
  }

  /// The numbers of the keys in order of first appearance.
  private func slots(_ keys: [UInt64]) -> [Int] {
    var numbers: [UInt64: Int] = [:]
    return keys.map { key in
      let number = numbers[key] ?? numbers.count
      numbers[key] = number
      return number
    }
  }

  @Test func saltDecides() {
    let keys = PerturbationTests.numbered
    #expect(perturbed(keys, salt: 1) == perturbed(keys, salt: 1))
    #expect(perturbed(keys, salt: 1) != perturbed(keys, salt: 2))
    #expect(perturbed(keys, salt: 1, trace: 0) != perturbed(keys, salt: 1, trace: 1))
  }

  @Test func lengthAndFrequenciesStay() {
    let keys = PerturbationTests.numbered.map { $0 % 37 * ($0 % 5) }
    func frequencies(_ keys: [UInt64]) -> [Int] {
      Dictionary(grouping: keys) { $0 }.values.map(\.count).sorted()
    }
    let hidden = perturbed(keys, salt: 3)
    #expect(frequencies(hidden) == frequencies(keys))
    #expect(slots(hidden) != slots(keys))
    #expect(Set(hidden).isDisjoint(with: keys))
  }

  @Test func noRequestMovesFar() throws {
    // A key that comes every 20 requests comes after 20 - reach to 20 + reach.
    let keys = PerturbationTests.numbered.map { $0 % 20 }
    let hidden = perturbed(keys, salt: 4)
    var last: [UInt64: Int] = [:]
    var distances: Set<Int> = []
    for (place, key) in hidden.enumerated() {
      if let before = last.updateValue(place, forKey: key) { distances.insert(place - before) }
    }
    let (least, most) = try (#require(distances.min()), #require(distances.max()))
    #expect(least >= 20 - 2 * Perturbation.reach && most <= 20 + 2 * Perturbation.reach)
    #expect(distances.count > 3)
  }

  @Test(arguments: ScoreSuite.all.map(\.name))
  func hiddenTraceIsAnotherOfTheSameKind(_ suite: String) throws {
    let suite = try #require(ScoreSuite.all.first { $0.name == suite })
    for (index, source) in suite.sources.enumerated() {
      let shown = try ScoreTrace(source, nil)
      let hidden = try ScoreTrace(source, Perturbation(salt: 5, trace: index))
      #expect(hidden.keys.count == shown.keys.count && hidden.name == shown.name)
      #expect(Set(hidden.keys).isDisjoint(with: shown.keys))
      #expect(slots(Array(hidden.keys.prefix(1_000))) != slots(Array(shown.keys.prefix(1_000))))
      // Windows of one recording differ more than two runs of a generator.
      let (ours, theirs) = (Double(Set(hidden.keys).count), Double(Set(shown.keys).count))
      let isRecorded = hidden.start > 0
      #expect(abs(ours / theirs - 1) < (isRecorded ? 0.9 : 0.05), "\(shown.name)")
      #expect(!isRecorded || hidden.start >= shown.keys.count)
    }
  }
}
