import Eviction
import Parameters
import Prefixes
import Requests
import Testing

/// The effect of a hit, the difference between LRU and FIFO; and of a pin.
protocol HitRule {
  static var movesToFront: Bool { get }
  static var heedsPins: Bool { get }
}

extension HitRule {
  static var heedsPins: Bool { true }
}

enum Recency: HitRule { static let movesToFront = true }
enum Arrival: HitRule { static let movesToFront = false }
enum Blind: HitRule {
  static let movesToFront = true
  static let heedsPins = false
}

/// LRU or FIFO that declares no baseline, so that it runs block by block.
struct PlainList<Rule: HitRule>: ListPolicy, ~Copyable {
  static var information: PolicyInformation {
    PolicyInformation(name: "plain", summary: "", paper: "", bytesPerSlot: 9)
  }
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
    if Rule.heedsPins { return lists.evictBack(of: .first, host: &host) }
    host.didEvictAndForget(lists.removeBack(of: .first, host: host))
  }
}

@Suite("Policies of other packages that are said to keep chains")
struct LostPinTests {
  @Test("One that evicts a pinned block ends the run with an error")
  func blind() throws {
    let forest = RandomForest(seed: 1, prompts: 60, longest: 6).forest
    let simulator = PrefixSimulator(PlainList<Blind>.self)
    let run = RunOptions(
      capacity: 8,
      arguments: try simulator.description.arguments(of: Specification(parsing: "plain")))
    let error = #expect(throws: PolicyError.self) {
      try simulator.run(forest, options: PrefixOptions(run))
    }
    #expect(error?.description.contains("must pass over pinned slots") == true)
    #expect(try simulator.run(forest, options: PrefixOptions(run, keepsChains: false)) != nil)
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
        ? PrefixSimulator(PlainList<Recency>.self) : PrefixSimulator(PlainList<Arrival>.self)
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
