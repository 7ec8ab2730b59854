import CInline
import EvictionCore
import Requests
import Results

/// Counts what ``Random`` does with plain gets, without a branch that depends on a hit: each request draws a victim, whose
/// place the last resident takes, and stands last itself. A hit does all that behind the residents, and takes its draw
/// back.
///
/// - Complexity: a few nanoseconds a request. Memory: 4 bytes a distinct key, and 4 an object that fits in.
struct RandomLoop: ArrivalLoop, ~Copyable {
  var counts = RequestCounts()
  var arrivals = Arrivals()
  var room: Int
  private let capacity: Int
  private var generator: SplitMix64
  /// By object, one more than its index among ``members``; 0 for none. An object is one more than its slot; 0 is
  /// none.
  private var positions: SlotArray<UInt32>
  /// The residents in the order of a `SlotSet`, and 0 behind them.
  private var members: SlotArray<UInt32>

  static func covers(_ run: RunOptions) -> Bool { (1...1 << 30).contains(run.capacity) }

  init(slots: Int, run: RunOptions) {
    (room, capacity) = (run.capacity, run.capacity)
    generator = SplitMix64(seed: run.seed)
    positions = SlotArray(repeating: 0)
    members = SlotArray(repeating: 0)
    reserve(slots: slots)
  }

  static func bytes(keys: Int, _ run: RunOptions) -> Int { 4 * (keys + min(keys, run.capacity)) }

  mutating func reserve(slots: Int) {
    positions.reserve(slots: slots + 1)
    members.reserve(slots: min(slots, capacity) + 1)
  }

  mutating func count(_ range: Range<Int>) {
    var residents = Slot(capacity - room)
    let filled = fill(range) { loop, slot in
      let object = Slot(slot + 1)
      if loop.positions[object] > 0 { return false }
      loop.members[residents] = object
      residents += 1
      loop.positions[object] = residents
      return true
    }
    runFull(filled..<range.upperBound)
  }

  /// Runs requests of a full cache.
  private mutating func runFull(_ range: Range<Int>) {
    // Read once: a store might be one to these.
    let (arrivals, capacity) = (arrivals, capacity)
    let positions = UnsafeMutablePointer(mutating: positions.records)
    let members = UnsafeMutablePointer(mutating: members.records)
    var generator = generator
    var misses = 0
    for place in arrivals.places(of: range) {
      evl_prefetch(positions + (arrivals.coming(after: place) + 1))
      let object = arrivals.slot(at: place) &+ 1
      let position = positions[object]
      // Numbers in place of branches: hits come in no order that a processor could foresee.
      let isHit = position != 0
      let missed: UInt32 = position == 0 ? 1 : 0
      var drawn = generator
      let index = drawn.index(below: capacity)
      generator = isHit ? generator : drawn
      let chosen = isHit ? capacity : index
      let end = isHit ? capacity : capacity &- 1
      let (victim, last) = (members[chosen], members[end])
      members[chosen] = last
      positions[Int(last)] = UInt32(truncatingIfNeeded: chosen &+ 1)
      members[end] = UInt32(truncatingIfNeeded: object) &* missed
      positions[Int(victim)] = 0
      positions[object] = position | UInt32(truncatingIfNeeded: capacity) &* missed
      misses &+= Int(missed)
    }
    self.generator = generator
    count(misses: misses, of: range.count)
  }
}
