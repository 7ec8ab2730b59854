import Prefixes
import Results
import Runner
import Synchronization

/// The prompts of a trace among its workers, as they are and in its variations, of which one is there at a time.
final class VariedForests: Sendable {
  /// The prompts as they are.
  let recorded: PromptForest
  private let workers: Workers
  private let latest = Mutex<(division: Division, forests: WorkerForests)?>(nil)
  private let latestBound = Mutex<(division: Division, bound: (blocks: Int, tokens: Int))?>(nil)

  /// A division of prompts among workers.
  private struct Division: Equatable {
    /// Nil for the prompts as they are.
    let variation: Variation?
    /// Nil where the router does not go by it.
    let capacity: Int?

    init(_ variation: Variation?, capacity: Int?) {
      self.variation = variation.flatMap { $0.kind == .size ? nil : $0 }
      self.capacity = capacity
    }
  }

  init(_ recorded: PromptForest, _ workers: Workers) {
    self.recorded = recorded
    self.workers = workers
  }

  /// The prompts of a variation, in the place of those of the one before; the recorded ones for nil. A variation is divided
  /// among the workers in its own order, and by routers that go by the capacity at each capacity anew.
  func forests(_ variation: Variation?, capacity: Int) -> WorkerForests {
    let goesByCapacity = workers.router?.router.needsCapacity ?? false
    let division = Division(variation, capacity: goesByCapacity ? capacity : nil)
    return latest.withLock { latest in
      if let latest, latest.division == division { return latest.forests }
      let whole =
        latest.flatMap { $0.division.variation == division.variation ? $0.forests.whole : nil }
        ?? division.variation.map { $0.prompts(recorded) } ?? recorded
      latest = nil
      let forests = WorkerForests(whole, workers, capacity: capacity)
      latest = (division, forests)
      return forests
    }
  }

  /// The most that workers can hit of the prompts of a variation, with any router.
  func hindsight(
    of forests: WorkerForests, _ variation: Variation?, capacity: Int, warmup: Int
  ) -> (blocks: Int, tokens: Int) {
    let division = Division(variation, capacity: capacity)
    return latestBound.withLock { latest in
      if let latest, latest.division == division { return latest.bound }
      let bound = PrefixOptimum.hindsight(
        forests.whole, capacity: capacity, workers: workers.most, warmup: warmup)
      latest = (division, bound)
      return bound
    }
  }
}
