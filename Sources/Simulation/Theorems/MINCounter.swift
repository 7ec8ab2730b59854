import EvictionCore
import Requests
import Results

/// Counts what Belady's MIN does with plain gets, without a cache: hits, insertions, evictions and
/// rejections are those of the policy, to the last one.
///
/// With the future known a resident need not be told by its key: it is the one that a certain request to
/// come will ask for. So a request hits if its bit is set, its object moves to the bit of its next use,
/// and the last bit is the victim. Residents that are never used again leave first, and as it does not
/// matter which of them goes, they are only counted.
///
/// - Complexity: a few nanoseconds a request; reads the next uses from the first to the last, and nothing
///   else of the trace. Memory: 1.02 bits a request, beside the next uses.
struct MINCounter: Counter, ~Copyable {
  var counts = RequestCounts()
  private var residents: NextUseBits
  /// Residents that are never used again.
  private var unused = 0
  /// The objects that still fit in: none from the first eviction on, as nothing else leaves.
  private var room: Int
  private let bypasses: Bool
  /// The requests whose own uses are not known, as none of them counts.
  private let unknown: Int
  /// By key, whether it came among them; empty once nothing more fits in.
  private var isKnown: [Bool]
  private var ids: UnsafePointer<UInt32>?
  private var nextUses: UnsafePointer<UInt32>?

  static let file = #fileID

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - options: Capacity and warm-up.
  ///   - shape: A trace in memory, with next uses.
  ///   - bypasses: True if a newcomer is refused when no resident is used later than it.
  init(_ options: SimulationOptions, over shape: RequestShape, bypasses: Bool) {
    guard let requests = shape.requests else { preconditionFailure("the optimum needs next uses") }
    residents = NextUseBits(requests: requests)
    room = options.run.capacity
    self.bypasses = bypasses
    unknown = shape.nextUseWarmup == 0 ? 0 : min(options.run.warmup, requests)
    isKnown = unknown == 0 ? [] : Array(repeating: false, count: shape.slots)
  }

  /// Returns true if next uses suffice for the counts of a run.
  ///
  /// They do if each is the next request for the key: all but those that are no use because of a warm-up, and
  /// the warm-up has to be that of the run.
  static func covers(_ shape: RequestShape, _ run: RunOptions) -> Bool {
    guard let warmup = shape.nextUseWarmup else { return false }
    return warmup == 0 || warmup == run.warmup
  }

  mutating func begin(_ block: RequestColumns) { (ids, nextUses) = (block.ids, block.nextUses) }

  mutating func restart() { counts = RequestCounts() }

  mutating func count(_ range: Range<Int>) {
    guard let ids, let nextUses else { preconditionFailure("the optimum needs next uses") }
    var first = range.lowerBound
    if !isKnown.isEmpty && first < unknown { first = fill(range, ids, nextUses) }
    let rest = first..<range.upperBound
    if bypasses {
      count(rest, nextUses, bypasses: true)
    } else {
      count(rest, nextUses, bypasses: false)
    }
  }

  /// Runs requests whose own uses are not known until nothing more fits in: every object that was requested so far is
  /// resident.
  ///
  /// From then on hits need not be told from misses: an object that is requested again in the warm-up is
  /// resident as one of those that are never used again, or one of them leaves for it.
  ///
  /// - Returns: The first one that was not run.
  private mutating func fill(
    _ range: Range<Int>, _ ids: UnsafePointer<UInt32>, _ nextUses: UnsafePointer<UInt32>
  ) -> Int {
    for index in range {
      if room == 0 {
        isKnown = []
        return index
      }
      let key = Int(ids[index])
      if isKnown[key] { unused -= 1 } else { room -= 1 }
      isKnown[key] = true
      enter(nextUses[index])
    }
    return range.upperBound
  }

  @inline(__always)
  private mutating func count(
    _ range: Range<Int>, _ nextUses: UnsafePointer<UInt32>, bypasses: Bool
  ) {
    for index in range {
      let next = nextUses[index]
      if residents.contains(index) {
        counts.hits &+= 1
      } else if makeRoom(for: next, bypasses: bypasses) {
        counts.insertions &+= 1
      } else {
        counts.rejections &+= 1
        continue
      }
      enter(next)
    }
    counts.requests &+= range.count
  }

  /// The latest object's place is its next use.
  @inline(__always)
  private mutating func enter(_ next: UInt32) {
    if next == NextUses.none { unused &+= 1 } else { residents.insert(Int(next)) }
  }

  /// Makes room for an object that is used next by request `next`.
  ///
  /// - Returns: False if it is refused.
  @inline(__always)
  private mutating func makeRoom(for next: UInt32, bypasses: Bool) -> Bool {
    if room > 0 {
      room &-= 1
      return true
    }
    if bypasses && next == NextUses.none { return false }
    if unused > 0 {
      unused &-= 1
    } else {
      let farthest = residents.farthest
      if bypasses && next > farthest { return false }
      residents.remove(farthest: farthest)
    }
    counts.evictions &+= 1
    return true
  }
}
