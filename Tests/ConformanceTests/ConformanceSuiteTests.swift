import Eviction
import EvictionTesting
import Parameters
import Testing

/// The suite itself: it must find what is wrong with policies that are.
@Suite("The conformance suite")
struct ConformanceSuiteTests {
  @Test("has nothing against a policy without faults")
  func rightPolicy() throws {
    try PolicyConformance<FaultyLRU<None>>().check()
  }

  @Test("names the property and the fault", arguments: PolicyFault.all)
  func finds(_ fault: PolicyFault) throws {
    let violations = try fault.violations(0..<10)
    let told = violations.map(\.description)
    let own = try #require(violations.first { $0.property == fault.property }, "\(told)")
    #expect(own.description.contains(fault.words), "\(told)")
    #expect(own.description.contains("\(fault.property.rawValue): "))
    #expect(own.property == .hitOrder || own.description.contains("seed "))
    // One fault is told once.
    #expect(violations.count { $0.breaksContract } <= 1, "\(told)")
    #expect(
      violations.last?.breaksContract == true || !violations.contains(where: \.breaksContract))
  }

  @Test("pins nothing of a policy that is not pinnable")
  func pinsOnlyThePinnable() throws {
    func violations<Policy: ReplacementPolicy & ~Copyable>(
      _ policy: Policy.Type
    ) throws -> [ConformanceProperty] {
      try PolicyConformance<Policy>(seeds: 0..<10).violations().map(\.property)
    }
    #expect(try violations(FaultyLRU<IgnoresPins>.self) == [])
  }

  @Test("tells a broken contract once, though every property shows it")
  func oncePerFault() throws {
    let violations = try PolicyConformance<FaultyLRU<EvictsTwice>>().violations()
    #expect(violations.map(\.property) == [.contract])
  }

  @Test("names the workload and the operation of a trap, and ends the process with 1")
  func trapIsNamed() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      try PolicyConformance<FaultyLRU<Traps>>().check()
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    let line =
      "faulty: keeps the contract with its host: traps or never returns, seed 0, features none,"
    #expect(errors.contains(line) && errors.hasSuffix("\n") && errors.contains("at operation "))
  }

  @Test("names the features of a workload")
  func featuresAreNamed() {
    let workload = Workload(seed: 3, features: [.sizes, .removals])
    #expect("\(workload)" == "seed 3, features removals+sizes, capacity \(workload.capacity)")
  }

  @Test("leaves a trap in a child as the child's mark")
  func trapInAChild() throws {
    let report = ForkedChild(patience: 60).run { _ in
      _ = try? PolicyConformance<FaultyLRU<Traps>>().violations()
      return []
    }
    guard case .crashed = report.end else {
      Issue.record("\(report)")
      return
    }
    let violation = ConformanceViolation(ending: "crashed", at: report.mark)
    #expect(violation.property == .contract && violation.breaksContract)
    let words = "keeps the contract with its host: crashed, seed 0, features none,"
    #expect("\(violation)".hasPrefix(words) && "\(violation)".contains(", at operation "))
    let early = ConformanceViolation(ending: "crashed", at: "")
    #expect("\(early)" == "keeps the contract with its host: crashed, before any workload")
  }

  @Test("finds a trap that only empty objects spring, or huge ones")
  func trapsOfExtremes() async throws {
    let empty = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      try PolicyConformance<FaultyLRU<TrapsOnEmptyObjects>>().check()
    }
    let huge = try await #require(
      processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
    ) {
      try PolicyConformance<FaultyLRU<TrapsOnHugeObjects>>().check()
    }
    for result in [empty, huge] {
      let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(errors.contains("faulty: \(ConformanceProperty.extremes.rawValue): traps or"))
    }
  }
}

/// A fault that a policy can have, and what the suite says about it.
struct PolicyFault: Sendable, CustomTestStringConvertible {
  let name: String
  let property: ConformanceProperty
  /// Words of the message.
  let words: String
  let violations: @Sendable (Range<UInt64>) throws -> [ConformanceViolation]

  var testDescription: String { name }

  init<Fault: FaultOfPolicy>(
    _ fault: Fault.Type, _ property: ConformanceProperty = .contract, _ words: String
  ) {
    name = "\(fault)"
    self.property = property
    self.words = words
    violations = { try PolicyConformance<FaultyLRU<Fault>>(seeds: $0).violations() }
  }

