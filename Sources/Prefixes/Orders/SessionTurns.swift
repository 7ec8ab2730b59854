import Parameters
import Requests

/// Keeps the blocks of sessions that are likely to go on: the odds of another turn by the number of turns so far, learned
/// while it runs, over the age in prompts.
///
/// A block is of the session that requested it last. The value of a block is (sessions that went on + 1) / (sessions
/// that came so far + 2) / age. Where a trace names no sessions this is LRU.
///
/// - Complexity: O(1) a block. Memory: 5 bytes for each block ever seen.
struct SessionTurns: LeafOrder {
  static let information = CatalogEntry(
    name: "session", summary: "keeps the blocks of sessions that are likely to go on")

  static let origin = """
    none. Near to the workload-aware policy of J. Wang et al., “KVCache Cache in the Wild: Characterizing and \
    Optimizing KVCache Cache at a Large Cloud Provider”, USENIX ATC 2025, which tells requests apart by their turn, \
    too, but also by their type, and whose odds fall with time as an exponential distribution
    """

  /// The numbers of turns that are told apart; more count as the last.
  private static let classes = 16

  let kinds = SessionTurns.classes
  /// By class.
  private var reached = [Double](repeating: 0, count: classes)
  private var continued = [Double](repeating: 0, count: classes)
  /// By session.
  private var turns: [Int]
  /// By node: the class of its last request.
  private var classOf: [UInt8]
  private var lastUses: [UInt32]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    let sessions = forest.sessions?.max().map { Int($0) + 1 } ?? 0
    turns = [Int](repeating: 0, count: sessions)
    classOf = [UInt8](repeating: 0, count: forest.distinct)
    lastUses = [UInt32](repeating: 0, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    var turn = 0
    if let sessions = forest.sessions {
      let session = Int(sessions[visit.prompt])
      let before = turns[session]
      if before > 0 { continued[min(before, Self.classes) - 1] += 1 }
      turns[session] += 1
      turn = min(before, Self.classes - 1)
      reached[turn] += 1
    }
    for node in visit.chain.lazy.map(Int.init) {
      classOf[node] = UInt8(turn)
      lastUses[node] = UInt32(visit.prompt)
    }
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { Int(classOf[Int(node)]) }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    let turn = kind(of: node)
    let odds = (continued[turn] + 1) / (reached[turn] + 2)
    return odds / Double(max(1, prompt - Int(lastUses[Int(node)])))
  }
}
