import Parameters
import Requests

/// Lets blocks live for a time: those that outlived it leave first, of the rest the one requested longest ago.
///
/// A life begins when a prompt brings the block, and no hit prolongs it; then it begins anew with the next request. With
/// `refresh` each request begins it, which is LRU's order. Without times in the trace nothing expires.
///
/// - Complexity: O(1) a block, and O(ends of chains) for each prompt that evicts. Memory: 8 bytes for each block ever seen.
struct TimeToLive: LeafOrder {
  static let information = CatalogEntry(
    name: "time-to-live", summary: "blocks leave first that have lived for a time",
    parameters: [
      Parameter(
        "seconds", .fraction(in: Fraction(0)...Fraction(10_000_000)),
        default: .fraction(Fraction(300)), help: "the time"),
      Parameter(
        "refresh", .flag, default: .flag(false), help: "whether a hit begins the time anew"),
    ])

  static let origin = """
    none. Near to the pins of SGLang (sgl-project/sglang#18941), which end after a time unless a hit begins it anew, \
    as with refresh=true, but are only for prefixes that a caller marks. cache-ttl has times learned from pauses
    """

  private let life: Double
  private let refreshes: Bool
  private let times: [Int64]?
  /// By node: the nanosecond at which its life ends.
  private var ends: [Double]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    life = arguments.fraction("seconds").double * 1e9
    refreshes = arguments.flag("refresh")
    times = forest.times
    ends = [Double](repeating: -.infinity, count: forest.distinct)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    guard let times else { return }
    let now = Double(times[visit.prompt])
    for node in visit.chain.lazy.map(Int.init) {
      if refreshes || ends[node] < now { ends[node] = now + life }
    }
  }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double {
    guard let times else { return 1 }
    return ends[Int(node)] < Double(times[prompt]) ? 0 : 1
  }
}
