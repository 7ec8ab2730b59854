import Parameters
import Requests

/// Weighs age against the number of continuations that a block has had: a prefix of many prompts is likely to begin
/// another.
///
/// The value of a block is (1 + blocks that ever followed it directly) / age, with the age in prompts.
///
/// - Complexity: O(1) a block. Memory: 8 bytes for each block ever seen.
struct SubtreeSize: LeafOrder {
  static let information = CatalogEntry(
    name: "subtree", summary: "keeps what many prompts have continued in different ways")

  static let origin = "none"

  /// By node: the blocks that followed it.
  private var branches: [UInt32]
  private var lastUses: [UInt32]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    branches = [UInt32](repeating: 0, count: forest.distinct)
    lastUses = branches
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    for (place, node) in visit.chain.enumerated() {
      let parent = forest.parents[Int(node)]
      if place >= visit.known && parent != PromptForest.root { branches[Int(parent)] += 1 }
      lastUses[Int(node)] = UInt32(visit.prompt)
    }
  }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    let age = max(1, prompt - Int(lastUses[Int(node)]))
    return Double(1 + branches[Int(node)]) / Double(age)
  }
}
