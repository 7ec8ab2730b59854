import Comparison
import Foundation
import Results
import Testing

/// The power of the gate on times, by simulation of its own design: 24 runs of 20 rounds, and an error rate of
/// 1 % over all of them. With EVICTIONLAB_THOROUGH=1, 20 times as many, printed.
@Suite struct GatePowerTests {
  private static let runs = 24
  private static let rounds = 20
  private static let factor =
    ProcessInfo.processInfo.environment["EVICTIONLAB_THOROUGH"] == "1" ? 20 : 1

  /// The spread of a document's times, and the least ratio of planted slow-downs that is found.
  struct Power: CustomTestStringConvertible {
    let spread: Double
    let planted: Double
    let found: ClosedRange<Double>

    var testDescription: String { "\(spread) spread, \(planted) planted" }
  }

  /// Ratios that vary by a spread; one in twenty is up to three times as long.
  private func document(_ ratio: Double, spread: Double, seed: UInt64) -> ResultSet {
    var noise = Noise(state: seed)
    return ResultComparisonTests.document(
      (0..<Self.runs).map { run in
        var cell = ResultComparisonTests.cell("lru")
        cell.capacity = run + 1
        cell.speed = SpeedFigures(
          ratios: (0..<Self.rounds).map { _ in ratio * noise.time(spread) })
        return cell
      })
  }

  /// Documents compared with others of times so many times as long: how many have any verdict, and what
  /// share of the runs is called slower.
  private func verdicts(
    _ count: Int, ratio: Double, spread: Double, errorRate: Double = 0.01
  ) -> (alarms: Int, slower: Double) {
    var (alarms, slower) = (0, 0)
    for number in 0..<count {
      let seed = UInt64(number) &* 0xD134_2543_DE82_EF95
      let comparison = ResultComparison(
        before: document(1, spread: spread, seed: seed),
        after: document(ratio, spread: spread, seed: ~seed),
        tolerances: .init(errorRate: errorRate))
      let called = comparison.differences.filter { $0.verdict == .slower || $0.verdict == .faster }
      alarms += called.isEmpty ? 0 : 1
      slower += called.count { $0.verdict == .slower }
    }
    return (alarms, Double(slower) / Double(count * Self.runs))
  }

  @Test(arguments: [0.02, 0.1])
  func equalProgramsAreNotCalled(_ spread: Double) {
    #expect(verdicts(5 * Self.factor, ratio: 1, spread: spread).alarms == 0)
  }

  /// Programs that differ by just what is tolerated are the hardest ones not to call.
  @Test func alarmsAreAsRareAsStated() {
    let count = 30 * Self.factor
    let alarms = verdicts(count, ratio: 1.05, spread: 0.05, errorRate: 0.5).alarms
    #expect((1...count / 2).contains(alarms), "\(alarms) of \(count)")
  }

  @Test(arguments: [
    Power(spread: 0.02, planted: 0.03, found: 0...0.01),
    Power(spread: 0.02, planted: 0.05, found: 0...0.01),
    Power(spread: 0.02, planted: 0.10, found: 0.95...1),
    Power(spread: 0.05, planted: 0.03, found: 0...0.01),
    Power(spread: 0.05, planted: 0.05, found: 0...0.01),
    Power(spread: 0.05, planted: 0.10, found: 0...0.3),
    Power(spread: 0.10, planted: 0.10, found: 0...0.1),
    Power(spread: 0.10, planted: 0.20, found: 0.2...0.8),
  ])
  func plantedSlowdownsAreFoundAsOftenAsStated(_ power: Power) {
    let count = 3 * Self.factor
    let slower = verdicts(count, ratio: 1 + power.planted, spread: power.spread).slower
    #expect(power.found.contains(slower), "\(slower)")
    if Self.factor > 1 { print("\(power.testDescription): \(slower * 100) % found") }
  }
}

/// A seeded stream of noise (SplitMix64).
private struct Noise {
  var state: UInt64

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  mutating func time(_ spread: Double) -> Double {
    let normal = (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    let quiet = exp(spread * normal)
    return uniform() < 0.05 ? quiet * (1 + 2 * uniform()) : quiet
  }
}
