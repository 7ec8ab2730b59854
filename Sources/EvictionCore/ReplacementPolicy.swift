import Parameters

/// An eviction policy: decides which objects a cache keeps.
///
/// A policy is a noncopyable struct over flat arrays indexed by slot. It never sees a key or a value,
/// and the same struct runs in the simulator and in ``MemoryCache``. What makes LRU, beside its name and
/// what ``ListPolicy`` gives to every policy over lists:
///
///     public struct LRU: ListPolicy, ~Copyable {
///       public var lists: SlotLists<UInt8>
///
///       public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
///         lists.moveToFront(request.slot, of: .first)
///       }
///       public mutating func insert(
///         _ request: Request, host: inout some SlotHost & ~Copyable
///       ) -> Bool {
///         guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
///         lists.prepend(request.slot, to: .first, size: request.size)
///         return true
///       }
///       public mutating func evict(
///         for request: Request?, host: inout some SlotHost & ~Copyable
///       ) {
///         lists.evictBack(of: .first, host: &host)
///       }
///     }
///
/// Every member is called by the host, which guarantees: `hit` only for residents, `insert` only for
/// the others and only if the object fits the capacity, `evict` only while something is resident, and
/// slots only below the number reserved.
///
/// A size is from 0 to the capacity, which is at least 1. An object of size 0 is empty: it takes no room, enters
/// without an eviction, and may be the victim of one although that frees nothing. So a list that holds objects may
/// have size 0, and what a rule divides by may be 0. A step in proportion to the size is no step for it; where a rule
/// divides by the size, most policies here count it as one unit, and their pages say so. A resident that grows may be
/// larger than the capacity until the host has had evicted what is too much. The sum of the sizes of all residents and
/// a newcomer is below 2⁵⁸.
///
/// Mark members `@inlinable`: a policy that the compiler cannot
/// see into from another module runs several times slower.
public protocol ReplacementPolicy: ~Copyable, SendableMetatype {
  /// Name, summary, paper and parameters, as the catalog and the help show them.
  static var information: PolicyInformation { get }

  /// The attributes of a request that the policy reads beyond slot and size; none by default.
  ///
  /// A trace that lacks it is refused. Declare a computed property that is `@inlinable`: the loops are
  /// compiled for it, and do not even fetch what a policy does not read.
  static var needs: RequestNeeds { get }

  /// Creates the policy of an empty cache.
  ///
  /// - Throws: ``PolicyError`` when the capacity or the parameters cannot be run.
  init(_ configuration: PolicyConfiguration) throws(PolicyError)

  /// Passes on all that changes while the policy is at work, always in the same order: it is written, or read back into a
  /// policy that was made anew. So a cache tells whom it would evict without evicting anyone, and goes on after a restart
  /// where it was. Refuses by default. See ``PolicyState``.
  ///
  /// - Complexity: O(slots).
  mutating func visitState(_ state: inout PolicyState)

  /// Returns true if the object in `slot` is resident; a ghost is not.
  func contains(_ slot: Slot) -> Bool

