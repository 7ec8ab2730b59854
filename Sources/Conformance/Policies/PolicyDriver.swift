import EvictionCore
import Parameters

/// Runs a workload through a policy as a host does, and checks after each operation what must hold.
///
///     let run = try PolicyDriver<LRU>.run(Workload(seed: 7), arguments: arguments)
///     run.events     // what the cache did
///     run.violation  // nil, or what the policy did that no policy may do
public struct PolicyDriver<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  /// The record of a run.
  public struct Run: Sendable {
    /// The events of the cache.
    public var events: [CacheEvent] = []
    /// The first breach of the contract, with the operation that showed it.
    public var violation: String?
  }

  /// The policy.
  public var policy: Policy
  /// Its host.
  public var host: CheckingHost
  /// The run so far.
  public private(set) var run = Run()

  private let workload: Workload
  private let naming: SlotNaming
  private let updatesSizes: Bool
  private let telling: HitTelling
  private let configuration: PolicyConfiguration
  private let goesOnFromCopies: Bool
  /// Hits that the policy is to be told of in reverse order.
  private var untoldHits: [Request] = []
  private let nextUses: [Int]
  private var names: SlotNames
  private var reserved: Int

  /// An empty cache for the keys and the capacity of `workload`.
  ///
  /// - Parameters:
  ///   - workload: The operations.
  ///   - arguments: The policy's parameters.
  ///   - needs: The fields of a request that it reads beyond slot and size.
  ///   - naming: The order in which slots are given to keys.
  ///   - isSized: True if the policy is told that objects have sizes; decided by the workload if nil.
  ///   - seed: The seed of the policy's own random draws.
  ///   - historyBound: The largest history, as a ratio to the capacity; unbounded if nil.
  ///   - filter: The filter that newcomers must pass; by default a workload with refusals brings its own.
  ///   - telling: The hits that reach the policy, and their order.
  ///   - goesOnFromCopies: True if now and then a copy takes the policy's place, which has read its state.
  /// - Throws: ``EvictionCore/PolicyError`` when the policy cannot run so.
  public init(
    _ workload: Workload, arguments: Arguments, needs: RequestNeeds = Policy.needs,
    naming: SlotNaming = .identity, isSized: Bool? = nil, seed: UInt64 = 42,
    historyBound: Fraction? = nil,
    filter: AdmissionFilter? = nil, telling: HitTelling = .all, goesOnFromCopies: Bool = false
  ) throws(PolicyError) {
    names = SlotNames(naming, keys: workload.keys, seed: workload.seed)
    reserved = names.needed
    configuration = PolicyConfiguration(
      capacity: workload.capacity, isSized: isSized ?? workload.features.contains(.sizes),
      seed: seed, slots: reserved, historyBound: historyBound, arguments: arguments)
    policy = try Policy(configuration)
    let refusals = workload.features.contains(.refusals) ? RandomRefusals(workload) : nil
    host = CheckingHost(capacity: workload.capacity, filter: filter ?? refusals)
    updatesSizes = workload.features.contains(.sizeUpdates)
    nextUses = needs.contains(.nextUse) ? workload.nextUses() : []
    self.telling = telling
    self.goesOnFromCopies = goesOnFromCopies
    self.workload = workload
    self.naming = naming
  }

  /// Runs a whole workload, or as far as the policy keeps the contract.
  public static func run(
    _ workload: Workload, arguments: Arguments, needs: RequestNeeds = Policy.needs,
    naming: SlotNaming = .identity, isSized: Bool? = nil, seed: UInt64 = 42,
    historyBound: Fraction? = nil,
    filter: AdmissionFilter? = nil, telling: HitTelling = .all, goesOnFromCopies: Bool = false
  ) throws(PolicyError) -> Run {
    var driver = try PolicyDriver(
      workload, arguments: arguments, needs: needs, naming: naming, isSized: isSized, seed: seed,
      historyBound: historyBound, filter: filter, telling: telling,
      goesOnFromCopies: goesOnFromCopies)
    for index in workload.operations.indices where driver.run.violation == nil {
      driver.perform(index)
    }
    driver.removeEveryKey()
    return driver.run
  }

  /// Performs the workload's operation number `index`.
  public mutating func perform(_ index: Int) {
    let operation = workload.operations[index]
    BreakdownReport.begin(operation: index)
    if goesOnFromCopies && index % 16 == 15 { goOnFromCopy() }
    switch operation {
    case .request(let key, let size): request(key, size: size, index: index)
    case .remove(let key): remove(key)
    case .removeAll: removeAll()
    case .trim: if host.account.residents > 0 { evictForNobody() }
    case .resize(let capacity):
      host.gate.resize(to: capacity)
      resize(to: capacity)
    }
    compareMembership(of: host.evictedSlots + host.forgottenSlots)
    settle()
    if host.used > host.capacity { host.account.note("holds \(host.used) of \(host.capacity)") }
    checkInternals()
    if index % 8 == 0 { compareMembership(of: 0..<Slot(reserved)) }
    if let breach = host.account.breach, run.violation == nil {
      run.violation = "\(breach), at operation \(index), \(operation)"
    }
  }

  /// Returns the state of `key` at the host.
  public func state(of key: Int) -> SlotAccount.State {
    names.slot(of: key).map { host.account.state(of: $0) } ?? .unknown
  }

  /// The keys whose objects are in the cache.
  public var residents: Set<Int> { keys(.resident) }

  /// The keys that the policy remembers without their objects.
  public var ghosts: Set<Int> { keys(.ghost) }

  private func keys(_ wanted: SlotAccount.State) -> Set<Int> {
    var found: Set<Int> = []
    for key in 0..<workload.keys where state(of: key) == wanted { found.insert(key) }
    return found
  }
}

