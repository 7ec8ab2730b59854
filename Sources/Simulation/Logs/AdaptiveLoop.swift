import Eviction
import EvictionCore
import Parameters
import Requests
import Results

/// Counts what ``ARC`` does with plain gets, its four lists as ``SlotLogs``.
///
/// - Complexity: some nanoseconds a request. Memory: 8 bytes a distinct key, and at most about 66 an object or ghost.
struct AdaptiveLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  private var logs: SlotLogs
  private var target: AdaptiveTarget
  private let capacity: Int

  // The lists, by log.
  private static var t1: Int { 1 }
  private static var t2: Int { 2 }
  private static var b1: Int { 3 }
  private static var b2: Int { 4 }

  static let parameters: Set = ["arithmetic", "ghosts"]

  /// A ghost at least must be remembered: without, each one that REPLACE makes would have to be forgotten at once.
  static func covers(_ run: RunOptions) -> Bool {
    let objects = 1...SlotLogs.mostObjects
    return objects.contains(run.capacity)
      && objects.contains(run.arguments.fraction("ghosts").floor(of: run.capacity))
  }

  init(slots: Int, run: RunOptions) {
    room = run.capacity
    capacity = run.capacity
    logs = SlotLogs(count: 5, slots: slots)
    target = AdaptiveTarget(
      PolicyConfiguration(capacity: run.capacity, arguments: run.arguments))
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int {
    let ghosts = run.arguments.fraction("ghosts").floor(of: run.capacity)
    return SlotLogs.bytes(slots: keys, objects: run.capacity + ghosts)
  }

  mutating func reserve(slots: Int) { logs.reserve(slots: slots) }

  mutating func count(_ range: Range<Int>) {
    logs.shrink()
    let (arrivals, logs) = (arrivals, logs.handle)
    var target = target
    var misses = 0
    for place in arrivals.places(of: range) {
      logs.prefetch(arrivals.coming(after: place))
      let slot = arrivals.slot(at: place)
      switch logs.owner(of: slot) {
      case Self.t2: logs.renew(slot, in: Self.t2, owner: Self.t2)
      case Self.t1:
        logs.take(slot, outOf: Self.t1)
        logs.append(slot, to: Self.t2, owner: Self.t2)
      case 0:
        boundHistory(logs, target)
        if isFull(logs) { replace(logs, target, isOfB2: false) }
        logs.append(slot, to: Self.t1, owner: Self.t1)
        misses &+= 1
      case let ghost:
        let (b1, b2) = (Double(logs.count(of: Self.b1)), Double(logs.count(of: Self.b2)))
        target.move(
          isUp: ghost == Self.b1, ratio: ghost == Self.b1 ? b2 / b1 : b1 / b2, size: 1)
        if isFull(logs) { replace(logs, target, isOfB2: ghost == Self.b2) }
        logs.take(slot, outOf: ghost)
        logs.append(slot, to: Self.t2, owner: Self.t2)
        misses &+= 1
      }
    }
    self.target = target
    count(misses: misses, of: range.count)
  }

  @inline(__always)
  private func isFull(_ logs: SlotLogs.Handle) -> Bool {
    logs.count(of: Self.t1) &+ logs.count(of: Self.t2) == capacity
  }

  /// REPLACE: the first of T1 or T2 becomes a ghost.
  @inline(__always)
  private func replace(_ logs: SlotLogs.Handle, _ target: AdaptiveTarget, isOfB2: Bool) {
    let t1 = logs.count(of: Self.t1)
    let takesT1 =
      t1 > 0 && (target.exceeds(t1: t1, isOfB2: isOfB2) || logs.count(of: Self.t2) == 0)
    let (list, ghosts) = takesT1 ? (Self.t1, Self.b1) : (Self.t2, Self.b2)
    logs.append(logs.takeFirst(of: list), to: ghosts, owner: ghosts)
  }

  /// Forgets what there is no room for beside a newcomer: of T1 and B1, then the oldest ghosts of B2, then of B1.
  @inline(__always)
  private func boundHistory(_ logs: SlotLogs.Handle, _ target: AdaptiveTarget) {
    while logs.count(of: Self.t1) &+ logs.count(of: Self.b1) >= capacity {
      logs.removeFirst(of: logs.count(of: Self.b1) == 0 ? Self.t1 : Self.b1)
    }
    while true {
      let (b1, b2) = (logs.count(of: Self.b1), logs.count(of: Self.b2))
      let residents = logs.count(of: Self.t1) &+ logs.count(of: Self.t2)
      if residents &+ b1 &+ b2 < target.directory || b1 &+ b2 == 0 { return }
      logs.removeFirst(of: b2 > 0 ? Self.b2 : Self.b1)
    }
  }
}
