/// The prompts of a forest, divided among workers, each with a cache of its own.
package struct WorkerForests: Sendable {
  /// The prompts of one worker.
  package struct Worker: Sendable {
    /// Its prompts, in their order.
    package let forest: PromptForest
    /// The number of each among all prompts; nil for a worker that has all.
    fileprivate let numbers: [UInt32]?

    /// The number of its prompts among the first `count` of all.
    package func prompts(amongFirst count: Int) -> Int {
      guard let numbers else { return count }
      return numbers.prefix { $0 < count }.count
    }
  }

  /// All prompts.
  package let whole: PromptForest
  /// The workers.
  package let workers: [Worker]

  /// Divides prompts.
  ///
  /// - Parameters:
  ///   - forest: The prompts.
  ///   - workers: The workers and their router.
  ///   - capacity: The blocks of each worker's cache.
  package init(_ forest: PromptForest, _ workers: Workers, capacity: Int) {
    whole = forest
    guard let router = workers.router else {
      self.workers = [Worker(forest: forest, numbers: nil)]
      return
    }
    self.workers = router.division(of: forest, workers, capacity: capacity).map {
      Worker(forest: forest.part($0), numbers: $0)
    }
  }

  /// The copies of a block, on average: pairs of a block and a worker that had a prompt with it / distinct blocks.
  package var replicas: Double {
    Double(workers.reduce(0) { $0 + $1.forest.distinct }) / Double(max(1, whole.distinct))
  }
}
