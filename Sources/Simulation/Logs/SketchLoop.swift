import CInline
import Eviction
import EvictionCore
import Parameters
import Requests
import Results

/// Counts what ``WTinyLFU`` does with plain gets, its window and its main cache's segments as ``SlotLogs``.
///
/// - Complexity: some nanoseconds a request; amortized O(1). Memory: 8 bytes a distinct key, and at most about 82 an
///   object; ten more with a doorkeeper.
struct SketchLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  private var logs: SlotLogs
  private var sketch: FrequencySketch
  private let capacity: Int
  private let windowQuota: Int
  private let protectedQuota: Int

  // The lists, by log.
  private static var window: Int { 1 }
  private static var probation: Int { 2 }
  private static var protected: Int { 3 }

  static let parameters: Set = [
    "climb", "conservative", "dense", "density", "doorkeeper", "protected", "sample", "step",
    "victims", "window",
  ]

  /// A window that does not move: with none, newcomers are refused.
  static func covers(_ run: RunOptions) -> Bool {
    let arguments = run.arguments
    return (1...SlotLogs.mostObjects).contains(run.capacity)
      && arguments.text("victims") == WTinyLFU.Victims.caffeine.rawValue
      && !arguments.flag("climb") && !arguments.flag("density")
      && arguments.given["step"] == nil && arguments.given["dense"] == nil
      && WTinyLFU.Shares(arguments).quotas(of: run.capacity).window > 0
  }

  init(slots: Int, run: RunOptions) {
    room = run.capacity
    capacity = run.capacity
    logs = SlotLogs(count: 4, slots: slots)
    sketch = WTinyLFU.sketch(run.arguments)
    (windowQuota, protectedQuota) = WTinyLFU.Shares(run.arguments).quotas(of: run.capacity)
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int {
    let objects = min(keys, run.capacity)
    let sample =
      run.arguments.flag("doorkeeper") ? min(objects * run.arguments.integer("sample"), 1 << 26) : 0
    return SlotLogs.bytes(slots: keys, objects: objects) + 16 * objects + 2 * sample
  }

  mutating func reserve(slots: Int) { logs.reserve(slots: slots) }

  mutating func count(_ range: Range<Int>) {
    guard let hashes = arrivals.keyHashes else { preconditionFailure("the keys have no hashes") }
    logs.shrink()
    let (arrivals, logs) = (arrivals, logs.handle)
    var misses = 0
    for place in arrivals.places(of: range) {
      let coming = arrivals.coming(after: place)
      logs.prefetch(coming)
      evl_prefetch(hashes + coming)
      sketch.prefetch(hashes[arrivals.comingSoon(after: place)])
      let slot = arrivals.slot(at: place)
      sketch.record(hashes[slot])
      let list = logs.owner(of: slot)
      if list == 0 {
        if misses >= room {
          evict(logs, hashes)
        } else {
          sketch.note(residents: capacity &- room &+ misses &+ 1)
        }
        misses &+= 1
        logs.append(slot, to: Self.window, owner: Self.window)
        demote(from: Self.window, to: windowQuota, logs)
      } else if list == Self.probation && protectedQuota > 0 {
        logs.take(slot, outOf: Self.probation)
        logs.append(slot, to: Self.protected, owner: Self.protected)
        demote(from: Self.protected, to: protectedQuota, logs)
      } else {
        logs.renew(slot, in: list, owner: list)
      }
    }
    count(misses: misses, of: range.count)
  }

  /// Moves the first object of a list with too many to the end of probation.
  @inline(__always)
  private func demote(from list: Int, to quota: Int, _ logs: SlotLogs.Handle) {
    if logs.count(of: list) > quota {
      logs.append(logs.takeFirst(of: list), to: Self.probation, owner: Self.probation)
    }
  }

  /// Lets the first of the window and that of the main cache compete, if the window has no room for a newcomer.
  @inline(__always)
  private func evict(_ logs: SlotLogs.Handle, _ hashes: UnsafePointer<UInt64>) {
    let list =
      logs.count(of: Self.probation) > 0
      ? Self.probation : logs.count(of: Self.protected) > 0 ? Self.protected : Self.window
    if list == Self.window || logs.count(of: Self.window) < windowQuota {
      return logs.removeFirst(of: list)
    }
    let candidate = logs.takeFirst(of: Self.window)
    let victim = logs.first(of: list)
    if sketch.frequency(of: hashes[candidate]) <= sketch.frequency(of: hashes[victim]) {
      logs.forget(candidate)
    } else {
      logs.removeFirst(of: list)
      logs.append(candidate, to: Self.probation, owner: Self.probation)
    }
  }
}
