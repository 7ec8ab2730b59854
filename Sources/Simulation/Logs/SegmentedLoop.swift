import Eviction
import Parameters
import Requests
import Results

/// Counts what ``SLRU`` does with plain gets, its segments as ``SlotLogs``.
///
/// - Complexity: some nanoseconds a request. Memory: 8 bytes a distinct key, and at most about 66 an object.
struct SegmentedLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  /// The segments, lowest first, from log 1 on.
  private var logs: SlotLogs
  /// By segment, the objects that fit in.
  private let quotas: [Int]
  /// The segments in which newcomers look for room, lowest first.
  private let candidates: Range<Int>

  static let parameters: Set = ["fill", "probation", "protected", "segments"]

  static func covers(_ run: RunOptions) -> Bool {
    let isContradictory =
      run.arguments.value("segments") != nil && run.arguments.given["protected"] != nil
    return (1...SlotLogs.mostObjects).contains(run.capacity)
      && run.arguments.text("probation") == "open" && !isContradictory
  }

  init(slots: Int, run: RunOptions) {
    quotas = SLRU.quotas(of: run.capacity, run.arguments)
    room = run.capacity
    logs = SlotLogs(count: quotas.count, slots: slots)
    let hasTwo = run.arguments.value("segments") == nil
    let fillsProtected = run.arguments.text("fill") == "protected"
    candidates = fillsProtected ? (hasTwo ? 2 : 1)..<quotas.count : 0..<0
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int {
    SlotLogs.bytes(slots: keys, objects: run.capacity)
  }

  mutating func reserve(slots: Int) { logs.reserve(slots: slots) }

  mutating func count(_ range: Range<Int>) {
    logs.shrink()
    let (arrivals, logs) = (arrivals, logs.handle)
    let top = quotas.count - 1
    // Each segment then keeps its size for ever: who comes takes the place of who leaves.
    let isSettled =
      top > 1 && quotas[1] > 0 && (1...top).allSatisfy { logs.count(of: $0) == quotas[$0] }
    var misses = 0
    for place in arrivals.places(of: range) {
      logs.prefetch(arrivals.coming(after: place))
      let slot = arrivals.slot(at: place)
      let segment = logs.owner(of: slot)
      if isSettled && UInt(bitPattern: segment &- 1) >= top &- 1 {
        let missed = segment == 0 ? 1 : 0
        logs.renew(
          slot, in: top, owner: top, orReplaceFirstOf: 1, owner: 1, missed: missed)
        misses &+= missed
      } else if segment == top {
        logs.renew(slot, in: top, owner: top)
      } else if segment == 0 {
        if misses >= room { evict(logs) }
        misses &+= 1
        let segment = candidates.first { logs.count(of: $0) < quotas[$0] } ?? 1
        logs.append(slot, to: segment, owner: segment)
      } else {
        let above = segment &+ 1
        logs.take(slot, outOf: segment)
        logs.append(slot, to: above, owner: above)
        if logs.count(of: above) > quotas[above] {
          logs.append(logs.takeFirst(of: above), to: segment, owner: segment)
        }
      }
    }
    count(misses: misses, of: range.count)
  }

  @inline(__always)
  private func evict(_ logs: SlotLogs.Handle) {
    var segment = 1
    while logs.count(of: segment) == 0 { segment &+= 1 }
    logs.removeFirst(of: segment)
  }
}
