import Parameters

/// The catalog of generators of prompts.
public enum PromptGenerators {
  /// Every generator; a new one is one file and one line here.
  package static let all: [any PromptGenerator.Type] = [
    ChatPrompts.self,
    AgentPrompts.self,
    RetrievalPrompts.self,
    SharedPrompts.self,
    MixedPrompts.self,
  ]

  /// Returns true if a specification such as `chat:turns=6` names one of them.
  package static func contains(_ text: String) -> Bool {
    let name = text.prefix { $0 != ":" }
    return all.contains { $0.information.name == name }
  }

  /// The generator of a specification, and its parameters.
  ///
  /// Throws `usage` when there is no such generator, `specification` when a parameter is wrong.
  static func choose(
    _ text: String
  ) throws(TraceError) -> (type: any PromptGenerator.Type, arguments: Arguments) {
    try CatalogEntry.choose(text, among: all, "generator of prompts") { $0.information }
  }
}
