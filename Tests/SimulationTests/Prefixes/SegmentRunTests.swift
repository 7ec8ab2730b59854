import Eviction
import Parameters
import Requests
import Simulation
import Testing

/// LRU that declares no baseline, so that it runs block by block.
struct PlainLRU: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "plain-lru", summary: "LRU block by block", paper: "–", idea: "–", hit: "–", miss: "–",
    eviction: "–", complexity: "O(1) per request.", bytesPerSlot: 9)
  static var pinRefusal: String? { nil }
  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(request.slot, of: .first)
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

/// FIFO that declares no baseline.
struct PlainFIFO: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "plain-fifo", summary: "FIFO block by block", paper: "–", idea: "–", hit: "–", miss: "–",
    eviction: "–", complexity: "O(1) per request.", bytesPerSlot: 9)
  static var pinRefusal: String? { nil }
  var lists: SlotLists<UInt8>

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

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
      let forest = RandomForest(seed: seed, prompts: 40, longest: 1 + Int(seed % 9)).forest
      let capacity = 2 + Int(seed % 23)
      let warmup = Int(seed % 3) * 12
      let plain = keepsChains ? PolicySimulator(PlainLRU.self) : PolicySimulator(PlainFIFO.self)
      let arguments = try plain.description.arguments(
        of: Specification(parsing: keepsChains ? "plain-lru" : "plain-fifo"))
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
