import Parameters
import Requests

/// Tail-Optimized LRU: keeps as much of a conversation as its next prompt needs to miss no more than a threshold of
/// tokens, and the rest only while there is room.
///
/// A conversation of L tokens, prompt and answer, that goes on with Q̂ more misses L + Q̂ less what is resident. A block
/// is safe to evict if that stays within the threshold ξ without it: if the tokens before it are at least
/// L + Q̂ − ξ. Safe blocks leave first, and recency decides among them and among the others. A block of several
/// conversations is safe if it is for each of them. With ξ ≤ Q̂ no block is safe, and this is LRU.
///
/// Its aim is the tail, the 90th and 99th percentile of the tokens that a prompt misses, at the cost of hits.
///
/// - Paper: W. Zhang, Y. Li, C. C. Moallemi and T. Peng, “Tail-Optimized Caching for LLM Inference”, NeurIPS 2025,
///   arXiv:2510.15152, algorithm 1 with one Q̂ for all.
/// - SGLang (sgl-project/sglang#34012, `TLRUStrategy`) has the same rule by nodes of the radix tree, each of many
///   tokens; the threshold and Q̂ are in tokens there and here, and in blocks in the paper.
/// - Complexity: O(1) a block. Memory: 1 byte for each block ever seen.
struct TailLRU: LeafOrder {
  static let information = CatalogEntry(
    name: "tail-lru",
    summary: "evicts first what the next prompt may miss within a threshold of tokens",
    parameters: [
      Parameter(
        "threshold", .integer(in: 0...1_000_000_000), default: .integer(2048),
        help: "tokens that the next prompt of a conversation may miss (ξ)"),
      Parameter(
        "next", .integer(in: 0...1_000_000_000), default: .integer(200),
        help: "tokens by which it is expected to be longer (Q̂)"),
    ])

  static let origin = """
    W. Zhang, Y. Li, C. C. Moallemi and T. Peng, “Tail-Optimized Caching for LLM Inference”, NeurIPS 2025, \
    arXiv:2510.15152; SGLang's TLRUStrategy (sgl-project/sglang#34012), which goes by nodes of its tree and not by \
    blocks
    """

  let kinds = 2
  private let threshold: Int
  private let next: Int
  /// By node: whether a conversation needs it.
  private var isNeeded: [Bool]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    threshold = arguments.integer("threshold")
    next = arguments.integer("next")
    isNeeded = [Bool](repeating: false, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    let length = forest.tokens[visit.prompt] + forest.outputs[visit.prompt]
    let needed = length + next - threshold
    for (place, node) in visit.chain.enumerated() {
      if forest.wholeTokens(ofFirst: place, of: visit.prompt) >= needed { break }
      isNeeded[Int(node)] = true
    }
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { isNeeded[Int(node)] ? 1 : 0 }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double { isNeeded[Int(node)] ? 1 : 0 }
}