  /// A request found its object resident; its size is the one that the host has for the slot. Nothing
  /// is evicted.
  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable)

  /// Returns true if a hit of the resident `slot` would change nothing now, and after any other hits: the cache
  /// then need not tell of it. Several threads ask at once, while nothing changes. False by default.
  func ignoresHit(of slot: Slot) -> Bool

  /// A request missed: makes room, and admits or rejects the newcomer.
  ///
  /// The newcomer's slot may be a ghost. Objects that leave are reported to the host while the room is
  /// made. A rejected slot that was a ghost may stay one, with the size it had. Any other is reported as
  /// forgotten, or as a ghost from now on (``SlotHost/didRemember(_:)``): so a filter is written that admits an object
  /// when it is requested again.
  ///
  /// - Returns: True if the object is resident now.
  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool

  /// Evicts at least one object, and remembers it as usual; or none, if the host refuses the newcomer
  /// when it is asked whether the victim may leave (``SlotHost/mayEvict(_:)``).
  ///
  /// - Parameters:
  ///   - request: The request that needs the room, or nil when the host trims for no newcomer: then
  ///     the policy acts as for a request it knows nothing about.
  ///   - host: Told what leaves and what is forgotten.
  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable)

  /// The user removed the key, or its object expired: unlinks the slot, resident or ghost, leaves no
  /// ghost, and reports the slot as forgotten. An unknown slot changes nothing. What was learned stays.
  mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable)

  /// Forgets every slot, without reporting them. What was learned stays.
  mutating func removeAll()

  /// The capacity changed: recomputes quotas and restores them by moving objects between lists. The
  /// host evicts afterwards if more is used than the new capacity.
  mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable)

  /// The resident `slot` takes `difference` more size units than before. The host calls
  /// ``resize(to:host:)`` next, which restores the quotas. Does nothing by default: right for a policy
  /// that keeps no sums of sizes.
  mutating func changeSize(of slot: Slot, by difference: Int)

  /// The user gave the resident `slot` another expiry, `Int64.max` for never, which is no request. Does
  /// nothing by default: right for a policy that does not look at expiries.
  mutating func changeExpiry(of slot: Slot, to expiry: Int64)

  /// Makes room in the arrays for slots below `slots`; never shrinks. Called outside the request path.
  mutating func reserve(slots: Int)

  /// Shows what the policy has learned by now (ARC's p, a learner's weights), each under a short name
  /// that never changes. Each is a finite number. Called every few thousand requests at most. Shows nothing by
  /// default.
  func showInternals(_ show: (_ name: String, _ value: Double) -> Void)

  /// The costs of what the policy trained and predicted since it was made; nil, by default, for one that does not.
  var learningCosts: LearningCosts? { get }

  /// The simulator is about to request `slot`: a chance to prefetch its records. Does nothing by
  /// default.
  func prefetch(_ slot: Slot)

  /// The request is nearer, and the memory that ``prefetch(_:)`` fetched has come: a chance to follow it to the
  /// slot's neighbours, and to prefetch what is kept by the key's hash, which is 0 unless ``needs``
  /// contains it. Does nothing by default.
  func prefetchFurther(_ slot: Slot, keyHash: UInt64)

  /// Shows the type that a simulation of plain gets, of objects that count one, runs in place of this: the same rules
  /// over lists that suit it. Of two types the first runs over few keys and the second over many. This type itself by
  /// default.
  static func visitSimulated(_ visitor: inout some PolicyVisitor)

  /// The bytes that each object and ghost takes beside those of slots: 0 by default.
  static var bytesPerObject: Int { get }

  /// True if ``steadyRequest(of:in:)`` ever runs a request: a simulation compares it with the other members first. False
  /// by default.
  static var fusesRequests: Bool { get }

  /// A simulation of such requests is about to run some thousands: a chance to give back memory. Does nothing by default.
  mutating func tidy()

  /// The lists among which requests move slots while the cache is full, as far as ``steadyRequest(of:in:)`` runs them;
  /// nil, by default, where none is known to be that simple. Asked before, and after each request that was not.
  func steady() -> SteadyLists?

  /// Runs a hit or miss that only moves slots, as ``hit(_:host:)`` or ``insert(_:host:)`` would.
  ///
  /// - Returns: 1 if it missed, and took the place of a victim; 0 if it hit; nil if nothing was done, as this request is
  ///   not that simple.
  mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int?
}

extension ReplacementPolicy where Self: ~Copyable {
  /// Evicts for `request` until the host has room for it.
  ///
  /// - Returns: True if it has; false if the host refused the newcomer.
  @inlinable @inline(__always)
  public mutating func makeRoom(
    for request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while !host.hasRoom(for: request) {
      evict(for: request, host: &host)
      if host.hasRefused { return false }
    }
    return true
  }

  /// The end of an `insert` that admits nothing: whatever is known of the newcomer is forgotten.
  ///
  /// - Returns: False.
  @inlinable
  public mutating func refuse(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    remove(request.slot, host: &host)
    host.didForget(request.slot)
    return false
  }

  /// The policy can't be copied or saved.
  public mutating func visitState(_ state: inout PolicyState) { state.refuse() }

  /// No hit is ignored.
  @inlinable @inline(__always)
  public func ignoresHit(of slot: Slot) -> Bool { false }

  /// Shows this type.
  @inlinable @inline(__always)
  public static func visitSimulated(_ visitor: inout some PolicyVisitor) {
    visitor.visit(Self.self)
  }

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func tidy() {}

  /// Slots take all.
  @inlinable
  public static var bytesPerObject: Int { 0 }

  /// None is fused.
  @inlinable
  public static var fusesRequests: Bool { false }

  /// Nothing is known to be simple.
  @inlinable @inline(__always)
  public func steady() -> SteadyLists? { nil }

  /// No request is.
  @inlinable @inline(__always)
  public mutating func steadyRequest(of slot: Slot, in steady: SteadyLists) -> Int? { nil }

  /// Shows nothing.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {}

  /// There are none.
  public var learningCosts: LearningCosts? { nil }

  /// Slot and size are enough.
  @inlinable
  public static var needs: RequestNeeds { [] }

  /// Does nothing.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public func prefetchFurther(_ slot: Slot, keyHash: UInt64) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func changeSize(of slot: Slot, by difference: Int) {}

  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {}

  /// Does nothing: right for a policy whose decisions do not depend on the capacity.
  @inlinable @inline(__always)
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {}
}