  static let all = [
    PolicyFault(EvictsAStranger.self, "would evict slot"),
    PolicyFault(EvictsWithoutAsking.self, "without asking"),
    PolicyFault(EvictsTheNewcomer.self, "not resident"),
    PolicyFault(EvictsTwice.self, "evicts slot"),
    PolicyFault(ForgetsTwice.self, "forgets slot"),
    PolicyFault(ForgetsResidents.self, "which is resident"),
    PolicyFault(NeverForgets.self, "does not forget it"),
    PolicyFault(RefusesSilently.self, "and neither forgets nor remembers it"),
    PolicyFault(RemembersAndAdmits.self, "remembers slot"),
    PolicyFault(RemembersAResident.self, "which is no newcomer"),
    PolicyFault(RemembersAgain.self, "which is a ghost"),
    PolicyFault(MakesNoRoom.self, "and holds"),
    PolicyFault(KeepsVictims.self, "is true for a slot that is"),
    PolicyFault(LosesASlot.self, "is false for a slot that is resident"),
    PolicyFault(HitsStrangers.self, "is true for a slot that is"),
    PolicyFault(AsksForever.self, "for ever"),
    PolicyFault(TrimsNothing.self, "evicts nothing when the host trims"),
    PolicyFault(IgnoresRemovals.self, "and does not forget it"),
    PolicyFault(KeepsAllOnRemoveAll.self, "is true for a slot that is unknown"),
    PolicyFault(IgnoresResizedSizes.self, "of "),
    PolicyFault(TakesNoRefusal.self, .admission, "without asking"),
    PolicyFault(IgnoresPins.self, .pins, "which is pinned, at operation"),
    PolicyFault(EvictsTheLowestSlot.self, .naming, "event"),
    PolicyFault(SparesOldHits.self, .recycling, "event"),
    PolicyFault(EvictsByChance.self, .determinism, "event"),
    PolicyFault(IsFIFOWithSizes.self, .unitSizes, "event"),
    PolicyFault(LosesItsOrder.self, .state, "event"),
    PolicyFault(ReadsMoreState.self, .state, "does not read the state"),
    PolicyFault(IgnoresHits.self, .ignoredHits, "event"),
    PolicyFault(DeniesReordering.self, .hitOrder, "event"),
    PolicyFault(IsFIFO.self, .hitOrder, "hitsReorder: false"),
    PolicyFault(DividesBySize.self, .extremes, "has learned density = inf, at operation"),
    PolicyFault(AddsCosts.self, .extremes, "has learned costs = "),
    PolicyFault(TakesZeroForNone.self, .extremes, "evicts nothing when the host trims"),
  ]
}

extension PolicyFault {
  private init<Fault: FaultOfPolicy>(_ fault: Fault.Type, _ words: String) {
    self.init(fault, .contract, words)
  }
}

/// A fault as a type, so that it costs nothing to carry.
protocol FaultOfPolicy: SendableMetatype {}
enum None: FaultOfPolicy {}
enum EvictsAStranger: FaultOfPolicy {}
enum EvictsWithoutAsking: FaultOfPolicy {}
enum EvictsTheNewcomer: FaultOfPolicy {}
enum EvictsTwice: FaultOfPolicy {}
enum ForgetsTwice: FaultOfPolicy {}
enum ForgetsResidents: FaultOfPolicy {}
enum NeverForgets: FaultOfPolicy {}
enum RefusesSilently: FaultOfPolicy {}
enum RemembersAndAdmits: FaultOfPolicy {}
enum RemembersAResident: FaultOfPolicy {}
enum RemembersAgain: FaultOfPolicy {}
enum MakesNoRoom: FaultOfPolicy {}
enum KeepsVictims: FaultOfPolicy {}
enum LosesASlot: FaultOfPolicy {}
enum HitsStrangers: FaultOfPolicy {}
enum AsksForever: FaultOfPolicy {}
enum TrimsNothing: FaultOfPolicy {}
enum IgnoresRemovals: FaultOfPolicy {}
enum KeepsAllOnRemoveAll: FaultOfPolicy {}
enum IgnoresResizedSizes: FaultOfPolicy {}
enum TakesNoRefusal: FaultOfPolicy {}
enum IgnoresPins: FaultOfPolicy {}
enum EvictsTheLowestSlot: FaultOfPolicy {}
enum SparesOldHits: FaultOfPolicy {}
enum EvictsByChance: FaultOfPolicy {}
enum IsFIFOWithSizes: FaultOfPolicy {}
enum LosesItsOrder: FaultOfPolicy {}
enum ReadsMoreState: FaultOfPolicy {}
enum IgnoresHits: FaultOfPolicy {}
enum DeniesReordering: FaultOfPolicy {}
enum IsFIFO: FaultOfPolicy {}
enum DividesBySize: FaultOfPolicy {}
enum AddsCosts: FaultOfPolicy {}
enum TakesZeroForNone: FaultOfPolicy {}
enum Traps: FaultOfPolicy {}
enum TrapsOnEmptyObjects: FaultOfPolicy {}
enum TrapsOnHugeObjects: FaultOfPolicy {}

/// LRU in an array, with a fault.
struct FaultyLRU<Fault: FaultOfPolicy>: PinnablePolicy, ~Copyable {
  static var information: PolicyInformation {
    PolicyInformation(
      name: "faulty", summary: "", paper: "", bytesPerSlot: 1,
      hitsReorder: Fault.self != DeniesReordering.self)
  }