// MARK: - Operations

extension PolicyDriver where Policy: ~Copyable {
  private mutating func request(_ key: Int, size: Int, index: Int) {
    if !passes(key, size: size) {
      run.events.append(.rejected(key))
      return
    }
    let slot = names.slot(for: key)
    if names.needed > reserved {
      reserved = names.needed + names.needed / 4
      policy.reserve(slots: reserved)
    }
    compareMembership(of: CollectionOfOne(slot))
    if host.account.breach != nil { return }
    if naming == .identity { policy.prefetch(slot) }
    let request = Request(
      slot: slot, size: size, cost: workload.cost(of: key),
      keyHash: Workload.hash(of: key), time: Int64(index),
      index: index, nextUse: nextUses.isEmpty ? .max : nextUses[index],
      expiry: Int64(index + Workload.timeToLive(of: key)), keyLength: Workload.length(of: key),
      requestClass: UInt32(Workload.requestClass(of: key)))
    if policy.contains(slot) {
      run.events.append(.hit(key))
      var seen = request
      seen.size = host.size(of: slot)
      tell(seen)
      if updatesSizes { updateSize(request) }
      return
    }
    tellUntoldHits()
    host.offered(request)
    if policy.insert(request, host: &host) {
      settleEvictions()
      host.admitted(request)
      run.events.append(.admitted(key))
    } else {
      settleEvictions()
      host.refused(slot)
      run.events.append(.rejected(key))
    }
    compareMembership(of: CollectionOfOne(slot))
  }

  private mutating func tell(_ hit: Request) {
    switch telling {
    case .all: tellNow(hit)
    case .allButIgnored: if !policy.ignoresHit(of: hit.slot) { tellNow(hit) }
    case .reversed: untoldHits.append(hit)
    }
  }

  private mutating func tellNow(_ hit: Request) {
    let before = host.evictedSlots.count
    policy.hit(hit, host: &host)
    if host.evictedSlots.dropFirst(before).contains(hit.slot) {
      host.account.note("evicts slot \(hit.slot) on its own hit")
    }
  }

  /// Tells the policy of the hits since anything else happened, the last one first. Time does not run
  /// backwards: they change places.
  private mutating func tellUntoldHits() {
    for (place, hit) in zip(untoldHits, untoldHits.reversed()) {
      var hit = hit
      hit.time = place.time
      hit.index = place.index
      tellNow(hit)
    }
    untoldHits.removeAll(keepingCapacity: true)
  }

  /// Records a request, and says whether the policy may hear of it: any of a resident, and a miss of an
  /// object that fits the capacity and passes the filter.
  private mutating func passes(_ key: Int, size: Int) -> Bool {
    let resident = names.slot(of: key).flatMap { policy.contains($0) ? $0 : nil }
    let request = Request(
      slot: .max, size: resident.map { host.size(of: $0) } ?? size, keyHash: Workload.hash(of: key))
    host.gate.record(request)
    return resident != nil || size <= host.capacity && host.gate.admits(request)
  }

