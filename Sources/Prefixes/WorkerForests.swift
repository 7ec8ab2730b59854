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
  ///   - router: The router to the workers; nil for one worker that has all prompts.
  ///   - workers: The number of workers.
  package init(_ forest: PromptForest, router: (any Router.Type)?, workers: Int) {
    whole = forest
    guard let router else {
      self.workers = [Worker(forest: forest, numbers: nil)]
      return
    }
    self.workers = router.division(of: forest, workers: workers).map {
      Worker(forest: forest.part($0), numbers: $0)
    }
  }
}
