import Eviction
import EvictionTesting
import Parameters
import Testing

/// The suite itself: it must find what is wrong with policies that are.
@Suite("The conformance suite")
struct ConformanceSuiteTests {
  private func violation<Mistake: PolicyMistake>(
    of property: ConformanceProperty, with mistake: Mistake.Type
  ) throws -> String? {
    try PolicyConformance<MistakenLRU<Mistake>>().violation(of: property)
  }

  @Test("has nothing against a policy without mistakes")
  func rightPolicy() throws {
    try PolicyConformance<MistakenLRU<NoMistake>>().check()
  }

  @Test("finds a policy that makes no room")
  func noRoom() throws {
    let found = try #require(try violation(of: .contract, with: MakesNoRoom.self))
    #expect(found.contains("admits slot") && found.contains("seed"))
  }

  @Test("finds a policy that evicts twice")
  func evictsTwice() throws {
    #expect(try violation(of: .contract, with: EvictsTwice.self)?.contains("evicts slot") == true)
  }

  @Test("finds a policy that keeps slots to itself")
  func neverForgets() throws {
    let found = try violation(of: .contract, with: NeverForgets.self)
    #expect(found?.contains("does not forget it") == true)
  }

  @Test("finds a policy that believes a victim is resident")
  func liesAboutMembership() throws {
    #expect(try violation(of: .contract, with: KeepsVictims.self)?.contains("contains(") == true)
  }

  @Test("finds a policy that asks for room and makes none")
  func asksForEver() throws {
    #expect(try violation(of: .contract, with: AsksForEver.self)?.contains("for ever") == true)
  }

  @Test("finds a policy that decides by slot numbers")
  func decidesBySlot() throws {
    #expect(try violation(of: .naming, with: EvictsTheLowestSlot.self) != nil)
    #expect(try violation(of: .recycling, with: EvictsTheLowestSlot.self) != nil)
  }

  @Test("finds a policy that remembers what it forgot")
  func remembersForgottenSlots() throws {
    #expect(try violation(of: .contract, with: SparesOldHits.self) == nil)
    #expect(try violation(of: .recycling, with: SparesOldHits.self) != nil)
  }

  @Test("finds a policy that is different every time")
  func nondeterministic() throws {
    #expect(try violation(of: .determinism, with: EvictsByChance.self) != nil)
  }

  @Test("finds a policy that evicts a victim that the host keeps")
  func takesNoRefusal() throws {
    #expect(try violation(of: .admission, with: NoMistake.self) == nil)
    #expect(try violation(of: .admission, with: TakesNoRefusal.self)?.contains("asking") == true)
  }

  @Test("finds a policy that counts bytes otherwise than objects")
  func sizesMatter() throws {
    #expect(try violation(of: .unitSizes, with: IsFIFOWithSizes.self) != nil)
  }

  @Test("finds a policy that ignores hits and learns from them")
  func learnsFromIgnoredHits() throws {
    #expect(try violation(of: .ignoredHits, with: IgnoresHits.self) != nil)
  }

  @Test("finds a policy that moves on hits and declares that it does not")
  func deniesThatHitsReorder() throws {
    #expect(try violation(of: .hitOrder, with: DeniesReordering.self)?.contains("event") == true)
  }

  @Test("finds a policy that moves nothing on hits and does not declare it")
  func claimsThatHitsReorder() throws {
    let found = try violation(of: .hitOrder, with: IsFIFO.self)
    #expect(found?.contains("hitsReorder: false") == true)
  }
}

/// A mistake that a policy can make.
protocol PolicyMistake: SendableMetatype {}
enum NoMistake: PolicyMistake {}
enum MakesNoRoom: PolicyMistake {}
enum EvictsTwice: PolicyMistake {}
enum NeverForgets: PolicyMistake {}
enum KeepsVictims: PolicyMistake {}
enum AsksForEver: PolicyMistake {}
enum EvictsTheLowestSlot: PolicyMistake {}
enum SparesOldHits: PolicyMistake {}
enum EvictsByChance: PolicyMistake {}
enum TakesNoRefusal: PolicyMistake {}
enum IsFIFOWithSizes: PolicyMistake {}
enum IgnoresHits: PolicyMistake {}
enum DeniesReordering: PolicyMistake {}
enum IsFIFO: PolicyMistake {}

/// LRU in an array, with a mistake.
struct MistakenLRU<Mistake: PolicyMistake>: ReplacementPolicy, ~Copyable {
  static var information: PolicyInformation {
    PolicyInformation(
      name: "mistaken", summary: "", paper: "", bytesPerSlot: 1,
      hitsReorder: Mistake.self != DeniesReordering.self)
  }

  private var order: [Slot] = []
  private var hits: Set<Slot> = []
  private let isSized: Bool

  init(_ configuration: PolicyConfiguration) { isSized = configuration.isSized }

  func contains(_ slot: Slot) -> Bool { order.contains(slot) }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if Mistake.self == IsFIFOWithSizes.self && isSized || Mistake.self == IsFIFO.self { return }
    hits.insert(request.slot)
    order.removeAll { $0 == request.slot }
    order.append(request.slot)
  }

  func ignoresHit(of slot: Slot) -> Bool { Mistake.self == IgnoresHits.self }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    if Mistake.self != MakesNoRoom.self, !makeRoom(for: request, host: &host) {
      return refuse(request, host: &host)
    }
    order.append(request.slot)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if Mistake.self == AsksForEver.self && request != nil || order.isEmpty { return }
    let victim = order[indexOfVictim]
    if !host.mayEvict(victim) && Mistake.self != TakesNoRefusal.self { return }
    if Mistake.self != KeepsVictims.self { order.removeAll { $0 == victim } }
    host.evicted(victim)
    if Mistake.self == EvictsTwice.self { host.evicted(victim) }
    if Mistake.self != NeverForgets.self { host.forgot(victim) }
  }

  private var indexOfVictim: Int {
    if Mistake.self == EvictsTheLowestSlot.self { return order.firstIndex(of: order.min()!)! }
    if Mistake.self == EvictsByChance.self { return order.indices.randomElement()! }
    if Mistake.self == SparesOldHits.self { return order.firstIndex { !hits.contains($0) } ?? 0 }
    return 0
  }

  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    guard let index = order.firstIndex(of: slot) else { return }
    order.remove(at: index)
    host.forgot(slot)
  }

  mutating func removeAll() { order = [] }

  mutating func reserve(slots: Int) {}
}
