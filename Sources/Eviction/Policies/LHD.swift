import Parameters

/// Least hit density: of a random sample, the object leaves that promises the fewest hits for the
/// space and the time that it will go on taking.
public struct LHD: PinnablePolicy, ~Copyable {
  @usableFromInline
  struct Resident: SampledRecord {
    @usableFromInline let slot: Slot
    /// The age at the last hit.
    @usableFromInline var lastAge: UInt16
    @usableFromInline var classNumber: UInt8
    @usableFromInline var isExplorer: Bool
    /// The number of the last request.
    @usableFromInline var requested: Int

    @inlinable @inline(__always)
    init(slot: Slot, requested: Int) {
      self.slot = slot
      lastAge = 0
      classNumber = 0
      isExplorer = false
      self.requested = requested
    }
  }

  @usableFromInline var residents: SampledSlots<Resident>
  @usableFromInline var model: HitDensities
  /// Newcomers that looked worse than the usual victim, the latest ones in a circle.
  @usableFromInline var doubtful: SlotRing
  @usableFromInline var generator: SplitMix64
  /// The number of the present request.
  @usableFromInline var clock = 0
  @usableFromInline var untilReconfiguration: Int
  @usableFromInline let interval: Int
  @usableFromInline let sample: Int
  @usableFromInline var capacity: Int
  @usableFromInline let explorerShare: Fraction
  /// Size units that further explorers may take.
  @usableFromInline var explorerBudget: Int
  /// The moving average of the victims' hit densities.
  @usableFromInline var victimDensity: Float = 0

  /// Draws in an eviction while there is nothing much to know.
  @inlinable static var firstSample: Int { 8 }
  /// The number of requests of which one makes an explorer.
  @inlinable static var explorerOdds: Int { 32 }

  /// Creates an empty cache's policy, drawing from the configuration's seed.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    sample = arguments.integer("sample")
    residents = SampledSlots(slots: configuration.slots, sample: sample)
    model = HitDensities(
      ages: arguments.integer("ages"), requestsPerAge: arguments.integer("age"))
    doubtful = SlotRing(capacity: 8)
    generator = SplitMix64(seed: configuration.seed)
    interval = arguments.integer("interval")
    untilReconfiguration = interval
    capacity = configuration.capacity
    explorerShare = arguments.fraction("explorers")
    explorerBudget = explorerShare.floor(of: capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    model.visitState(&state)
    doubtful.visitState(&state)
    state.visit(&generator)
    state.visit(&clock)
    state.visit(&untilReconfiguration)
    state.visit(&capacity)
    state.visit(&explorerBudget)
    state.visit(&victimDensity)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's position.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// True: victims are drawn.
  @inlinable public static var drawsVictims: Bool { true }

  /// Counts the hit by class and age, and classifies the object anew.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    advanceClock()
    let position = residents.position(of: request.slot)
    var resident = residents[position]
    let age = model.age(after: clock &- resident.requested)
    model.countHit(class: Int(resident.classNumber), age: age)
    let sum = age &+ Int(resident.lastAge)
    resident.classNumber = UInt8(truncatingIfNeeded: model.classOfAges(sum: sum))
    resident.lastAge = UInt16(truncatingIfNeeded: age)
    resident.requested = clock
    let size = host.size(of: request.slot)
    if resident.isExplorer { explorerBudget &+= size }
    resident.isExplorer = drawExplorer() && takeBudget(size)
    residents[position] = resident
  }

