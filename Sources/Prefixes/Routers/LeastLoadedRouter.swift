import Parameters

/// Sends each prompt to the worker that has served fewest tokens so far, of prompts and answers; of equals to the
/// smallest number.
///
/// A worker that is added counts as if it had served as many as the one with the fewest: else it would get every prompt for a
/// long time.
struct LeastLoadedRouter: Router {
  static let information = CatalogEntry(
    name: "least-loaded", summary: "a prompt goes to the worker with the fewest tokens so far")

  private var loads = WorkerLoads()

  init(_ arguments: Arguments, capacity: Int) {}

  mutating func add(beside workers: [Int]) { loads.add(beside: workers) }

  mutating func worker(of prompt: Int, in forest: PromptForest, among workers: [Int]) -> Int {
    let least = loads.least(workers)
    loads.count(prompt, of: forest, at: least)
    return least
  }
}
