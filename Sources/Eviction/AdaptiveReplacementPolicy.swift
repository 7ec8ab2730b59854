import Parameters

/// ARC's memory: T1 and T2 hold residents, B1 and B2 the ghosts of each, and a target p of T1's size
/// follows the ghosts that are requested.
///
/// The lists' limits are |T1| + |B1| ≤ C, and C and the ghosts of a full cache for all four. ``ARC`` and
/// ``CAR`` get them from here, so that their own files hold what they do with T1 and T2.
public protocol AdaptiveReplacementPolicy: ListPolicy, ~Copyable {
  /// p, and what bounds it and the ghosts.
  var target: AdaptiveTarget { get set }
}

/// The target p of T1's size, and what bounds it and the ghosts.
public struct AdaptiveTarget {
  /// C.
  @usableFromInline var capacity: Int
  /// The size of the ghosts that a full cache remembers, at most.
  @usableFromInline var ghosts: Int
  /// The size of residents and ghosts together, at most.
  @usableFromInline package var directory: Int
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

  /// Moves p up for a request of a ghost of B1 and down for one of B2: for each size unit by `ratio`, and
  /// by at least 1.
  @inlinable @inline(__always)
  public mutating func move(
    for request: Request, ghost: SlotLists<UInt8>.ID, ratio: Double
  ) {
    move(isUp: ghost == .b1, ratio: ratio, size: request.size)
  }

  /// Moves p up or down for a ghost's request; for an empty object not at all.
  ///
  /// Ghosts that are all empty make a ratio infinite, which takes p to its bound; 0/0 counts 1.
  @inlinable @inline(__always)
  package mutating func move(isUp: Bool, ratio: Double, size: Int) {
    if size == 0 { return }
    var step = ratio > 1 ? ratio : 1
    if wholeSteps { step.round(.down) }
    step *= Double(size)
    p = isUp ? min(p + step, Double(capacity)) : max(p - step, 0)
  }

  /// Returns true if ARC's REPLACE takes from T1.
  @inlinable @inline(__always)
  public func takesFromT1(
    _ lists: borrowing SlotLists<UInt8>, for request: Request?,
    host: borrowing some SlotHost & ~Copyable
  ) -> Bool {
    if lists.lacksVictim(.t1, host: host) { return false }
    return exceeds(
      t1: lists.size(of: .t1), isOfB2: request.map { lists.owner(of: $0.slot) == .b2 } ?? false)
      || lists.lacksVictim(.t2, host: host)
  }

  /// Returns true if a T1 of this size is larger than wanted, for a request of a ghost of B2 or another.
  @inlinable @inline(__always)
  package func exceeds(t1: Int, isOfB2: Bool) -> Bool {
    let size = Double(t1)
    return isOfB2 ? size >= p : size > p
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

extension AdaptiveReplacementPolicy where Self: ~Copyable {
  /// The target of T1's size.
  @inlinable @inline(__always)
  public var p: Double { target.p }

  /// |T1| + |B1|.
  @inlinable @inline(__always)
  public var l1: Int { lists.size(of: .t1) + lists.size(of: .b1) }

  /// |T2| + |B2|.
  @inlinable @inline(__always)
  public var l2: Int { lists.size(of: .t2) + lists.size(of: .b2) }

  /// T1 and T2 are resident, B1 and B2 are not.
  @inlinable @inline(__always)
  public static func isResident(in list: SlotLists<UInt8>.ID) -> Bool {
    list == .t1 || list == .t2
  }

  /// Moves p towards the list whose ghost was requested.
  @inlinable @inline(__always)
  public mutating func adapt(for request: Request, ghost: SlotLists<UInt8>.ID) {
    let b1 = Double(lists.size(of: .b1))
    let b2 = Double(lists.size(of: .b2))
    target.move(for: request, ghost: ghost, ratio: ghost == .b1 ? b2 / b1 : b1 / b2)
  }

  /// Forgets the oldest ghosts of B1 until an unknown object of `size` fits |T1| + |B1| ≤ C, then those
  /// of B2 and of B1 until it fits the directory.
  @inlinable @inline(__always)
  public mutating func boundGhosts(
    forNewcomerOf size: Int = 0, host: inout some SlotHost & ~Copyable
  ) {
    while l1 + size > target.capacity && !lists.isEmpty(.b1) {
      lists.forgetBack(of: .b1, host: &host)
    }
    boundDirectory(forNewcomerOf: size, host: &host)
  }

  /// Forgets the oldest ghosts of B2, then of B1, until `size` more fits the directory.
  @inlinable @inline(__always)
  public mutating func boundDirectory(
    forNewcomerOf size: Int = 0, host: inout some SlotHost & ~Copyable
  ) {
    while l1 + l2 + size > target.directory {
      if !lists.isEmpty(.b2) {
        lists.forgetBack(of: .b2, host: &host)
      } else if !lists.isEmpty(.b1) {
        lists.forgetBack(of: .b1, host: &host)
      } else {
        return
      }
    }
  }

  /// Bounds p and the ghosts by the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    target.resize(to: capacity)
    boundGhosts(host: &host)
  }

  /// The target of T1's size.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) { show("p", p) }
}

// MARK: - ARC's steps

extension AdaptiveReplacementPolicy where Self: ~Copyable {
  /// Cases II, III (a ghost) and IV (an unknown object) of ARC.
  @inlinable @inline(__always)
  public mutating func admit(
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
    boundDirectory(host: &host)
    return true
  }

  /// Case IV before REPLACE: the newcomer must fit T1 ∪ B1 within C, and everything within 2C.
  ///
  /// - Returns: False if the host refused the newcomer.
  @inlinable @inline(__always)
  mutating func boundHistory(
    for request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while l1 + request.size > target.capacity {
      if lists.isEmpty(.b1) {
        lists.evictBack(of: .t1, host: &host)
        if host.hasRefused { return false }
      } else {
        lists.forgetBack(of: .b1, host: &host)
      }
    }
    boundDirectory(forNewcomerOf: request.size, host: &host)
    return true
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
