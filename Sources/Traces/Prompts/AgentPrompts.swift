import Parameters

/// Agents that call tools: a task is many quick turns with short answers, the calls, each followed by a tool's result
/// of any length; then comes a long answer, and perhaps a user's next task after a pause.
///
/// Session: the instructions and tools of one of the agents, then a geometrically distributed number of tasks, each of
/// a geometrically distributed number of calls. Lengths are lognormal with a standard deviation of 1 in
/// logarithms, and pauses exponential.
struct AgentPrompts: PromptGenerator {
  static let information = CatalogEntry(
    name: "agents", summary: "quick turns with tools, behind long instructions",
    parameters: [
      .texts("agents", 4, "agents, the k-th in proportion to 1/k"),
      .tokens("tools", 6000, "mean tokens of an agent's instructions and tools"),
      .turns("tasks", 2, "mean number of tasks of a session"),
      .turns("calls", 8, "mean number of calls of a task"),
      .tokens("task", 300, "mean tokens of a task's description"),
      .tokens("call", 60, "mean tokens of a call"),
      .tokens("result", 1500, "mean tokens of a tool's result"),
      .tokens("answer", 500, "mean tokens of a task's answer"),
      .seconds("pause", 5, "mean seconds from one call to the next"),
      .seconds("rest", 120, "mean seconds from one task to the next"),
    ] + Parameter.prompts(rate: Fraction(2, 10)))

  private let tools: SharedTexts
  private let tasks: Double
  private let calls: Double
  private let task: TokenLengths
  private let call: TokenLengths
  private let result: TokenLengths
  private let answer: TokenLengths
  private let pause: Double
  private let rest: Double
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) {
    tasks = arguments.fraction("tasks").double
    calls = arguments.fraction("calls").double
    task = TokenLengths(mean: arguments.integer("task"))
    call = TokenLengths(mean: arguments.integer("call"))
    result = TokenLengths(mean: arguments.integer("result"))
    answer = TokenLengths(mean: arguments.integer("answer"))
    pause = arguments.fraction("pause").double
    rest = arguments.fraction("rest").double
    random = RandomSource(seed: seed)
    tools = SharedTexts(
      count: arguments.integer("agents"), alpha: 1,
      lengths: TokenLengths(mean: arguments.integer("tools")), seed: random.next())
  }

  mutating func session() -> [PromptTurn] {
    var turns: [PromptTurn] = []
    for _ in 0..<random.turns(mean: tasks) {
      let description = PromptText.own(task.draw(&random), &random)
      let isFirst = turns.isEmpty
      turns.append(
        PromptTurn(
          pause: isFirst ? 0 : rest * random.exponential(),
          texts: isFirst ? [tools.draw(&random), description] : [description],
          answer: call.draw(&random)))
      for _ in 0..<random.turns(mean: calls) {
        turns.append(
          PromptTurn(
            pause: pause * random.exponential(),
            texts: [.own(result.draw(&random), &random)], answer: call.draw(&random)))
      }
      turns[turns.count - 1].answer = answer.draw(&random)
    }
    return turns
  }
}
