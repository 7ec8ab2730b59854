/// The prompts and tokens that each worker has been sent.
struct WorkerLoads {
  /// By worker: its prompts.
  private(set) var prompts: [Int] = []
  /// By worker: the tokens of its prompts and their answers.
  private(set) var tokens: [Int] = []

  /// Adds a worker, with the least that one of the others has.
  mutating func add(beside workers: [Int]) {
    prompts.append(workers.map { prompts[$0] }.min() ?? 0)
    tokens.append(workers.map { tokens[$0] }.min() ?? 0)
  }

  /// The one of these workers with the fewest tokens; of equals the first.
  func least(_ workers: some Sequence<Int>) -> Int {
    guard let least = workers.min(by: { tokens[$0] < tokens[$1] }) else {
      preconditionFailure("one worker is left")
    }
    return least
  }

  /// Counts a prompt that a worker is sent.
  mutating func count(_ prompt: Int, of forest: PromptForest, at worker: Int) {
    prompts[worker] += 1
    tokens[worker] += forest.tokens[prompt] + forest.outputs[prompt]
  }
}
