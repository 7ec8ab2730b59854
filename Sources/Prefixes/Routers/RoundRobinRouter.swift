import Parameters

/// Sends each prompt to the next worker, and after the last one to the first.
struct RoundRobinRouter: Router {
  static let information = CatalogEntry(
    name: "round-robin", summary: "each prompt goes to the next worker")

  private let workers: Int

  init(workers: Int) { self.workers = workers }

  mutating func worker(of prompt: Int, in forest: PromptForest) -> Int { prompt % workers }
}
