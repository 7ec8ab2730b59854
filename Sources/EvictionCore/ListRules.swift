import Parameters

/// The rules of an eviction policy whose slots are in a few ``RecencyLists``, whatever these are kept in.
///
/// ``ListedPolicy`` makes a policy of them: over ``SlotLists`` in a cache, over ``SlotLogs`` in a simulation, over
/// ``PinnedLists`` in a cache of prefixes. The lists are passed in, the rules keep the rest: quotas, targets, sketches. LRU, beside its page:
///
///     struct Recency: ListRules, ~Copyable {
///       init(_ configuration: PolicyConfiguration) {}
///
///       mutating func hit<Lists: RecencyLists & ~Copyable>(
///         _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
///       ) {
///         lists.moveToFront(request.slot, of: .first)
///       }
///       mutating func insert<Lists: RecencyLists & ~Copyable>(
///         _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
///       ) -> Bool {
///         guard makeRoom(for: request, lists: &lists, host: &host) else {
///           return refuse(request, lists: lists, host: &host)
///         }
///         lists.prepend(request.slot, to: .first, size: request.size)
///         return true
///       }
///       mutating func evict<Lists: RecencyLists & ~Copyable>(
///         for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
///       ) {
///         lists.evictBack(of: .first, host: &host)
///       }
///     }
///
/// Members mean what those of ``ReplacementPolicy`` do. A slot is known exactly while a list holds it.
public protocol ListRules: ~Copyable, SendableMetatype {
  /// The page of the policy.
  static var information: PolicyInformation { get }
  /// The attributes of a request that the rules read beyond slot and size; none by default.
  static var needs: RequestNeeds { get }
  /// Returns true if the slots of a list are resident. All are, by default: right without ghosts.
  static func isResident(in list: ListID) -> Bool

  /// Creates the rules of an empty cache.
  init(_ configuration: PolicyConfiguration) throws(PolicyError)
  /// Passes on what the rules keep, as ``ReplacementPolicy/visitState(_:)`` does. Rules of plain bits are passed on as
  /// they are; others refuse by default.
  mutating func visitState(_ state: inout PolicyState)
  /// The number of lists; 1 by default.
  var listCount: Int { get }

  /// A request found its object resident.
  mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable)
  /// A request missed: makes room, and admits or rejects the newcomer. It enters the first list's front by default.
  mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool
  /// Evicts at least one object, or none if the host refuses the newcomer. The first list's least recent by default.
  mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable)
  /// The capacity changed: recomputes quotas and restores them. Does nothing by default.
  mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable)

  /// The user removes `slot`, which leaves `list`. Does nothing by default.
  mutating func remove(_ slot: Slot, from list: ListID, size: Int)
  /// The resident `slot` takes `difference` more size units. Does nothing by default: lists know.
  mutating func changeSize(of slot: Slot, by difference: Int)
  /// The user gave the resident `slot` another expiry. Does nothing by default.
  mutating func changeExpiry(of slot: Slot, to expiry: Int64)
  /// Forgets what the rules keep of slots. Does nothing by default.
  mutating func removeAll()

  /// Returns true if a hit of the resident `slot` would change nothing, after any other hits. False by default.
  func ignoresHit(of slot: Slot) -> Bool

  /// The lists among which a plain request now only moves slots; nil, by default, where more may happen.
  func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists?
  /// Runs a request that only moves slots, as ``ReplacementPolicy/steadyRequest(of:in:)`` does; by default as
  /// ``SteadyLists`` says.
  mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int?

  /// Shows what was learned. Nothing by default.
  func showInternals(_ show: (_ name: String, _ value: Double) -> Void)
  /// Makes room in arrays of the rules' own. Does nothing by default.
  mutating func reserve(slots: Int)
  /// Prefetches records of the rules' own. Does nothing by default.
  func prefetch(_ slot: Slot)
  /// Prefetches what is kept by the key's hash. Does nothing by default.
  func prefetchFurther(_ slot: Slot, keyHash: UInt64)
}

extension ListRules where Self: BitwiseCopyable {
  /// Passes on the bits.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) { state.visit(&self) }
}

extension ListRules where Self: ~Copyable {
  /// The rules can't be copied or saved.
  public mutating func visitState(_ state: inout PolicyState) { state.refuse() }

  /// Slot and size are enough.
  @inlinable
  public static var needs: RequestNeeds { [] }

  /// Every list holds residents.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list != .none }

  /// One list.
  @inlinable @inline(__always)
  public var listCount: Int { 1 }