  /// Makes room, and enters the object into the lowest class.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    advanceClock()
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    var resident = Resident(slot: request.slot, requested: clock)
    let isDrawn = drawExplorer()
    resident.isExplorer = isDrawn && takeBudget(request.size)
    residents.insert(resident)
    if !isDrawn && density(of: resident, size: request.size) < victimDensity {
      doubtful.append(request.slot)
    }
    return true
  }

  /// Evicts the resident of the lowest hit density among a sample and the doubtful newcomers.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let draws = model.reconfigurations > 50 ? sample : min(sample, LHD.firstSample)
    residents.drawSample(draws, &generator, host: host)
    var position = residents.sampledPosition(0)
    var lowest = density(at: position, host: host)
    for draw in stride(from: 1, to: draws, by: 1) {
      consider(residents.sampledPosition(draw), &position, &lowest, host: host)
    }
    for place in 0..<doubtful.capacity {
      guard let slot = doubtful[place], !host.isPinned(slot) else { continue }
      consider(residents.position(of: slot), &position, &lowest, host: host)
    }
    let victim = residents[position]
    if !host.mayEvict(victim.slot) { return }
    victimDensity = 0.9 * victimDensity + 0.1 * lowest
    let age = model.age(after: clock &- victim.requested)
    model.countEviction(class: Int(victim.classNumber), age: age)
    takeOut(victim, size: host.size(of: victim.slot))
    host.didEvictAndForget(victim.slot)
  }

  /// Takes the slot out of the residents; counts nothing.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !residents.contains(slot) { return }
    takeOut(residents[residents.position(of: slot)], size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Empties the residents; the densities stay.
  @inlinable
  public mutating func removeAll() {
    residents.removeAll()
    doubtful.removeAll()
    explorerBudget = explorerShare.floor(of: capacity)
  }

  /// Corrects the explorers' budget.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    if residents[residents.position(of: slot)].isExplorer { explorerBudget &-= difference }
  }

  /// Corrects the explorers' budget.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    explorerBudget += explorerShare.floor(of: capacity) - explorerShare.floor(of: self.capacity)
    self.capacity = capacity
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }

  /// The shift from requests to ages, and the victims' average hit density.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("age-shift", Double(model.shift))
    show("victim-density", Double(victimDensity))
  }

  /// Returns the expected hits of the resident per size unit, an empty one counted as one; nothing is less than that
  /// of the last age.
  @inlinable @inline(__always)
  func density(of resident: Resident, size: Int) -> Float {
    let age = model.age(after: clock &- resident.requested)
    if age == model.lastAge { return -Float.greatestFiniteMagnitude }
    let density = model.density(class: Int(resident.classNumber), age: age) / Float(max(size, 1))
    return resident.isExplorer ? density + 1 : density
  }

  @inlinable @inline(__always)
  func density(at position: Int, host: borrowing some SlotHost & ~Copyable) -> Float {
    let resident = residents[position]
    return density(of: resident, size: host.size(of: resident.slot))
  }

  /// Prefers the resident at `candidate` if its hit density is lower.
  @inlinable @inline(__always)
  func consider(
    _ candidate: Int, _ position: inout Int, _ lowest: inout Float,
    host: borrowing some SlotHost & ~Copyable
  ) {
    let density = density(at: candidate, host: host)
    if density < lowest {
      position = candidate
      lowest = density
    }
  }

  @inlinable @inline(__always)
  mutating func drawExplorer() -> Bool { generator.index(below: LHD.explorerOdds) == 0 }

  /// Takes the size of an explorer from the budget, if there is any left and exploration goes on.
  @inlinable @inline(__always)
  mutating func takeBudget(_ size: Int) -> Bool {
    if explorerBudget <= 0 || model.reconfigurations >= 50 { return false }
    explorerBudget &-= size
    return true
  }

  @inlinable @inline(__always)
  mutating func takeOut(_ resident: Resident, size: Int) {
    if resident.isExplorer { explorerBudget &+= size }
    residents.remove(resident.slot)
    doubtful.remove(resident.slot)
  }

  /// Begins a request; if an interval of them is over, after computing the densities.
  @inlinable @inline(__always)
  mutating func advanceClock() {
    clock &+= 1
    if untilReconfiguration == 0 {
      model.reconfigure(objects: residents.count)
      untilReconfiguration = interval
    }
    untilReconfiguration &-= 1
  }
}
