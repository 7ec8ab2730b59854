import EvictionCore
import Parameters

/// The probability graph: objects that were requested soon after this one before.
package final class ProbabilityGraph: Prefetcher {
  override package class var information: PrefetcherInformation {
    PrefetcherInformation(
      name: "pg", summary: "objects that were often requested soon after this one",
      paper: "J. Griffioen and R. Appleton, “Reducing file system latency using a predictive "
        + "approach”, USENIX Summer 1994; the bounds are those of PG.c in libCacheSim, commit 2818b10.",
      idea: "A program that is run again opens the same files in nearly the same order.",
      decision: "An object's arcs count the objects among the range requests after it. After a "
        + "request the objects are fetched whose part of all that its arcs counted is larger than "
        + "the threshold, the rarest first. Arcs take 32 bytes each, as do objects that have some; "
        + "once they take the memory that they may, no new ones are made.",
      complexity: "O(range) per request, and the arcs of its object. Memory: as its limit says.",
      differences: "As libCacheSim (commit 2818b10), but that objects of equal counts are fetched "
        + "in the order of their first arcs; that has the order of a heap, loses an object that "
        + "fell short of the threshold from it, and takes the key 0 for none. An object takes one "
        + "byte there by default, which leaves room for three arcs in a cache of 1 000 objects; "
        + "here 4 KiB; in a sized run the capacity counts bytes already. As there, what is fetched "
        + "has the size of its latest request.",
      parameters: [
        Parameter(
          "range", .integer(in: 1...100), default: .integer(20),
          help: "the requests after an object that its arcs count"),
        Parameter(
          "threshold", .fraction(in: Fraction(0)...Fraction(1)),
          default: .fraction(Fraction(1, 20)),
          help: "the part of an object's counts above which another is fetched"),
        Parameter(
          "memory", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
          help: "the memory of the graph, as a share of the cached objects' bytes"),
        Parameter(
          "block", .bytes(in: 1...(1 << 30)), default: .integer(4 << 10),
          help: "the bytes that an object is taken to have where objects count one"),
      ],
      readsKeys: false)
  }

  /// The objects that followed one.
  private struct Node {
    var total = 0
    /// In the order of their first arcs.
    var arcs: [(slot: Slot, count: Int)] = []
  }

  private let range: Int
  private let threshold: Fraction
  private let arcLimit: Int
  private var arcs = 0
  private var isFull = false
  private var nodes: [Slot: Node] = [:]
  /// The latest requests, a ring.
  private var latest: [Slot] = []
  private var oldest = 0

  /// Takes the bounds from the parameters.
  package required init(_ configuration: PrefetcherConfiguration) {
    let arguments = configuration.arguments
    range = arguments.integer("range")
    threshold = arguments.fraction("threshold")
    arcLimit = arguments.fraction("memory").floor(of: configuration.bytes)
    super.init(configuration)
  }

  override package func record(_ slot: Slot, isHit: Bool) {
    if latest.count < range { return latest.append(slot) }
    let first = latest[oldest]
    latest[oldest] = slot
    oldest = (oldest + 1) % range
    count(from: first)
    if arcs * 32 >= arcLimit { isFull = true }
  }

  /// Counts the latest requests for the object that was requested before them.
  private func count(from first: Slot) {
    // Taken out of the dictionary, so that its arcs are changed in place.
    let known = nodes.removeValue(forKey: first)
    if known == nil {
      if isFull { return }
      arcs += 1
    }
    var node = known ?? Node()
    defer { nodes[first] = node }
    for other in latest {
      node.total += 1
      if let arc = node.arcs.firstIndex(where: { $0.slot == other }) {
        node.arcs[arc].count += 1
      } else if isFull {
        return
      } else {
        node.arcs.append((other, 1))
        arcs += 1
      }
    }
  }

  override package func propose(after slot: Slot, to proposals: inout [Slot]) {
    guard let node = nodes[slot] else { return }
    let most = threshold.floor(of: node.total)
    let likely = node.arcs.enumerated().filter { $0.element.count > most }
    let order = likely.sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
    for (_, arc) in order { proposals.append(arc.slot) }
  }
}