  /// Makes room, and enters the object at the front of the first list.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts the least recent of the first list.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.evictBack(of: .first, host: &host)
  }

  /// Evicts for `request` until the host has room for it.
  ///
  /// - Returns: True if it has; false if the host refused the newcomer.
  @inlinable @inline(__always)
  public mutating func makeRoom<Lists: RecencyLists & ~Copyable>(
    for request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while !host.hasRoom(for: request) {
      evict(for: request, lists: &lists, host: &host)
      if host.hasRefused { return false }
    }
    return true
  }

  /// The end of an `insert` that admits nothing; a ghost that is still in its list stays one.
  ///
  /// - Returns: False.
  @inlinable
  public func refuse<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: borrowing Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if lists.owner(of: request.slot) == .none { host.didForget(request.slot) }
    return false
  }

  /// Does nothing: right for rules that do not depend on the capacity.
  @inlinable @inline(__always)
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func changeSize(of slot: Slot, by difference: Int) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func removeAll() {}

  /// No hit is ignored.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { false }

  /// No state is known to be steady.
  @inlinable @inline(__always)
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    nil
  }

  /// A hit or a miss among the lists that `steady` names.
  @inlinable @inline(__always)
  public mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int? {
    lists.steadyRequest(of: slot, in: steady)
  }

  /// Shows nothing.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func reserve(slots: Int) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) {}
}

/// The policy that rules make, over lists of some kind.
public struct ListedPolicy<Rules: ListRules & ~Copyable, Lists: RecencyLists & ~Copyable>:
  PinnablePolicy, ~Copyable
{
  @usableFromInline var rules: Rules
  @usableFromInline var lists: Lists

  /// The rules' page.
  public static var information: PolicyInformation { Rules.information }

  /// The rules' needs.
  @inlinable public static var needs: RequestNeeds { Rules.needs }

  /// The bytes that the lists take.
  @inlinable public static var bytesPerObject: Int { Lists.bytesPerObject }

  /// Creates an empty cache's policy.
  @inlinable
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    rules = try Rules(configuration)
    lists = Lists(count: rules.listCount, slots: configuration.slots)
    rules.reserve(slots: configuration.slots)
  }

  /// Passes on the rules and the lists.
  @inlinable
  public mutating func visitState(_ state: inout PolicyState) {
    rules.visitState(&state)
    lists.visitState(&state)
  }

  /// Shows this type for few keys, whose links are in the processor's caches, and the same rules over logs for many.
  @inlinable @inline(__always)
  public static func visitSimulated(_ visitor: inout some PolicyVisitor) {
    visitor.visit(Self.self)
    visitor.visit(ListedPolicy<Rules, SlotLogs>.self)
  }

  /// Shows the same rules over lists for a host that pins slots.
  @inlinable @inline(__always)
  public static func visitPinned(_ visitor: inout some PolicyVisitor) {
    visitor.visit(ListedPolicy<Rules, PinnedLists>.self)
  }

  /// Returns true if a list of residents holds `slot`.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { Rules.isResident(in: lists.owner(of: slot)) }

  /// The rules of a hit.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    rules.hit(request, lists: &lists, host: &host)
  }

  /// The rules of a miss.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    rules.insert(request, lists: &lists, host: &host)
  }

  /// The rules of an eviction.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    rules.evict(for: request, lists: &lists, host: &host)
  }

  /// Takes `slot`, resident or ghost, out of its list.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    let list = lists.owner(of: slot)
    if list == .none { return }
    rules.remove(slot, from: list, size: host.size(of: slot))
    lists.forget(slot, host: &host)
  }

  /// Empties the lists, and what the rules keep.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    rules.removeAll()
  }

  /// The rules of another capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    rules.resize(to: capacity, lists: &lists, host: &host)
  }

  /// Corrects the sums that `slot` is part of.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    lists.changeSize(of: slot, by: difference)
    rules.changeSize(of: slot, by: difference)
  }

  /// The rules of another expiry.
  @inlinable
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    rules.changeExpiry(of: slot, to: expiry)
  }

  /// Grows the lists, and what the rules keep.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    rules.reserve(slots: slots)
  }

  /// Shows what the rules have learned.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    rules.showInternals(show)
  }

  /// Prefetches what lists and rules keep of `slot`.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    lists.prefetch(slot)
    rules.prefetch(slot)
  }

  /// Prefetches what the rules keep by the key's hash.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) {
    rules.prefetchFurther(slot, keyHash: keyHash)
  }

  /// Returns true if the rules ignore further hits of `slot`.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { rules.ignoresHit(of: slot) }

  /// Gives back memory that is not used.
  @inlinable @inline(__always)
  public mutating func tidy() { lists.shrink() }

  /// The lists among which requests only move slots; nil where more may happen.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? {
    rules.listCount < 64 ? rules.steady(lists) : nil
  }

  /// Runs a request that only moves slots.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? {
    rules.steadyRequest(of: slot, in: steady, lists: &lists)
  }
}
