import Parameters
import Requests

/// Keeps what was requested most often, up to a limit, and of equals the most recent.
///
/// With `ends`, the last block of a prompt goes first where it is not full: only the same prompt hits it again, as a
/// longer one has another block there. With `most=1` the rest is LRU.
///
/// - Complexity: O(1) a block. Memory: 1 byte for each block ever seen.
struct Frequency: LeafOrder {
  static let information = CatalogEntry(
    name: "frequency", summary: "keeps what was requested most often, up to a limit",
    parameters: [
      Parameter(
        "most", .integer(in: 1...250), default: .integer(3), help: "requests that are counted"),
      Parameter(
        "ends", .flag, default: .flag(true),
        help: "whether the last block of a prompt leaves first if it is not full"),
    ])

  static let origin = """
    SGLang's LFUStrategy with most=250:ends=false, up to its limit; its SLRUStrategy is near to most=2:ends=false \
    (sgl-project/sglang 008b79d2, evict_policy.py)
    """

  let kinds: Int
  private let most: UInt8
  private let looksAtEnds: Bool
  /// By node: its requests, and 0 for an end that is not full.
  private var counts: [UInt8]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    self.init(forest, most: arguments.integer("most"), ends: arguments.flag("ends"))
  }

  init(_ forest: PromptForest, most: Int, ends: Bool) {
    self.most = UInt8(most)
    kinds = most + 1
    looksAtEnds = ends
    counts = [UInt8](repeating: 0, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    let short = looksAtEnds && visit.endsEarly(in: forest) ? 1 : 0
    for node in visit.chain.dropLast(short).lazy.map(Int.init) {
      if counts[node] < most { counts[node] += 1 }
    }
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { Int(counts[Int(node)]) }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double { Double(counts[Int(node)]) }
}
