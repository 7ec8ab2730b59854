import Parameters

/// ARC's cases over T1 and T2 with residents, and B1 and B2 with the ghosts of each: what ``ARC``, ``LPARC``, ``CAR`` and
/// ``CART`` share.
///
/// The lists' limits are |T1| + |B1| ≤ C, and C and the ghosts of a full cache for all four.
public protocol AdaptiveRules: ListRules, ~Copyable {
  /// p, and what bounds it and the ghosts.
  var target: AdaptiveTarget { get set }

  /// REPLACE: T1 or T2 gives up an object, which becomes a ghost; for a request of a ghost of B2, or another.
  mutating func replace<Lists: RecencyLists & ~Copyable>(
    forGhostOfB2 isOfB2: Bool, lists: inout Lists, host: inout some SlotHost & ~Copyable)
}

extension AdaptiveRules where Self: ~Copyable {
  /// T1, T2, B1, B2.
  @inlinable @inline(__always)
  public var listCount: Int { 4 }

  /// T1 and T2 are resident, B1 and B2 are not.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list.isResidentInARC }

  /// Cases II, III (a ghost) and IV (an unknown object) of ARC.
  @inlinable @inline(__always)
  public mutating func admit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let ghost = lists.owner(of: request.slot)
    if ghost != .none { return recall(request, from: ghost, lists: &lists, host: &host) }
    // Case IV before REPLACE: the newcomer must fit T1 ∪ B1 within C, and everything within 2C.
    while lists.l1 &+ request.size > target.capacity {
      if lists.isEmpty(.b1) {
        lists.evictBack(of: .t1, host: &host)
        if host.hasRefused { return refuse(request, lists: lists, host: &host) }
      } else {
        lists.forgetBack(of: .b1, host: &host)
      }
    }
    let fits = target.boundDirectory(forNewcomerOf: request.size, &lists, host: &host)
    while !host.hasRoom(for: request) {
      replace(forGhostOfB2: false, lists: &lists, host: &host)
      if host.hasRefused { return refuse(request, lists: lists, host: &host) }
    }
    lists.prepend(request.slot, to: .t1, size: request.size)
    if !fits { target.boundDirectory(&lists, host: &host) }
    return true
  }

  /// Cases II and III: a ghost moves p, and enters T2.
  @inlinable @inline(__always)
  mutating func recall<Lists: RecencyLists & ~Copyable>(
    _ request: Request, from ghost: ListID, lists: inout Lists,
    host: inout some SlotHost & ~Copyable
  ) -> Bool {
    target.adapt(for: request, ghost: ghost, lists)
    while !host.hasRoom(for: request) {
      replace(forGhostOfB2: ghost == .b2, lists: &lists, host: &host)
      if host.hasRefused { return refuse(request, lists: lists, host: &host) }
    }
    lists.remove(request.slot, from: ghost, size: host.size(of: request.slot))
    lists.prepend(request.slot, to: .t2, size: request.size)
    target.boundDirectory(&lists, host: &host)
    return true
  }

  /// REPLACE, also where nothing is known of the request.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let isOfB2 = request.map { lists.owner(of: $0.slot) == .b2 } ?? false
    replace(forGhostOfB2: isOfB2, lists: &lists, host: &host)
    if request == nil { target.boundGhosts(&lists, host: &host) }
  }

  /// Bounds p and the ghosts by the new capacity.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    target.resize(to: capacity)
    target.boundGhosts(&lists, host: &host)
  }

  /// The target of T1's size.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("p", target.p)
  }
}

extension ListedPolicy where Rules: AdaptiveRules & ~Copyable, Lists: ~Copyable {
  /// The values of `arithmetic`.
  public enum Arithmetic: String, CaseIterable, Sendable {
    /// The target p is a real number.
    case real
    /// The target p moves by whole numbers.
    case integer
  }
}

extension RecencyLists where Self: ~Copyable {
  /// |T1| + |B1|.
  @inlinable @inline(__always)
  var l1: Int { size(of: .t1) &+ size(of: .b1) }

  /// |T2| + |B2|.
  @inlinable @inline(__always)
  var l2: Int { size(of: .t2) &+ size(of: .b2) }
}

extension ListID {
  @inlinable @inline(__always)
  static var t1: ListID { ListID(1) }
  @inlinable @inline(__always)
  static var t2: ListID { ListID(2) }
  @inlinable @inline(__always)
  static var b1: ListID { ListID(3) }
  @inlinable @inline(__always)
  static var b2: ListID { ListID(4) }