  private mutating func updateSize(_ request: Request) {
    if host.account.state(of: request.slot) != .resident { return }
    let old = host.size(of: request.slot)
    if old == request.size { return }
    tellUntoldHits()
    policy.changeSize(of: request.slot, by: request.size - old)
    host.resized(request.slot, to: request.size)
    resize(to: host.capacity)
  }

  private mutating func remove(_ key: Int) {
    guard let slot = names.slot(of: key) else { return }
    tellUntoldHits()
    let state = host.account.state(of: slot)
    if state == .resident { host.takeOut(slot) }
    policy.remove(slot, host: &host)
    if host.account.state(of: slot) != .unknown {
      host.account.note("removes slot \(slot), which is \(state), and does not forget it")
    }
  }

  private mutating func removeAll() {
    settle()
    tellUntoldHits()
    policy.removeAll()
    for key in 0..<workload.keys {
      if let slot = names.slot(of: key) { names.release(slot) }
    }
    host.clear()
  }

  private mutating func evictForNobody() {
    tellUntoldHits()
    let before = host.account.residents
    policy.evict(for: nil, host: &host)
    if host.account.residents >= before {
      host.account.note("evicts nothing when the host trims")
    }
  }

  private mutating func resize(to capacity: Int) {
    tellUntoldHits()
    host.capacity = capacity
    policy.resize(to: capacity, host: &host)
    while host.used > capacity && host.account.breach == nil { evictForNobody() }
  }

  /// A copy takes the policy's place, unless this passes no state on.
  private mutating func goOnFromCopy() {
    var written = PolicyState()
    policy.visitState(&written)
    guard let bytes = written.written() else { return }
    do throws(PolicyError) {
      var copy = try Policy(configuration)
      var read = PolicyState(reading: bytes)
      copy.visitState(&read)
      if !read.endsHere() { host.account.note("does not read the state that it has passed on") }
      copy.reserve(slots: reserved)
      policy = copy
    } catch { host.account.note("cannot be made twice: \(error)") }
  }

  /// Reports evictions, before anything can be made of the slots that were forgotten.
  private mutating func settleEvictions() {
    for slot in host.evictedSlots { run.events.append(.evicted(names.key(of: slot))) }
    host.evictedSlots.removeAll(keepingCapacity: true)
  }

  private mutating func settle() {
    settleEvictions()
    for slot in host.forgottenSlots where host.account.state(of: slot) == .unknown {
      names.release(slot)
    }
    host.forgottenSlots.removeAll(keepingCapacity: true)
  }

  /// The policy must know every slot as the host does: resident, or not.
  private func compareMembership(of slots: some Sequence<Slot>) {
    host.account.compare(slots) { policy.contains($0) }
  }

  /// Checks that the values which the policy and the filter have learned are numbers.
  private func checkInternals() {
    func check(_ name: String, _ value: Double) {
      if !value.isFinite { host.account.note("has learned \(name) = \(value)") }
    }
    policy.showInternals(check)
    host.gate.showInternals(check)
  }

  /// Removing every key must make the policy forget exactly what it remembered.
  private mutating func removeEveryKey() {
    if run.violation != nil { return }
    compareMembership(of: 0..<Slot(reserved))
    for key in 0..<workload.keys { remove(key) }
    compareMembership(of: 0..<Slot(reserved))
    if let breach = host.account.breach {
      run.violation = "\(breach), at the removal of every key"
    }
  }
}

/// The hits that a ``PolicyDriver`` tells its policy of, and their order.
public enum HitTelling: Sendable {
  /// Each one, when it happens.
  case all
  /// Each one, when it happens, but those that the policy says it ignores.
  case allButIgnored
  /// Each one, but those with nothing else between them in reverse order.
  case reversed
}

extension Workload {
  /// For each operation, the number of the next request of its key; `Int.max` for the last.
  public func nextUses() -> [Int] {
    var coming = [Int](repeating: .max, count: keys)
    var uses = [Int](repeating: .max, count: operations.count)
    for index in operations.indices.reversed() {
      guard case .request(let key, _) = operations[index] else { continue }
      uses[index] = coming[key]
      coming[key] = index
    }
    return uses
  }
}
