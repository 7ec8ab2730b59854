import Parameters

/// Admits each newcomer with the same probability.
public final class ProbabilityAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "probability", summary: "admits each newcomer with the same probability",
      paper: "N. Laoutaris, S. Syntila and I. Stavrakakis, “Meta algorithms for hierarchical web "
        + "caches”, IPCCC 2004 (Prob).",
      idea: "An object that is requested n times gets n chances to enter, one that is requested "
        + "once gets one: a crude count of popularity that needs no memory, and fewer writes.",
      decision: "Each miss of an object that fits draws one number from SplitMix64, seeded by "
        + "the run; the share of the numbers below p admits it.",
      complexity: "O(1) per miss, no memory.",
      differences: "The draw is an index below the denominator of the exact decimal p.",
      parameters: [
        Parameter(
          "p", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
          help: "the probability of being admitted")
      ])
  }

  private let probability: Fraction
  private let generator: UnsafeMutablePointer<SplitMix64>

  /// Takes p from the parameters.
  public required init(_ configuration: AdmissionConfiguration) {
    probability = configuration.arguments.fraction("p")
    generator = .allocate(capacity: 1)
    generator.initialize(to: SplitMix64(seed: configuration.seed))
    super.init(configuration)
  }

  deinit { generator.deallocate() }

  /// Passes on where the random numbers are.
  override public func visitState(_ state: inout PolicyState) {
    state.visit(&generator.pointee)
  }

  /// Draws a random number: true with the probability that the newcomer has.
  override public func admits(_ request: Request) -> Bool {
    generator.pointee.index(below: probability.denominator) < probability.numerator
  }
}

extension CacheAdmission {
  /// ``ProbabilityAdmission``.
  ///
  /// - Parameter p: The probability of being admitted.
  public static func probability(
    p: Fraction? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "probability", parameters: ["p": p])
  }
}