  /// True for T1 and T2.
  @inlinable @inline(__always)
  var isResidentInARC: Bool { rawValue &- 1 < 2 }
}

/// The target p of T1's size, and what bounds it and the ghosts.
public struct AdaptiveTarget: BitwiseCopyable {
  /// C.
  @usableFromInline var capacity: Int
  /// The size of the ghosts that a full cache remembers, at most.
  @usableFromInline var ghosts: Int
  /// The size of residents and ghosts together, at most.
  @usableFromInline var directory: Int
  /// p, at first 0.
  @usableFromInline var p: Double = 0
  @usableFromInline let ghostShare: Fraction
  @usableFromInline let wholeSteps: Bool

  /// The parameters that ``init(_:)`` reads.
  public static var parameters: [Parameter] {
    [
      Parameter(
        "arithmetic", .choice(["real", "integer"]), default: .text("real"),
        help: "integer: p moves by whole numbers"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1)),
        help: "ghosts that a full cache remembers, as a multiple of the capacity"),
    ]
  }

  /// Reads the capacity and the parameters.
  public init(_ configuration: PolicyConfiguration) {
    capacity = configuration.capacity
    ghostShare = configuration.arguments.fraction("ghosts")
    ghosts = ghostShare.floor(of: capacity)
    directory = capacity + ghosts
    wholeSteps = configuration.arguments.text("arithmetic") == "integer"
  }

  /// Moves p towards the list whose ghost was requested, by the ratio of the ghosts.
  @inlinable @inline(__always)
  public mutating func adapt<Lists: RecencyLists & ~Copyable>(
    for request: Request, ghost: ListID, _ lists: borrowing Lists
  ) {
    let (b1, b2) = (Double(lists.size(of: .b1)), Double(lists.size(of: .b2)))
    move(for: request, ghost: ghost, ratio: ghost == .b1 ? b2 / b1 : b1 / b2)
  }

  /// Moves p up for a request of a ghost of B1 and down for one of B2: for each size unit by `ratio`, and
  /// by at least 1; for an empty object not at all.
  ///
  /// Ghosts that are all empty make a ratio infinite, which takes p to its bound; 0/0 counts 1.
  @inlinable @inline(__always)
  public mutating func move(for request: Request, ghost: ListID, ratio: Double) {
    if request.size == 0 { return }
    var step = ratio > 1 ? ratio : 1
    if wholeSteps { step.round(.down) }
    step *= Double(request.size)
    p = ghost == .b1 ? min(p + step, Double(capacity)) : max(p - step, 0)
  }

  /// Returns true if ARC's REPLACE takes from T1.
  @inlinable @inline(__always)
  public func takesFromT1<Lists: RecencyLists & ~Copyable>(
    _ lists: borrowing Lists, forGhostOfB2 isOfB2: Bool, host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    if lists.lacksVictim(.t1, host: host) { return false }
    let size = Double(lists.size(of: .t1))
    return (isOfB2 ? size >= p : size > p) || lists.lacksVictim(.t2, host: host)
  }

  /// Forgets the oldest ghosts of B1 until an unknown object of `size` fits |T1| + |B1| ≤ C, then those
  /// of B2 and of B1 until it fits the directory.
  @inlinable @inline(__always)
  public func boundGhosts<Lists: RecencyLists & ~Copyable>(
    forNewcomerOf size: Int = 0, _ lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.l1 &+ size > capacity && !lists.isEmpty(.b1) {
      lists.forgetBack(of: .b1, host: &host)
    }
    boundDirectory(forNewcomerOf: size, &lists, host: &host)
  }

  /// Forgets the oldest ghosts of B2, then of B1, until `size` more fits the directory.
  ///
  /// - Returns: False if it does not, with no ghost left.
  @inlinable @inline(__always) @discardableResult
  public func boundDirectory<Lists: RecencyLists & ~Copyable>(
    forNewcomerOf size: Int = 0, _ lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while lists.l1 &+ lists.l2 &+ size > directory {
      let ghosts: ListID = lists.isEmpty(.b2) ? .b1 : .b2
      if lists.isEmpty(ghosts) { return false }
      lists.forgetBack(of: ghosts, host: &host)
    }
    return true
  }

  /// Bounds p and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int) {
    self.capacity = capacity
    ghosts = ghostShare.floor(of: capacity)
    directory = capacity + ghosts
    p = min(p, Double(capacity))
  }
}
