import Foundation

/// Whether a candidate takes longer than a baseline, round by round, with as few rounds as it takes and an
/// error rate that holds whenever one stops.
///
///     var test = SequentialRatioTest(.init(slowdown: 0.05))
///     for candidateFirst in test.design.order(seed: 42) where test.verdict == .undecided {
///       let (baseline, candidate) = measureBoth(candidateFirst)
///       test.add(baseline: baseline, candidate: candidate)
///     }
///
/// Each round gives the logarithm of a ratio. Where the candidate is no slower, and a coin says which of the
/// two goes first, that logarithm is as often x as −x: whatever the times' distribution, however wild single
/// ones are, and however the machine drifts. So a bet on x over −x, at any odds that are fixed before the
/// round, gains nothing on average, and what a bettor without luck ever owns exceeds 1 / α with a probability
/// of at most α (Ville). The odds are those of Student's t with four degrees of freedom, which leave wild
/// rounds nearly alone, around a slow-down of 0.5, 1, 2 and 4 times the one looked for; the scale is that of the
/// rounds before. A second bettor bets against slow-downs as large as the one looked for. A round doubles what a
/// bettor owns at most, so that an answer takes log₂(1 / α) rounds at least: seven for 1 %.
///
/// - Paper: J. Ville, Étude critique de la notion de collectif, 1939; V. H. de la Peña, “A general class of
///   exponential inequalities for martingales and ratios”, Annals of Probability 27(1), 1999, for symmetric
///   differences; A. Ramdas, J. Ruf, M. Larsson and W. Koolen, “Admissible anytime-valid sequential inference
///   must rely on nonnegative martingales”, 2020.
/// - Assumes: the order within a round is by a coin, nothing else. That a slow-down makes all times longer by
///   one factor is assumed for `missed` alone.
/// - Does not say: by how much the candidate is slower (`TimingChange` does), nor anything of a slow-down between
///   none and the one looked for, where either verdict is right. `undecided` is an answer: too few rounds for
///   this machine's noise, whose power `SequentialPower` tells beforehand.
/// - Complexity: O(rounds log rounds) a round, O(rounds) memory.
public struct SequentialRatioTest: Sendable {
  /// What is looked for, and how often the answer may be wrong.
  public struct Design: Sendable, Equatable {
    /// The slow-down that shall be found, 0.05 for a factor of 1.05.
    public let slowdown: Double
    /// The largest probability of `slower` for a candidate that is not slower.
    public let falseAlarm: Double
    /// The largest probability of `notSlower` for one that is slower by `slowdown` or more.
    public let missed: Double
    /// Rounds after which it stays undecided.
    public let rounds: Int

    /// A design; the slow-down is positive, probabilities lie between 0 and 1, and there is a round.
    public init(
      slowdown: Double = 0.05, falseAlarm: Double = 0.01, missed: Double = 0.05, rounds: Int = 100
    ) {
      precondition(slowdown > 0 && slowdown.isFinite, "a slow-down is positive")
      precondition(falseAlarm > 0 && falseAlarm < 1 && missed > 0 && missed < 1, "error rates")
      precondition(rounds > 0, "no rounds, no answer")
      self.slowdown = slowdown
      self.falseAlarm = falseAlarm
      self.missed = missed
      self.rounds = rounds
    }

    /// For each round, whether the candidate goes first.
    public func order(seed: Int) -> [Bool] {
      let random = GSLRandom(seed: seed)
      return (0..<rounds).map { _ in random.coin() }
    }
  }

  /// What is known so far.
  public enum Verdict: String, Sendable {
    /// The candidate takes longer.
    case slower
    /// It does not take longer by as much as was looked for.
    case notSlower
    /// More rounds are needed.
    case undecided
  }

  /// What is looked for.
  public let design: Design
  /// The first answer: further rounds do not change it.
  public private(set) var verdict = Verdict.undecided
  /// Rounds that were measured until then.
  public var rounds: Int { logarithms.count }
  private var logarithms: [Double] = []
  private var alarm: Bettor
  private var clearance: Bettor

  /// A test without rounds.
  public init(_ design: Design) {
    self.design = design
    let step = log(1 + design.slowdown)
    alarm = Bettor(step: step)
    clearance = Bettor(step: step)
  }

  /// What the first bettor owns, who began with one: the evidence of a slow-down.
  public var evidenceOfSlowdown: Double { alarm.wealth }
  /// What the second one owns: the evidence against a slow-down as large as the one looked for.
  public var evidenceAgainst: Double { clearance.wealth }

  /// Takes the times of one round, in any one unit.
  ///
  /// - Throws: For times that are not positive; the round does not count.
  public mutating func add(baseline: Double, candidate: Double) throws(StatisticsError) {
    for time in [baseline, candidate] where !(time > 0 && time.isFinite) {
      throw .badValue("a time of round", index: rounds, value: time, wanted: "times are positive")
    }
    add(logarithm: log(candidate) - log(baseline))
  }

  /// Takes the logarithm of one round's ratio.
  mutating func add(logarithm: Double) {
    guard verdict == .undecided, rounds < design.rounds else { return }
    let scale = scaleSoFar()
    alarm.bet(on: logarithm, scale: scale)
    clearance.bet(on: log(1 + design.slowdown) - logarithm, scale: scale)
    logarithms.append(logarithm)
    if alarm.wealth >= 1 / design.falseAlarm {
      verdict = .slower
    } else if clearance.wealth >= 1 / design.missed {
      verdict = .notSlower
    }
  }

  /// The rounds' spread: that of the middle half, as wide as a normal one's. The first five are taken to
  /// spread as far as the slow-down.
  private func scaleSoFar() -> Double {
    let step = log(1 + design.slowdown)
    guard logarithms.count >= 5 else { return step }
    let median = middle(logarithms)
    let deviation = middle(logarithms.map { abs($0 - median) })
    return max(1.4826 * deviation, step / 100)
  }

  private func middle(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

/// Someone who bets on positive values against negative ones of the same magnitude.
private struct Bettor: Sendable {
  /// The centres bet on, an equal part of the first wealth on each, and what each part has become.
  private var parts: [(centre: Double, wealth: Double)]

  init(step: Double) {
    parts = [0.5, 1, 2, 4].map { ($0 * step, 1) }
  }

  var wealth: Double {
    parts.reduce(0) { $0 + $1.wealth } / Double(parts.count)
  }

  mutating func bet(on value: Double, scale: Double) {
    for index in parts.indices {
      let centre = parts[index].centre
      let odds = studentOdds(value, centre: centre, scale: scale)
      parts[index].wealth *= 2 * odds / (1 + odds)
    }
  }

  /// How much more probable a value is than its negative around a centre: the t distribution's, with four
  /// degrees of freedom.
  private func studentOdds(_ value: Double, centre: Double, scale: Double) -> Double {
    let toward = (value - centre) / scale
    let away = (value + centre) / scale
    return pow((4 + away * away) / (4 + toward * toward), 2.5)
  }
}
