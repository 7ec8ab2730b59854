import Parameters
import Results

/// A router of prompts to workers, each with a cache of its own: one file in the folder Routers, one line in ``Routers``.
///
/// It does not see the caches. So the prompts of each worker are known before a cache runs.
package protocol Router: SendableMetatype {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// True if it goes by sessions, which not every trace has.
  static var needsSessions: Bool { get }

  /// True if its choices depend on the capacity of a worker's cache.
  static var needsCapacity: Bool { get }

  /// A router that has seen no prompt and no worker.
  init(_ arguments: Arguments, capacity: Int)

  /// Takes note of a worker with an empty cache, beside those that are there. Workers are numbered from 0 on as they
  /// come, and no number comes again.
  mutating func add(beside workers: [Int])

  /// The worker of a prompt, one of those that are there, which are in order of their numbers; called once for each prompt,
  /// in their order.
  mutating func worker(of prompt: Int, in forest: PromptForest, among workers: [Int]) -> Int
}

extension Router {
  package static var needsSessions: Bool { false }
  package static var needsCapacity: Bool { false }

  package mutating func add(beside workers: [Int]) {}

  /// The prompts of each worker that was ever there, in their order. O(prompts), times the cost of a choice.
  static func division(
    of forest: PromptForest, _ workers: Workers, _ arguments: Arguments, capacity: Int
  ) -> [[UInt32]] {
    var router = Self(arguments, capacity: capacity)
    var division: [[UInt32]] = []
    var present: [Int] = []
    func add() {
      router.add(beside: present)
      present.append(division.count)
      division.append([])
    }
    for _ in 0..<workers.count { add() }
    var changes = workers.changes.all[...]
    for prompt in 0..<forest.prompts {
      while let change = changes.first, change.place(among: forest.prompts) <= prompt {
        if let lost = change.lost { present.removeAll { $0 == lost } } else { add() }
        changes.removeFirst()
      }
      division[router.worker(of: prompt, in: forest, among: present)].append(UInt32(prompt))
    }
    // Those that come after the last prompt, which a variation may leave out.
    while division.count < workers.count + workers.changes.added { division.append([]) }
    return division
  }
}

/// A router with its parameters, as a user wrote it.
package struct RouterChoice: Sendable {
  /// The router.
  package let router: any Router.Type
  /// Its parameters, typed.
  package let arguments: Arguments

  /// A router with its parameters as they are by default.
  package init(_ router: any Router.Type) {
    self.router = router
    arguments = Arguments(parameters: router.information.parameters)
  }

  /// Parses `longest-prefix:match=0.3`.
  ///
  /// - Returns: Nil for a name that no router has.
  /// - Throws: ``SpecificationError`` for a parameter that it does not have, or a value out of range.
  package init?(parsing text: String) throws(SpecificationError) {
    let specification = try Specification(parsing: text)
    guard let router = Routers.named(specification.name) else { return nil }
    self.router = router
    arguments = try specification.arguments(for: router.information.parameters)
  }

  /// The router with its parameters, as results name it.
  package var label: String {
    Measurement.label(of: router.information.name, Measurement.parameters(arguments))
  }

  /// The prompts of each worker that was ever there, in their order.
  func division(of forest: PromptForest, _ workers: Workers, capacity: Int) -> [[UInt32]] {
    router.division(of: forest, workers, arguments, capacity: capacity)
  }
}

/// The routers of prompts to workers.
package enum Routers {
  /// Every router.
  package static let all: [any Router.Type] = [
    RoundRobinRouter.self, StickyRouter.self, LeastLoadedRouter.self, LongestPrefixRouter.self,
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
