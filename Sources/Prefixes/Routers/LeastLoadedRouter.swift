import Parameters

/// Sends each prompt to the worker that has served fewest tokens so far, of prompts and answers; of equals to the
/// smallest number.
struct LeastLoadedRouter: Router {
  static let information = CatalogEntry(
    name: "least-loaded", summary: "a prompt goes to the worker with the fewest tokens so far")

  /// By worker: the tokens of its prompts and their answers.
  private var tokens: [Int]

  init(workers: Int) { tokens = [Int](repeating: 0, count: workers) }

  mutating func worker(of prompt: Int, in forest: PromptForest) -> Int {
    var least = 0
    for worker in tokens.indices where tokens[worker] < tokens[least] { least = worker }
    tokens[least] += forest.tokens[prompt] + forest.outputs[prompt]
    return least
  }
}
