import CInline
import Conformance
import EvictionCore

/// The simulator's side of the contract with a policy: the capacity, and how much of it is used.
@usableFromInline
protocol SimulationHost: SlotHost, ~Copyable {
  /// True if every request is a plain get of an object that counts one, and nothing is to do but to count.
  static var isPlain: Bool { get }

  var capacity: Int { get }
  var used: Int { get }
  var evictions: Int { get }

  /// The times to live of residents; nil where nothing expires.
  var lifetimes: SlotLifetimes? { get }

  /// True while more is used than the capacity, and the policy can be asked to evict.
  var isOverfull: Bool { get }

  /// Makes room for slots below `slots`, which are more than before.
  mutating func reserve(slots: Int)
  /// Takes the hashes of keys by slot, in place of those before.
  mutating func use(keyHashes: UnsafePointer<UInt64>?)
  /// Brings near what a coming request of `slot` will read.
  func prefetch(_ slot: Slot)
  /// The request of that number begins.
  func begin(_ index: Int)
  /// Passes a request on to the admission filter, before anything is decided about it.
  func record(_ request: Request, isHit: Bool)
  /// True where the policy hears of this miss; it is asked next to insert the object.
  mutating func admits(_ request: Request, at index: Int) -> Bool
  /// The policy was asked to insert the object of `request`.
  mutating func inserted(_ request: Request, isAdmitted: Bool)
  /// A request missed of which nothing else learns.
  func missed()
  /// That many newcomers took the places of as many victims.
  mutating func replaced(_ count: Int)
  /// The resident `slot` was removed by the user.
  mutating func removed(_ slot: Slot)
  /// The resident `slot` is removed because it has grown larger than the cache.
  mutating func outgrew(_ slot: Slot)
  /// The resident `slot` has another size now.
  mutating func resized(_ slot: Slot, to size: Int)
}

/// Every object counts one.
@usableFromInline
struct UnitHost: SimulationHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  /// The objects that ever entered.
  @usableFromInline var insertions = 0

  /// Nothing else leaves.
  @inlinable @inline(__always)
  var evictions: Int { insertions &- used }

  @inlinable
  init(capacity: Int) { self.capacity = capacity }

  @inlinable @inline(__always)
  static var isPlain: Bool { true }

  @inlinable @inline(__always)
  static var asksFilter: Bool { false }

  @inlinable @inline(__always)
  mutating func replaced(_ count: Int) { insertions &+= count }

  @inlinable
  mutating func reserve(slots: Int) {}

  @inlinable @inline(__always)
  var lifetimes: SlotLifetimes? { nil }

  @inlinable
  mutating func use(keyHashes: UnsafePointer<UInt64>?) {}

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool { used < capacity }

  @inlinable @inline(__always)
  var isOverfull: Bool { used > capacity }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { 1 }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) { used &-= 1 }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) {}

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) {}

  @inlinable @inline(__always)
  func begin(_ index: Int) {}

  @inlinable @inline(__always)
  func record(_ request: Request, isHit: Bool) {}

  @inlinable @inline(__always)
  mutating func admits(_ request: Request, at index: Int) -> Bool { true }

  @inlinable @inline(__always)
  mutating func inserted(_ request: Request, isAdmitted: Bool) {
    if !isAdmitted { return }
    used &+= 1
    insertions &+= 1
  }

  @inlinable @inline(__always)
  func missed() {}

  @inlinable @inline(__always)
  mutating func removed(_ slot: Slot) { used &-= 1 }

  @inlinable @inline(__always)
  mutating func outgrew(_ slot: Slot) { removed(slot) }

  @inlinable @inline(__always)
  mutating func resized(_ slot: Slot, to size: Int) {}
}

/// Objects have sizes, and keep the one they were admitted with until a write brings another; newcomers may have to pass a filter, and
/// the policy may be checked.
@usableFromInline
struct SizedHost: SimulationHost, ~Copyable {
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0
  @usableFromInline var evictions = 0
  /// Indexed by slot.
  @usableFromInline var sizes: UnsafeMutablePointer<Int>
  @usableFromInline var slots: Int
  @usableFromInline var residents = 0
  @usableFromInline var gate: AdmissionGate
  /// Indexed by slot; there where a filter needs them.
  @usableFromInline var keyHashes: UnsafePointer<UInt64>?
  private let filterReadsHashes: Bool
  /// Takes down the evictions, if anybody wants to know them.
  @usableFromInline let log: EvictionLog?
  /// Takes down the hits, if anybody wants to know them.
  @usableFromInline let hits: HitLog?
  /// Checks the policy; nil for not at all.
  @usableFromInline let account: SlotAccount?
  /// The times to live of residents; nil where nothing expires.
  @usableFromInline let lifetimes: SlotLifetimes?
  /// True if an observer sees every request.
  @usableFromInline let isObserved: Bool

