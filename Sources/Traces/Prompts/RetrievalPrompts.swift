import Parameters

/// Questions about documents: a prompt is an instruction, documents that many prompts share, and a question.
///
/// Session: documents by popularity, each only once, then a geometrically distributed number of questions. Prompts
/// share blocks only as far as their documents come in the same order. Lengths are lognormal with a standard deviation
/// of 1 in logarithms, and pauses exponential.
struct RetrievalPrompts: PromptGenerator {
  static let information = CatalogEntry(
    name: "retrieval", summary: "questions about documents that many share",
    parameters: [
      .texts("documents", 1200, "documents"),
      .alpha(Fraction(5, 10), "how uneven their popularity is; 0 is uniform"),
      .tokens("length", 18_000, "mean tokens of a document"),
      Parameter(
        "each", .integer(in: 1...100), default: .integer(1), help: "documents of a session"),
      .tokens("instruction", 100, "tokens of the instruction, which all prompts share"),
      .turns("turns", 1, "mean number of questions of a session"),
      .tokens("question", 50, "mean tokens of a question"),
      .tokens("answer", 100, "mean tokens of an answer"),
      .seconds("pause", 60, "mean seconds from one question to the next"),
    ] + Parameter.prompts(rate: Fraction(4)))

  private let documents: SharedTexts
  private let each: Int
  private let instruction: PromptText
  private let turns: Double
  private let question: TokenLengths
  private let answer: TokenLengths
  private let pause: Double
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) throws(TraceError) {
    let count = arguments.integer("documents")
    each = arguments.integer("each")
    if each > count {
      throw .usage(
        problem: "retrieval: \(each) documents of a session are more than all \(count)",
        remedy: "lower each or raise documents")
    }
    turns = arguments.fraction("turns").double
    question = TokenLengths(mean: arguments.integer("question"))
    answer = TokenLengths(mean: arguments.integer("answer"))
    pause = arguments.fraction("pause").double
    random = RandomSource(seed: seed)
    documents = SharedTexts(
      count: count, alpha: arguments.fraction("alpha").double,
      lengths: TokenLengths(mean: arguments.integer("length")), seed: random.next())
    instruction = PromptText.own(arguments.integer("instruction"), &random)
  }

  mutating func session() -> [PromptTurn] {
    var texts = [instruction]
    // A rare document may take many draws where popularity is uneven.
    for _ in 0..<each * 100 where texts.count <= each {
      let text = documents.draw(&random)
      if !texts.contains(where: { $0.name == text.name }) { texts.append(text) }
    }
    return (0..<random.turns(mean: turns)).map { turn in
      let text = PromptText.own(question.draw(&random), &random)
      return PromptTurn(
        pause: turn == 0 ? 0 : pause * random.exponential(),
        texts: turn == 0 ? texts + [text] : [text], answer: answer.draw(&random))
    }
  }
}
