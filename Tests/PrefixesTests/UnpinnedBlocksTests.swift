import EvictionCore
import Parameters
import Prefixes
import Requests
import Testing

@Suite("Residents from which a policy draws")
struct UnpinnedBlocksTests {
  @Test("A policy that draws is shown the residents that are not pinned, and no others")
  func residents() throws {
    let simulator = PrefixSimulator(DrawingProbe.self)
    for seed in 0..<200 as Range<UInt64> {
      let forest = RandomForest(seed: seed, prompts: 60, longest: 1 + Int(seed % 7)).forest
      let options = PrefixOptions(
        RunOptions(
          capacity: 2 + Int(seed % 14), arguments: Arguments(parameters: []), seed: seed))
      let counts = try simulator.run(forest, options: options)
      #expect(try #require(counts).evictions > 0, "seed \(seed)")
    }
  }

  @Test("The same seed draws the same blocks, another one others")
  func seeds() throws {
    let forest = RandomForest(seed: 1, prompts: 400, longest: 9).forest
    for name in ["random", "random-two", "lhd", "sampled-lru"] {
      let simulator = try #require(
        PrefixSimulator.catalog.first { $0.description.information.name == name })
      func run(seed: UInt64) throws -> PrefixCounts? {
        try simulator.run(
          forest,
          options: PrefixOptions(
            RunOptions(
              capacity: 40,
              arguments: simulator.description.arguments(of: Specification(name: name)),
              seed: seed)))
      }
      let counts = try run(seed: 1)
      let again = try run(seed: 1)
      let others = try (2..<8 as Range<UInt64>).map { try run(seed: $0) }
      #expect(again == counts, "\(name)")
      #expect(others.contains { $0 != counts }, "\(name)")
    }
  }
}

/// Draws victims among the residents that the host lists, and compares these with its own.
private struct DrawingProbe: PinnablePolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "drawing-probe", summary: "draws", paper: "none", bytesPerSlot: 0)
  static let drawsVictims = true

  private var residents: Set<Slot> = []
  private var generator: SplitMix64

  init(_ configuration: PolicyConfiguration) {
    generator = SplitMix64(seed: configuration.seed)
  }

  mutating func visitState(_ state: inout PolicyState) { state.refuse() }
  func contains(_ slot: Slot) -> Bool { residents.contains(slot) }
  func prefetch(_ slot: Slot) {}
  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {}

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    while !host.hasRoom(for: request) { evict(for: request, host: &host) }
    residents.insert(request.slot)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let count = host.unpinned ?? 0
    var listed: Set<Slot> = []
    for index in 0..<count { listed.insert(host.unpinned(at: index)) }
    var free: Set<Slot> = []
    for slot in residents where !host.isPinned(slot) { free.insert(slot) }
    #expect(listed.count == count && listed == free)
    let victim = host.unpinned(at: generator.index(below: count))
    residents.remove(victim)
    host.didEvictAndForget(victim)
  }

  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if residents.remove(slot) != nil { host.didForget(slot) }
  }

  mutating func removeAll() { residents = [] }
  mutating func reserve(slots: Int) {}
}