  @usableFromInline
  init(
    capacity: Int, slots: Int, filter: AdmissionFilter?, options: SimulationOptions
  ) {
    self.capacity = capacity
    self.slots = slots
    gate = AdmissionGate(filter)
    filterReadsHashes = filter.map { !type(of: $0).information.needs.isEmpty } ?? false
    log = options.evictions
    hits = options.hits
    account = options.account
    lifetimes = options.run.expires ? SlotLifetimes(slots: slots) : nil
    isObserved = filter != nil || log != nil || hits != nil
    sizes = .allocateRecords(capacity: slots)
    sizes.initialize(repeating: 0, count: slots)
  }

  deinit { sizes.deallocate() }

  @usableFromInline
  mutating func reserve(slots newSlots: Int) {
    let larger = UnsafeMutablePointer<Int>.allocateRecords(capacity: newSlots)
    larger.update(from: sizes, count: slots)
    (larger + slots).initialize(repeating: 0, count: newSlots - slots)
    sizes.deallocate()
    (sizes, slots) = (larger, newSlots)
    lifetimes?.reserve(slots: newSlots)
  }

  @usableFromInline
  mutating func use(keyHashes: UnsafePointer<UInt64>?) {
    precondition(
      keyHashes != nil || !filterReadsHashes,
      "the admission filter needs key hashes, which the stream was not prepared with")
    self.keyHashes = keyHashes
  }

  @inlinable @inline(__always)
  func hasRoom(for request: Request) -> Bool {
    request.size <= capacity &- used || account?.asksForever() ?? false
  }

  @inlinable @inline(__always)
  var isOverfull: Bool { used > capacity && !(account?.asksForever() ?? false) }

  @inlinable @inline(__always)
  func size(of slot: Slot) -> Int { sizes[Int(slot)] }

  @inlinable @inline(__always)
  mutating func didEvict(_ slot: Slot) {
    used &-= sizes[Int(slot)]
    residents &-= 1
    evictions &+= 1
    log?.append(slot)
    lifetimes?.stop(slot)
    account?.didEvict(slot)
  }

  @inlinable @inline(__always)
  mutating func didRemember(_ newcomer: Request) {
    sizes[Int(newcomer.slot)] = newcomer.size
    account?.didRemember(newcomer.slot)
  }

  @inlinable @inline(__always)
  mutating func didForget(_ slot: Slot) { account?.didForget(slot) }

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { evl_prefetch(sizes + Int(slot)) }

  @inlinable @inline(__always)
  func begin(_ index: Int) {
    if !isObserved { return }
    log?.request = index
    hits?.request = index
  }

  @inlinable @inline(__always)
  static var isPlain: Bool { false }

  @inlinable
  mutating func replaced(_ count: Int) { evictions &+= count }

  @inlinable @inline(__always)
  func keyHash(of slot: Slot) -> UInt64 { keyHashes.map { $0[Int(slot)] } ?? 0 }

  /// The request with what an admission filter reads of it.
  @inlinable @inline(__always)
  func filtered(_ request: Request, size: Int) -> Request {
    Request(slot: request.slot, size: size, keyHash: keyHash(of: request.slot))
  }

  @inlinable @inline(__always)
  func record(_ request: Request, isHit: Bool) {
    if !isObserved { return }
    hits?.append(isHit: isHit)
    if !gate.hasFilter { return }
    gate.record(filtered(request, size: isHit ? size(of: request.slot) : request.size))
  }

  @inlinable @inline(__always)
  mutating func admits(_ request: Request, at index: Int) -> Bool {
    if let account, !account.offered(request.slot, at: index) { return false }
    if !gate.hasFilter { return true }
    let request = filtered(request, size: request.size)
    if !gate.admits(request) { return false }
    gate.open(for: request)
    return true
  }

  @inlinable @inline(__always)
  mutating func inserted(_ request: Request, isAdmitted: Bool) {
    gate.close()
    if isAdmitted { used &+= request.size }
    account?.inserted(request.slot, isAdmitted: isAdmitted, used: used, capacity: capacity)
    if !isAdmitted { return }
    sizes[Int(request.slot)] = request.size
    residents &+= 1
    lifetimes?.start(request.slot)
    gate.admitted(residents: residents)
  }

  @inlinable @inline(__always)
  mutating func mayEvict(_ victim: Slot) -> Bool {
    if !gate.isAsking { return true }
    return gate.mayEvict(keyHash(of: victim))
  }

  @inlinable @inline(__always)
  var hasRefused: Bool { gate.hasRefused }

  @inlinable @inline(__always)
  func missed() { hits?.append(isHit: false) }

  @inlinable @inline(__always)
  mutating func removed(_ slot: Slot) {
    used &-= sizes[Int(slot)]
    residents &-= 1
    lifetimes?.stop(slot)
    account?.takeOut(slot)
  }

  @inlinable
  mutating func outgrew(_ slot: Slot) {
    evictions &+= 1
    log?.append(slot)
    removed(slot)
  }

  @inlinable @inline(__always)
  mutating func resized(_ slot: Slot, to size: Int) {
    used &+= size &- sizes[Int(slot)]
    sizes[Int(slot)] = size
  }
}
