import Parameters

/// Sessions of all kinds, each by its weight, with the parameters that the kinds have by themselves.
struct MixedPrompts: PromptGenerator {
  static let information = CatalogEntry(
    name: "prompt-mix", summary: "chat, agents, retrieval and shared-prompt at once",
    parameters: [
      weight("chat", Fraction(20)), weight("agents", Fraction(2)),
      weight("retrieval", Fraction(76)), weight("shared", Fraction(2)),
    ] + Parameter.prompts(rate: Fraction(25, 10)))

  private static func weight(_ name: String, _ value: Fraction) -> Parameter {
    Parameter(
      name, .fraction(in: Fraction(0)...Fraction(1000)), default: .fraction(value),
      help: "weight of the \(name) sessions")
  }

  private var kinds: [(weight: Double, generator: any PromptGenerator)] = []
  private let total: Double
  private var random: RandomSource

  init(_ arguments: Arguments, seed: UInt64) throws(TraceError) {
    random = RandomSource(seed: seed)
    let types: [(name: String, type: any PromptGenerator.Type)] = [
      ("chat", ChatPrompts.self), ("agents", AgentPrompts.self),
      ("retrieval", RetrievalPrompts.self), ("shared", SharedPrompts.self),
    ]
    for (name, type) in types {
      let own = Arguments(parameters: type.information.parameters)
      kinds.append(
        (arguments.fraction(name).double, try type.init(own, seed: random.next())))
    }
    total = kinds.reduce(0) { $0 + $1.weight }
    if total == 0 {
      throw .usage(
        problem: "prompt-mix: all weights are 0", remedy: "give one of them a weight")
    }
  }

  mutating func session() -> [PromptTurn] {
    var place = random.unit() * total
    // Rounding may leave a rest behind the last weight.
    var chosen = kinds.lastIndex { $0.weight > 0 } ?? 0
    for (index, kind) in kinds.enumerated() {
      if place < kind.weight {
        chosen = index
        break
      }
      place -= kind.weight
    }
    return kinds[chosen].generator.session()
  }
}
