import EvictionCore
import Parameters
import Requests
import Results
import Simulation

/// Counts plain gets of objects that count one by a plug-in that runs them at once.
///
/// The plug-in's own compiler has put its functions and the loop together, and the account of what is resident lies
/// where that loop reads it. What it says is compared with that account, request by request in places, and at the end.
struct PluginCounter: Counter, ~Copyable {
  private var policy: PluginPolicy
  private var slots: Int
  private var block: RequestColumns?
  private var insertions = 0
  private var residentsBefore = 0
  private var counted = RequestCounts()
  /// The places at which a request is looked at.
  private var places = SplitMix64(seed: 0)

  /// The distance at which a coming slot is prefetched.
  private static let ahead = 16

  init(_ policy: consuming PluginPolicy, slots: Int) {
    self.policy = policy
    self.slots = slots
  }

  /// The runs of a plug-in that has such a loop; nil for the others.
  static func runs(_ plugin: PluginLibrary) -> PlainRuns? {
    if plugin.functions.pointee.run == nil || plugin.functions.pointee.needs != 0 { return nil }
    return PlainRuns(named: "`run` of \(plugin.name)") { (options, shape) throws(PolicyError) in
      let policy = try PluginPolicy(
        PolicyConfiguration(
          capacity: options.run.capacity, seed: options.run.seed, slots: shape.slots,
          arguments: options.run.arguments))
      return BlockSimulation(PluginCounter(policy, slots: shape.slots), options)
    }
  }

  var counts: RequestCounts {
    var counts = counted
    counts.evictions = insertions - (policy.residents - residentsBefore)
    return counts
  }

  mutating func begin(_ block: RequestColumns) {
    if block.slots > slots {
      policy.reserve(slots: block.slots)
      slots = block.slots
    }
    self.block = block
  }

  mutating func count(_ range: Range<Int>) {
    guard let block, !range.isEmpty else { return }
    let place = Int.random(in: range, using: &places)
    count(range.lowerBound..<place, of: block)
    let wasResident = policy.contains(block.ids[place])
    let hits = count(place..<place + 1, of: block)
    if wasResident != (hits == 1) { policy.endMiscounted(block.ids[place], isHit: hits == 1) }
    count(place + 1..<range.upperBound, of: block)
  }

  @discardableResult
  private mutating func count(_ range: Range<Int>, of block: RequestColumns) -> Int {
    // The last requests of a block have none to prefetch.
    let middle = min(max(range.lowerBound, block.count - PluginCounter.ahead), range.upperBound)
    return count(block.ids, range.lowerBound..<middle, ahead: PluginCounter.ahead)
      + count(block.ids, middle..<range.upperBound, ahead: 0)
  }

  private mutating func count(
    _ ids: UnsafePointer<Slot>, _ range: Range<Int>, ahead: Int
  ) -> Int {
    if range.isEmpty { return 0 }
    let (hits, admitted) = policy.run(ids + range.lowerBound, count: range.count, ahead: ahead)
    insertions += admitted
    counted.count(misses: range.count - hits, insertions: admitted, of: range.count)
    return hits
  }

  mutating func isBroken(atEnd: Bool) -> Bool {
    if atEnd { policy.checkAccount() }
    return false
  }

  mutating func restart() {
    counted = RequestCounts()
    insertions = 0
    residentsBefore = policy.residents
  }

  func showInternals(_ show: (String, Double) -> Void) { policy.showInternals(show) }
}
