import Parameters

/// Programs that send one prompt each: a shared system prompt, and a request of its own behind it.
///
/// Session: one prompt. Lengths are lognormal with a standard deviation of 1 in logarithms.
struct SharedPrompts: PromptGenerator {
  static let information = CatalogEntry(
    name: "shared-prompt", summary: "single requests behind shared system prompts",
    parameters: [
      .texts("systems", 20, "system prompts"),
      .alpha(Fraction(1), "how uneven their popularity is; 0 is uniform"),
      .tokens("system", 3000, "mean tokens of a system prompt"),
      .tokens("message", 600, "mean tokens of a request"),
      .tokens("answer", 250, "mean tokens of an answer"),
    ] + Parameter.prompts(rate: Fraction(4)))

  private let systems: SharedTexts
  private let message: TokenLengths
  private let answer: TokenLengths
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    message = TokenLengths(mean: arguments.integer("message"))
    answer = TokenLengths(mean: arguments.integer("answer"))
    random = RandomSource(seed: seed)
    systems = SharedTexts(
      count: arguments.integer("systems"), alpha: arguments.fraction("alpha").double,
      lengths: TokenLengths(mean: arguments.integer("system")), seed: random.next())
  }

  mutating func session() -> [PromptTurn] {
    [
      PromptTurn(
        texts: [systems.draw(&random), .own(message.draw(&random), &random)],
        answer: answer.draw(&random))
    ]
  }
}
