import Parameters
import Requests

/// Keeps the blocks whose kind has come back most often: the odds of a kind of block, learned while it runs, and
/// less the longer ago the block was requested.
///
/// The kind of a block is that of its last request: new at the end of a path that is new, too; new behind a path that
/// was known; requested twice; or more often. And it is the length of the answer, in classes that double: after
/// short answers (a tool's call, a line of a dialogue) a prompt is continued more often than after long ones. The
/// value of a block is
///
///     (reuses of its kind + 1) / (requests of its kind + 4) × requests^r / age^a
///
/// with the block's own requests, 16 at most, and the age in prompts. With one kind alone and r = 0 this is LRU. With
/// `ends`, the last block of a prompt is of kinds of its own where it is not full.
///
/// - Complexity: O(1) a block. Memory: 6 bytes for each block ever seen.
struct ReuseOdds: LeafOrder {
  static let information = CatalogEntry(
    name: "reuse-odds",
    summary: "keeps the kinds of blocks that come back: new or known, after short or long answers",
    parameters: [
      Parameter(
        "age", .fraction(in: Fraction(0)...Fraction(2)), default: .fraction(Fraction(35, 100)),
        help: "the exponent by which the odds fall with age"),
      Parameter(
        "requests", .fraction(in: Fraction(0)...Fraction(4)), default: .fraction(Fraction(0)),
        help: "the exponent by which the odds rise with the requests of a block, 16 at most"),
      Parameter(
        "answers", .flag, default: .flag(true),
        help: "whether the length of the answer is looked at"),
      Parameter(
        "paths", .flag, default: .flag(true), help: "whether it matters what was known before"),
      Parameter(
        "ends", .flag, default: .flag(false),
        help: "whether a last block that is not full is a kind of its own"),
    ])

  static let origin = """
    none. Near to the workload-aware policy of J. Wang et al., “KVCache Cache in the Wild: Characterizing and \
    Optimizing KVCache Cache at a Large Cloud Provider”, USENIX ATC 2025, which learns the odds of reuse, too, but by \
    the kind and turn of a request, with exponential times, and not by the path of a block and the length of the answer
    """

  /// The classes of answers: below 24 tokens, and doubling.
  private static let answers = 8
  private static let kinds = 6 * answers
  /// The requests of a block that are counted.
  private static let most = 16

  /// By path: whether the block was new. The paths are: new, new behind a known path, requested twice, more often; and
  /// for a last block that is not full: new, known.
  private static let wasNew = [true, true, false, false, true, false]

  private var requests = [Double](repeating: 0, count: kinds)
  private var reuses = [Double](repeating: 0, count: kinds)
  private var odds = [Double](repeating: 0.25, count: kinds)
  /// By node: its kind, from 1; 0 before its first request.
  private var kindOf: [UInt8]
  private var lastUses: [UInt32]
  /// By node: its requests, ``most`` at most.
  private var counts: [UInt8]
  /// By requests, from 0.
  private let powers: [Double]
  private let looksAtRequests: Bool
  /// By age.
  private let weights: [Double]
  private let looksAtAnswers: Bool
  private let looksAtPaths: Bool
  private let looksAtEnds: Bool

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    self.init(
      forest, age: arguments.fraction("age").double,
      requests: arguments.fraction("requests").double, answers: arguments.flag("answers"),
      paths: arguments.flag("paths"), ends: arguments.flag("ends"))
  }

  init(
    _ forest: PromptForest, age: Double, requests: Double = 0, answers: Bool = true,
    paths: Bool = true, ends: Bool = false
  ) {
    kindOf = [UInt8](repeating: 0, count: forest.distinct)
    lastUses = [UInt32](repeating: 0, count: forest.distinct)
    looksAtAnswers = answers
    looksAtPaths = paths
    looksAtEnds = ends
    counts = [UInt8](repeating: 0, count: forest.distinct)
    looksAtRequests = requests > 0
    powers = (0...Self.most).map { pow(Double($0), requests) }
    weights = (0...forest.prompts).map { pow(Double(max(1, $0)), -age) }
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    let answer = looksAtAnswers ? Self.answerClass(forest.outputs[visit.prompt]) : 0
    let extends = visit.known >= 2
    let end = looksAtEnds && visit.endsEarly(in: forest) ? visit.chain.count - 1 : -1
    for (place, block) in visit.chain.enumerated() {
      let node = Int(block)
      let earlier = Int(kindOf[node])
      if earlier > 0 { reuses[earlier - 1] += 1 }
      var path = 0
      if looksAtPaths {
        if place >= visit.known {
          path = extends ? 1 : 0
        } else {
          path = Self.wasNew[(earlier - 1) / Self.answers] ? 2 : 3
        }
      }
      if place == end { path = place >= visit.known ? 4 : 5 }
      let kind = path * Self.answers + answer
      kindOf[node] = UInt8(kind + 1)
      requests[kind] += 1
      if counts[node] < Self.most { counts[node] += 1 }
      lastUses[node] = UInt32(visit.prompt)
    }
    for kind in 0..<Self.kinds { odds[kind] = (reuses[kind] + 1) / (requests[kind] + 4) }
  }

  var kinds: Int { looksAtRequests ? Self.kinds * Self.most : Self.kinds }

  @inline(__always)
  func kind(of node: UInt32) -> Int {
    let kind = Int(kindOf[Int(node)]) - 1
    return looksAtRequests ? kind * Self.most + Int(counts[Int(node)]) - 1 : kind
  }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    odds[Int(kindOf[Int(node)]) - 1] * powers[Int(counts[Int(node)])]
      * weights[prompt - Int(lastUses[Int(node)])]
  }

  private static func answerClass(_ tokens: Int) -> Int {
    var (left, answer) = (tokens, 0)
    while left >= 24 && answer < answers - 1 {
      left /= 2
      answer += 1
    }
    return answer
  }
}
