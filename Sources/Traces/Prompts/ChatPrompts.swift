import Parameters

/// People who talk with an assistant: each turn sends the whole dialogue again, and a message behind it.
///
/// Session: one of the system prompts, or none, then a geometrically distributed number of turns. A turn is a message; the
/// answer is part of the next turn's prompt. Lengths are lognormal with a standard deviation of 1 in logarithms, and
/// pauses exponential.
struct ChatPrompts: PromptGenerator {
  static let information = CatalogEntry(
    name: "chat", summary: "dialogues of many turns, behind a few system prompts",
    parameters: [
      .turns("turns", 4, "mean number of turns of a session"),
      .tokens("message", 150, "mean tokens of a user's message"),
      .tokens("answer", 350, "mean tokens of an answer"),
      .seconds("pause", 60, "mean seconds from one turn to the next"),
      .texts("systems", 3, "system prompts, the k-th in proportion to 1/k"),
      .tokens("system", 700, "mean tokens of a system prompt"),
      .share("bare", Fraction(1, 2), "share of the sessions without a system prompt"),
    ] + Parameter.prompts(rate: Fraction(8, 10)))

  private let turns: Double
  private let message: TokenLengths
  private let answer: TokenLengths
  private let pause: Double
  private let systems: SharedTexts
  private let bare: Double
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    turns = arguments.fraction("turns").double
    message = TokenLengths(mean: arguments.integer("message"))
    answer = TokenLengths(mean: arguments.integer("answer"))
    pause = arguments.fraction("pause").double
    bare = arguments.fraction("bare").double
    random = RandomSource(seed: seed)
    systems = SharedTexts(
      count: arguments.integer("systems"), alpha: 1,
      lengths: TokenLengths(mean: arguments.integer("system")), seed: random.next())
  }

  mutating func session() -> [PromptTurn] {
    let system = random.unit() < bare ? [] : [systems.draw(&random)]
    return (0..<random.turns(mean: turns)).map { turn in
      let text = PromptText.own(message.draw(&random), &random)
      return PromptTurn(
        pause: turn == 0 ? 0 : pause * random.exponential(),
        texts: turn == 0 ? system + [text] : [text], answer: answer.draw(&random))
    }
  }
}
