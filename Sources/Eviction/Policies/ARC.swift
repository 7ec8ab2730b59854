import Parameters

/// Adaptive replacement cache: balances recency against frequency by what its ghosts teach it.
public struct ARC: ListPolicy, ~Copyable {
  /// What the catalog says.
  public static let information = PolicyInformation(
    name: "arc", summary: "adaptive replacement cache: recency against frequency, taught by ghosts",
    paper: "N. Megiddo and D. S. Modha, “ARC: a self-tuning, low overhead replacement "
      + "cache”, FAST 2003, Figure 4.",
    idea: "T1 holds objects requested once lately, T2 those requested at least twice; B1 "
      + "and B2 remember what left each of them. A request for a ghost says which of the "
      + "two should have been larger, and moves p, the target of T1's size, towards it.",
    hit: "The object moves to the most recent end of T2.",
    miss: "A ghost of B1 raises p by max(1, |B2|/|B1|), one of B2 lowers it by max(1, "
      + "|B1|/|B2|), both before the ghost leaves its list; it enters T2. Anything else "
      + "enters T1.",
    eviction: "The least recent of T1 if |T1| > p, or |T1| = p and the request is in B2; "
      + "else of T2; from the other one if the chosen one is empty. The victim "
      + "becomes a ghost, but for an object that T1 evicts while it alone fills the "
      + "cache.",
    ghosts: "|T1| + |B1| ≤ C, and all four lists together at most 2C.",
    complexity: "O(1) per request.",
    differences: "Caffeine and many others divide whole numbers (arithmetic=integer); p "
      + "here is an IEEE double, as the paper's figures need.",
    parameters: [
      Parameter(
        "arithmetic", .choice(["real", "integer"]), default: .text("real"),
        help: "integer: p moves by whole numbers, as in Caffeine"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(100)), default: .fraction(Fraction(1)),
        help: "ghosts remembered while the cache is full, as a multiple of the capacity"),
    ],
    bytesPerSlot: 9)

  /// T1, T2, B1, B2.
  public var lists: SlotLists<UInt8>
  @usableFromInline var capacity: Int
  /// Residents and ghosts together, at most.
  @usableFromInline var directory: Int
  @usableFromInline let ghostShare: Fraction
  @usableFromInline let wholeSteps: Bool
  /// The target size of T1.
  @usableFromInline var p: Double = 0

  /// Creates an empty cache's policy, with p = 0.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 4, slots: configuration.slots)
    capacity = configuration.capacity
    ghostShare = configuration.arguments.fraction("ghosts")
    directory = capacity + ghostShare.floor(of: capacity)
    wholeSteps = configuration.arguments.text("arithmetic") == "integer"
  }

  /// T1 and T2 are resident, B1 and B2 are not.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool {
    list == .t1 || list == .t2
  }

  /// Case I: the object becomes the most recent of T2.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.move(request.slot, toFrontOf: .t2, size: host.size(of: request.slot))
  }

  /// Cases II, III (a ghost) and IV (an unknown object).
  @inlinable
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let ghost = lists.owner(of: request.slot)
    if ghost == .none {
      guard boundHistory(for: request, host: &host), makeRoom(for: request, host: &host) else {
        return refuse(request, host: &host)
      }
      lists.prepend(request.slot, to: .t1, size: request.size)
    } else {
      adapt(for: request, ghost: ghost)
      guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
      lists.remove(request.slot, size: host.size(of: request.slot))
      lists.prepend(request.slot, to: .t2, size: request.size)
    }
    boundDirectory(for: 0, host: &host)
    return true
  }

  /// REPLACE: T1 or T2 gives up its least recent object, which becomes a ghost.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let t1 = Double(lists.size(of: .t1))
    let isInB2 = request.map { lists.owner(of: $0.slot) == .b2 } ?? false
    let fromT1 = !lists.isEmpty(.t1) && (t1 > p || (isInB2 && t1 == p) || lists.isEmpty(.t2))
    lists.evictBack(of: fromT1 ? .t1 : .t2, to: fromT1 ? .b1 : .b2, host: &host)
    if request == nil { boundGhosts(host: &host) }
  }

  /// Bounds p and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    self.capacity = capacity
    directory = capacity + ghostShare.floor(of: capacity)
    p = min(p, Double(capacity))
    boundGhosts(host: &host)
  }

  /// The target of T1's size.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) { show("p", p) }

  /// Empties the lists; p stays.
  @inlinable
  public mutating func removeAll() { lists.removeAll() }

  @inlinable @inline(__always)
  var l1: Int { lists.size(of: .t1) + lists.size(of: .b1) }

  @inlinable @inline(__always)
  var l2: Int { lists.size(of: .t2) + lists.size(of: .b2) }

  /// Moves p towards the list whose ghost was requested.
  @inlinable @inline(__always)
  mutating func adapt(for request: Request, ghost: SlotLists<UInt8>.ID) {
    let b1 = Double(lists.size(of: .b1))
    let b2 = Double(lists.size(of: .b2))
    var step = max(1, ghost == .b1 ? b2 / b1 : b1 / b2)
    if wholeSteps { step.round(.down) }
    step *= Double(request.size)
    p = ghost == .b1 ? min(p + step, Double(capacity)) : max(p - step, 0)
  }

  /// Case IV before REPLACE: the newcomer must fit T1 ∪ B1 within C, and everything within 2C.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable @inline(__always)
  mutating func boundHistory(
    for request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while l1 + request.size > capacity {
      if lists.isEmpty(.b1) {
        lists.evictBack(of: .t1, host: &host)
        if host.hasRefused { return false }
      } else {
        lists.forgetBack(of: .b1, host: &host)
      }
    }
    boundDirectory(for: request.size, host: &host)
    return true
  }

  /// Restores the limits that a smaller capacity broke, as far as ghosts can.
  @inlinable
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while l1 > capacity && !lists.isEmpty(.b1) { lists.forgetBack(of: .b1, host: &host) }
    boundDirectory(for: 0, host: &host)
  }

  /// Forgets the oldest ghosts of B2, then of B1, until `size` more fits the directory.
  @inlinable @inline(__always)
  mutating func boundDirectory(for size: Int, host: inout some SlotHost & ~Copyable) {
    while l1 + l2 + size > directory {
      if !lists.isEmpty(.b2) {
        lists.forgetBack(of: .b2, host: &host)
      } else if !lists.isEmpty(.b1) {
        lists.forgetBack(of: .b1, host: &host)
      } else {
        return
      }
    }
  }
}

extension SlotLists<UInt8>.ID {
  @inlinable @inline(__always)
  static var t1: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  @inlinable @inline(__always)
  static var t2: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
  @inlinable @inline(__always)
  static var b1: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(3) }
  @inlinable @inline(__always)
  static var b2: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(4) }
}
