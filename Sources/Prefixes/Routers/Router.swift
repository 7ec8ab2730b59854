import Parameters

/// A router of prompts to workers, each with a cache of its own: one file in this folder, one line in ``Routers``.
///
/// It does not see the caches. So the prompts of each worker are known before a cache runs.
package protocol Router: SendableMetatype {
  /// The name and what it does.
  static var information: CatalogEntry { get }

  /// True if it goes by sessions, which not every trace has.
  static var needsSessions: Bool { get }

  /// A router to that many workers, which has seen no prompt.
  init(workers: Int)

  /// The worker of a prompt, from 0; called once for each prompt, in their order.
  mutating func worker(of prompt: Int, in forest: PromptForest) -> Int
}

extension Router {
  package static var needsSessions: Bool { false }

  /// The prompts of each worker, in their order. O(prompts), times the cost of a choice.
  package static func division(of forest: PromptForest, workers: Int) -> [[UInt32]] {
    var router = Self(workers: workers)
    var division = [[UInt32]](repeating: [], count: workers)
    for prompt in 0..<forest.prompts {
      division[router.worker(of: prompt, in: forest)].append(UInt32(prompt))
    }
    return division
  }
}

/// The routers of prompts to workers.
package enum Routers {
  /// Every router.
  package static let all: [any Router.Type] = [
    RoundRobinRouter.self, StickyRouter.self, LeastLoadedRouter.self,
  ]

  /// The router of that name.
  package static func named(_ name: String) -> (any Router.Type)? {
    all.first { router in router.information.name == name }
  }

  /// The router where none is named: by sessions where there are any.
  package static func usual(for forest: PromptForest) -> any Router.Type {
    forest.sessions == nil ? RoundRobinRouter.self : StickyRouter.self
  }
}
