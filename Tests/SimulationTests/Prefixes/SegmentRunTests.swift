import Eviction
import Parameters
import Requests
import Simulation
import Testing

/// The effect of a hit: the difference between LRU and FIFO.
protocol HitRule {
  static var movesToFront: Bool { get }
}

enum Recency: HitRule { static let movesToFront = true }
enum Arrival: HitRule { static let movesToFront = false }

/// LRU or FIFO that declares no baseline, so that it runs block by block.
struct PlainList<Rule: HitRule>: ListPolicy, ~Copyable {
  static var information: PolicyInformation {
    PolicyInformation(name: "plain", summary: "", paper: "", bytesPerSlot: 9)
  }
  static var pinRefusal: String? { nil }
  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if Rule.movesToFront { lists.moveToFront(request.slot, of: .first) }
  }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}

@Suite("Runs by segments and by arrivals")
struct SegmentRunTests {
  @Test("All counts are those block by block", arguments: [true, false])
  func counts(keepsChains: Bool) throws {
    for seed in 0..<600 as Range<UInt64> {
      let forest = RandomForest(
        seed: seed, prompts: 40, longest: 1 + Int(seed % 9), hasEqualBlocks: seed % 4 < 2
      ).forest
      let capacity = 2 + Int(seed % 23)
      let warmup = Int(seed % 3) * 12
      let plain =
        keepsChains
        ? PolicySimulator(PlainList<Recency>.self) : PolicySimulator(PlainList<Arrival>.self)
      let arguments = try plain.description.arguments(of: Specification(parsing: "plain"))
      let byBlocks = try plain.run(
        forest,
        options: PrefixOptions(
          RunOptions(capacity: capacity, arguments: arguments), keepsChains: keepsChains,
          warmup: warmup))
      let short = try PrefixCacheTests.run(
        keepsChains ? "lru" : "fifo", forest, capacity: capacity, keepsChains: keepsChains,
        warmup: warmup)
      #expect(short == byBlocks, "seed \(seed), capacity \(capacity), warm-up \(warmup)")
    }
  }
}