  private var order: [Slot] = []
  private var hits: Set<Slot> = []
  private var sizes: [Slot: Int] = [:]
  private var capacity: Int
  private var learned = 0.0
  private let isSized: Bool

  init(_ configuration: PolicyConfiguration) {
    isSized = configuration.isSized
    capacity = configuration.capacity
  }

  mutating func visitState(_ state: inout PolicyState) {
    if Fault.self == LosesItsOrder.self { order.sort() }
    state.visit(&order)
    var (hit, sized) = (hits.sorted(), sizes.keys.sorted())
    var sizesInOrder = sized.map { sizes[$0] ?? 0 }
    state.visit(&hit)
    state.visit(&sized)
    state.visit(&sizesInOrder)
    (hits, sizes) = (Set(hit), Dictionary(zip(sized, sizesInOrder)) { $1 })
    state.visit(&capacity)
    if Fault.self != ReadsMoreState.self || state.isReading { state.visit(&learned) }
  }

  func contains(_ slot: Slot) -> Bool {
    order.contains(slot) || Fault.self == HitsStrangers.self && slot == 3 && hits.count > 5
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if Fault.self == IsFIFOWithSizes.self && isSized || Fault.self == IsFIFO.self { return }
    hits.insert(request.slot)
    if Fault.self == Traps.self && hits.count == 3 { order.remove(at: order.count) }
    order.removeAll { $0 == request.slot }
    order.append(request.slot)
    if Fault.self == LosesASlot.self && hits.count == 5 { order.removeFirst() }
  }

  func ignoresHit(of slot: Slot) -> Bool { Fault.self == IgnoresHits.self }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    if Fault.self == RefusesSilently.self && order.count == 2 { return false }
    if Fault.self == RemembersAgain.self && order.count == 2 {
      host.didRemember(request)
      return false
    }
    if Fault.self == RemembersAndAdmits.self && order.count == 2 { host.didRemember(request) }
    if Fault.self == RemembersAResident.self, let slot = order.first {
      host.didRemember(Request(slot: slot))
    }
    if Fault.self == IgnoresResizedSizes.self {
      while order.reduce(request.size, { $0 + sizes[$1, default: 0] }) > capacity {
        evict(for: request, host: &host)
        if host.hasRefused { return refuse(request, host: &host) }
      }
    } else if Fault.self != MakesNoRoom.self, !makeRoom(for: request, host: &host) {
      return refuse(request, host: &host)
    }
    if Fault.self == DividesBySize.self { learned = 1 / Double(request.size) }
    if Fault.self == AddsCosts.self { learned += request.cost }
    if Fault.self == TrapsOnEmptyObjects.self { learned = Double(capacity / request.size) }
    if Fault.self == TrapsOnHugeObjects.self { learned = Double(1_000 * request.size) }
    order.append(request.slot)
    sizes[request.slot] = request.size
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    if Fault.self == AsksForever.self && request != nil || order.isEmpty { return }
    if Fault.self == TrimsNothing.self && request == nil { return }
    if Fault.self == TakesZeroForNone.self, order.allSatisfy({ host.size(of: $0) == 0 }) { return }
    if Fault.self == ForgetsResidents.self, order.count > 1 { host.didForget(order[1]) }
    let own = victim(
      of: Fault.self == IgnoresPins.self ? order : order.filter { !host.isPinned($0) })
    let victim =
      switch Fault.self {
      case is EvictsAStranger.Type: own + 1_000
      case is EvictsTheNewcomer.Type: request?.slot ?? own
      default: own
      }
    if Fault.self != EvictsWithoutAsking.self, !host.mayEvict(victim),
      Fault.self != TakesNoRefusal.self
    {
      return
    }
    if Fault.self != KeepsVictims.self { order.removeAll { $0 == own } }
    host.didEvict(victim)
    if Fault.self == EvictsTwice.self { host.didEvict(victim) }
    if Fault.self != NeverForgets.self { host.didForget(victim) }
    if Fault.self == ForgetsTwice.self { host.didForget(victim) }
  }

  func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show(Fault.self == AddsCosts.self ? "costs" : "density", learned)
  }

  private func victim(of order: [Slot]) -> Slot {
    if Fault.self == EvictsTheLowestSlot.self { return order.min()! }
    if Fault.self == EvictsByChance.self { return order.randomElement()! }
    if Fault.self == SparesOldHits.self, let other = order.first(where: { !hits.contains($0) }) {
      return other
    }
    return order[0]
  }

  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    guard Fault.self != IgnoresRemovals.self, let index = order.firstIndex(of: slot) else { return }
    order.remove(at: index)
    host.didForget(slot)
  }

  mutating func removeAll() {
    if Fault.self != KeepsAllOnRemoveAll.self { order = [] }
  }

  mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
  }

  mutating func reserve(slots: Int) {}
}
