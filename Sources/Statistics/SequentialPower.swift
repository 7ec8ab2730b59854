import Foundation

/// What a `SequentialRatioTest` finds on a machine, told from its noise beforehand: how often, and after how
/// many rounds, for a slow-down that is planted.
///
///     let power = try SequentialPower(design, slowdown: 0.05, noise: ratiosOfEqualPrograms, seed: 42)
///     print(power.slower, power.medianRounds)
///
/// Rounds are drawn from those measured with two equal programs, each the one way or the other by a coin, and
/// made longer by the planted factor.
///
/// - Paper: B. Efron, “Bootstrap methods: another look at the jackknife”, Annals of Statistics 7(1), 1979.
/// - Assumes: noise as it was when measured, from round to round independent.
/// - Does not say: anything of outliers rarer than those in the noise.
/// - Complexity: O(simulations × rounds² log rounds), 0.1 s for a thousand of 100 rounds.
public struct SequentialPower: Sendable, Equatable {
  /// The share of simulations that ended with each verdict.
  public let slower: Double
  /// Those that did not.
  public let notSlower: Double
  /// Those that ran out of rounds.
  public let undecided: Double
  /// The median of the rounds that a simulation took.
  public let medianRounds: Int

  /// Simulates.
  ///
  /// - Parameters:
  ///   - design: The test.
  ///   - slowdown: Planted; 0.05 for a factor of 1.05, 0 for none.
  ///   - noise: Ratios of the times of two equal programs, one a round.
  ///   - simulations: How often it is run.
  ///   - seed: Of the draws.
  /// - Throws: For fewer than ten ratios, and ratios that are not positive.
  public init(
    _ design: SequentialRatioTest.Design, slowdown: Double, noise: [Double],
    simulations: Int = 1_000, seed: Int
  ) throws(StatisticsError) {
    precondition(slowdown > -1 && slowdown.isFinite && simulations > 0)
    if let index = noise.firstIndex(where: { !($0 > 0 && $0.isFinite) }) {
      throw .badValue("ratio", index: index, value: noise[index], wanted: "ratios are positive")
    }
    guard noise.count >= 10 else {
      throw .tooFew(
        "rounds of noise", count: noise.count, needed: 10, remedy: "measure equal programs longer")
    }
    let random = GSLRandom(seed: seed)
    let logarithms = noise.map { log($0) }
    let planted = log(1 + slowdown)
    var rounds: [Int] = []
    var verdicts: [SequentialRatioTest.Verdict: Int] = [:]
    for _ in 0..<simulations {
      var test = SequentialRatioTest(design)
      while test.verdict == .undecided && test.rounds < design.rounds {
        let value = logarithms[random.index(below: logarithms.count)]
        test.add(logarithm: planted + (random.coin() ? value : -value))
      }
      rounds.append(test.rounds)
      verdicts[test.verdict, default: 0] += 1
    }
    func share(_ verdict: SequentialRatioTest.Verdict) -> Double {
      Double(verdicts[verdict] ?? 0) / Double(simulations)
    }
    slower = share(.slower)
    notSlower = share(.notSlower)
    undecided = share(.undecided)
    medianRounds = rounds.sorted()[simulations / 2]
  }
}
