import Prefixes
import Results
import Runner
import Synchronization

/// The prompts of a trace, as they are and in its variations, of which one is there at a time.
final class VariedForests: Sendable {
  /// The prompts as they are.
  let recorded: PromptForest
  private let varied = Mutex<(variation: Variation, forest: PromptForest)?>(nil)

  init(_ recorded: PromptForest) { self.recorded = recorded }

  /// The prompts of a variation, in the place of those of the one before; the recorded ones for nil.
  subscript(variation: Variation?) -> PromptForest {
    guard let variation, variation.kind != .size else { return recorded }
    return varied.withLock { varied in
      if let varied, varied.variation == variation { return varied.forest }
      varied = nil
      let forest = variation.prompts(recorded)
      varied = (variation, forest)
      return forest
    }
  }
}
