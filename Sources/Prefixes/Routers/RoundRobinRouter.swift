import Parameters

/// Sends each prompt to the next worker, and after the last one to the first: prompt i to the (i mod N)th of the N that
/// are there.
struct RoundRobinRouter: Router {
  static let information = CatalogEntry(
    name: "round-robin", summary: "each prompt goes to the next worker")

  init(_ arguments: Arguments, capacity: Int) {}

  mutating func worker(of prompt: Int, in forest: PromptForest, among workers: [Int]) -> Int {
    workers[prompt % workers.count]
  }
}
