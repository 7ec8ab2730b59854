import Prefixes
import Results
import Runner
import Synchronization

/// The prompts of a trace among its workers, as they are and in its variations, of which one is there at a time.
final class VariedForests: Sendable {
  /// The prompts as they are.
  let recorded: WorkerForests
  private let router: (any Router.Type)?
  private let varied = Mutex<(variation: Variation, forests: WorkerForests)?>(nil)

  init(_ recorded: PromptForest, router: (any Router.Type)?, workers: Int) {
    self.router = router
    self.recorded = WorkerForests(recorded, router: router, workers: workers)
  }

  /// The prompts of a variation, in the place of those of the one before; the recorded ones for nil. A variation is divided
  /// among the workers in its own order.
  subscript(variation: Variation?) -> WorkerForests {
    guard let variation, variation.kind != .size else { return recorded }
    return varied.withLock { varied in
      if let varied, varied.variation == variation { return varied.forests }
      varied = nil
      let forests = WorkerForests(
        variation.prompts(recorded.whole), router: router, workers: recorded.workers.count)
      varied = (variation, forests)
      return forests
    }
  }
}
