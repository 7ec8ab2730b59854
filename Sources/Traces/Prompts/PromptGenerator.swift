import Parameters

/// A made stream of sessions with a language model: one file in this folder, one line in ``PromptGenerators``.
///
/// Everything random is seeded: the same parameters and seed give the same sessions on every platform.
package protocol PromptGenerator: Sendable {
  /// Name, summary and parameters; among them those of ``PromptWorkload``.
  static var information: CatalogEntry { get }

  /// A generator before its first session. Throws `usage` when parameters don't fit together.
  init(_ arguments: Arguments, seed: UInt64) throws(TraceError)

  /// The turns of the next session, at least one.
  mutating func session() -> [PromptTurn]
}

/// A turn of a session: what is added to the context, and the answer, which is added behind it.
package struct PromptTurn: Sendable {
  /// Seconds since the session's turn before.
  var pause = 0.0
  /// The texts that the turn adds to the context.
  var texts: [PromptText]
  /// The tokens of the answer.
  var answer: Int
}

/// A text of a prompt.
package struct PromptText: Sendable {
  /// Names the text: prompts that begin with the same texts share their blocks.
  var name: UInt64
  /// The length of the text.
  var tokens: Int

  /// A text that no other prompt has.
  static func own(_ tokens: Int, _ random: inout RandomSource) -> PromptText {
    PromptText(name: random.next(), tokens: tokens)
  }
}

/// Texts that many sessions share: the k-th most popular in proportion to k^−α, each of its own length.
struct SharedTexts: Sendable {
  private let seed: UInt64
  private let sampler: ZipfSampler
  private let lengths: TokenLengths

  init(count: Int, alpha: Double, lengths: TokenLengths, seed: UInt64) {
    self.seed = seed
    self.lengths = lengths
    sampler = ZipfSampler(ranks: UInt64(count), alpha: alpha)
  }

  /// A text by its popularity.
  func draw(_ random: inout RandomSource) -> PromptText {
    let name = KeyHash.finish(seed &+ sampler.rank(&random) &* 0x9E37_79B9_7F4A_7C15)
    var own = RandomSource(seed: name)
    return PromptText(name: name, tokens: lengths.draw(&own))
  }
}

/// Lengths whose logarithms are normally distributed, with a mean in tokens.
struct TokenLengths: Sendable {
  private let mu: Double
  private let sigma: Double

  /// Lengths about a mean; all equal to it where `sigma` is 0.
  init(mean: Int, sigma: Double = 1) {
    self.sigma = sigma
    mu = PortableMath.log(Double(mean)) - sigma * sigma / 2
  }

  /// A length, from 1 token to 2^24.
  func draw(_ random: inout RandomSource) -> Int {
    if sigma == 0 { return Int(PortableMath.exp(mu).rounded()) }
    return Int(min(max(PortableMath.exp(mu + sigma * random.normal()).rounded(), 1), 0x1p24))
  }
}

extension RandomSource {
  /// A number of turns from 1 on, geometrically distributed: each turn is followed by another with the same odds.
  mutating func turns(mean: Double) -> Int {
    if mean <= 1 { return 1 }
    return 1 + Int(exponential() / -PortableMath.log(1 - 1 / mean))
  }
}

extension Parameter {
  /// The parameters of every generator of prompts, with the usual rate of its sessions.
  static func prompts(rate: Fraction) -> [Parameter] {
    [
      tokens("block", 512, "tokens of a block"),
      tokens("context", 131_072, "tokens of a context, at which a session ends"),
      Parameter(
        "rate", .fraction(in: Fraction(1, 1000)...Fraction(10_000)), default: .fraction(rate),
        help: "sessions that begin in a second, as a Poisson process"),
      Parameter(
        "requests", .integer(in: 1...10_000_000), default: .integer(4000), help: "prompts made"),
    ]
  }

  /// A number of tokens.
  static func tokens(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(name, .integer(in: 1...1 << 20), default: .integer(value), help: help)
  }

  /// A mean number of seconds.
  static func seconds(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(
      name, .fraction(in: Fraction(0)...Fraction(100_000)), default: .fraction(Fraction(value)),
      help: help)
  }

  /// The exponent of a Zipf distribution.
  static func alpha(_ value: Fraction, _ help: String) -> Parameter {
    Parameter(
      "alpha", .fraction(in: Fraction(0)...Fraction(10)), default: .fraction(value), help: help)
  }

  /// A mean number of turns.
  static func turns(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(
      name, .fraction(in: Fraction(1)...Fraction(1000)), default: .fraction(Fraction(value)),
      help: help)
  }

  /// A number of shared texts.
  static func texts(_ name: String, _ value: Int, _ help: String) -> Parameter {
    Parameter(name, .integer(in: 1...1_000_000), default: .integer(value), help: help)
  }
}
