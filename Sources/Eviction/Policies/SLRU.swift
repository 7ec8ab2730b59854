import Parameters

/// Segmented LRU: an object is protected once it was requested a second time.
public typealias SLRU = ListedPolicy<SegmentedRules, SlotLists<UInt8>>

/// The rules of ``SLRU``. Lists 1 … n are the segments, lowest (probationary) first.
public struct SegmentedRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "slru", summary: "segmented LRU: the second request protects",
    paper: "R. Karedla, J. S. Love and B. G. Wherry, “Caching strategies to improve disk "
      + "system performance”, IEEE Computer 27(3), 1994. N segments: Q. Huang et al., "
      + "“An analysis of Facebook photo caching” (S4LRU), SOSP 2013.",
    idea: "One request is chance, the second one protects: a scan can only sweep the "
      + "probationary segment.",
    hit: "A probationary object enters the most recent end of protected, whose overflow "
      + "goes back to the most recent end of probationary; a protected one moves to its "
      + "segment's most recent end. With n segments the object moves one segment up, and "
      + "overflow cascades down.",
    miss: "Room is made, and the object enters the most recent end of probationary.",
    eviction: "The least recent of the lowest segment that is not empty. Probationary has "
      + "no bound of its own beyond the capacity.",
    complexity: "O(1) per request, O(n) with n segments.",
    differences:
      "probation=fixed bounds the probationary segment too; segments=4:fill=protected is "
      + "libCacheSim's form (commit 0a4353cdb), where a newcomer enters the lowest segment that "
      + "has room.",
    parameters: [
      Parameter(
        "protected", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(8, 10)),
        help: "share of the capacity that the protected segment may take"),
      Parameter(
        "segments", .integer(in: 1...254), default: nil,
        help: "this many segments of equal size instead, the remainder in the lowest"),
      Parameter(
        "probation", .choice(["open", "fixed"]), default: .text("open"),
        help: "fixed: the probationary segment holds at most what protected leaves"),
      Parameter(
        "fill", .choice(["probation", "protected"]), default: .text("probation"),
        help: "protected: newcomers enter the protected segment while it has room; "
          + "with segments=n, the lowest segment that has room"),
    ],
    bytesPerSlot: 9, miniatureError: 0)

  @usableFromInline let segments: UInt8
  @usableFromInline let protectedShare: Fraction?
  @usableFromInline let boundsProbation: Bool
  @usableFromInline let fillsProtected: Bool
  /// Quotas by segment number; the lowest one's is what the others leave.
  @usableFromInline var quotas: [Int]

  /// A list for each segment.
  public var listCount: Int { Int(segments) }

  /// Creates an empty cache's policy.
  ///
  /// - Throws: `PolicyError/conflict(policy:explanation:)` for `protected` beside `segments`, and for
  ///   a fixed probationary segment of size 0.
  public init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    let arguments = configuration.arguments
    let (count, share) = SegmentedRules.division(arguments)
    if share == nil && arguments.given["protected"] != nil {
      throw .conflict(policy: "slru", explanation: "give protected or segments, not both")
    }
    let isFixed = arguments.text("probation") == "fixed"
    let initial = SegmentedRules.quotas(
      of: configuration.capacity, segments: count, protectedShare: share)
    if isFixed && initial[1] == 0 {
      throw .conflict(
        policy: "slru", explanation: "probation=fixed leaves no room beside protected=1; lower it")
    }
    segments = UInt8(count)
    protectedShare = share
    boundsProbation = isFixed
    fillsProtected = arguments.text("fill") == "protected"
    quotas = initial
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    state.visit(&quotas)
  }

  /// The number of segments, and the share of the upper one of two.
  private static func division(_ arguments: Arguments) -> (segments: Int, protectedShare: Fraction?)
  {
    guard case .integer(let segments) = arguments.value("segments") else {
      return (2, arguments.fraction("protected"))
    }
    return (segments, nil)
  }

  @usableFromInline
  static func quotas(of capacity: Int, segments: Int, protectedShare: Fraction?) -> [Int] {
    let upper = protectedShare?.floor(of: capacity) ?? capacity / segments
    var quotas = [Int](repeating: upper, count: segments + 1)
    quotas[1] = capacity - upper * (segments - 1)
    return quotas
  }

  /// Moves the object one segment up, and cascades the overflow down.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let segment = lists.owner(of: request.slot)
    if segment.rawValue == segments {
      lists.moveToFront(request.slot, of: segment)
      return
    }
    let above = ListID(segment.rawValue &+ 1)
    lists.move(
      request.slot, from: segment, toFrontOf: above, size: host.size(of: request.slot))
    cascade(from: above, lists: &lists, host: &host)
    if boundsProbation { boundProbation(lists: &lists, host: &host) }
  }

  /// Makes room, and enters the object into the probationary segment; refuses an object larger than a
  /// fixed one before anything leaves for it.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if boundsProbation && request.size > quotas[1]
      && segmentForNewcomer(request, lists) == .probationary
    {
      return refuse(request, lists: lists, host: &host)
    }
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    let segment = segmentForNewcomer(request, lists)
    if boundsProbation && segment == .probationary {
      boundProbation(forNewcomerOf: request.size, lists: &lists, host: &host)
      if host.hasRefused { return refuse(request, lists: lists, host: &host) }
    }
    lists.prepend(request.slot, to: segment, size: request.size)
    return true
  }

  /// Evicts the least recent of the lowest segment that is not empty.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var segment: UInt8 = 1
    while lists.lacksVictim(ListID(segment), host: host) { segment &+= 1 }
    lists.evictBack(of: ListID(segment), host: &host)
  }

  /// Recomputes the quotas, and cascades what no longer fits.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    quotas = SegmentedRules.quotas(
      of: capacity, segments: Int(segments), protectedShare: protectedShare)
    cascade(from: ListID(segments), lists: &lists, host: &host)
    if boundsProbation { boundProbation(lists: &lists, host: &host) }
  }

  /// Newcomers replace each other in the lowest segment, unless one above has room for them.
  @inlinable
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    if segments < 2 || boundsProbation || lists.isEmpty(.probationary) { return nil }
    if fillsProtected && lowestWithRoom(for: Request(slot: 0), lists) != .probationary {
      return nil
    }
    return SteadyLists(hits: ListID(segments), misses: .probationary)
  }

  /// Restores the quotas from `top` down: each overflow's least recent becomes the most recent below.
  @inlinable @inline(__always)
  func cascade<Lists: RecencyLists & ~Copyable>(
    from top: ListID, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var segment = top.rawValue
    while segment > 1 {
      while lists.size(of: ListID(segment)) > quotas[Int(segment)] {
        lists.moveBack(of: ListID(segment), toFrontOf: ListID(segment &- 1), host: host)
      }
      segment &-= 1
    }
  }

  /// Evicts from a fixed probationary segment until a newcomer fits in.
  @inlinable @inline(__always)
  func boundProbation<Lists: RecencyLists & ~Copyable>(
    forNewcomerOf size: Int = 0, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .probationary) + size > quotas[1],
      !lists.lacksVictim(.probationary, host: host)
    {
      lists.evictBack(of: .probationary, host: &host)
      if host.hasRefused { return }
    }
  }

  @inlinable @inline(__always)
  func segmentForNewcomer<Lists: RecencyLists & ~Copyable>(
    _ request: Request, _ lists: borrowing Lists
  ) -> ListID {
    fillsProtected ? lowestWithRoom(for: request, lists) : .probationary
  }

  @inlinable @inline(__always)
  func lowestWithRoom<Lists: RecencyLists & ~Copyable>(
    for request: Request, _ lists: borrowing Lists
  ) -> ListID {
    for segment in protectedShare == nil ? 1...segments : 2...2
    where lists.size(of: ListID(segment)) + request.size <= quotas[Int(segment)] {
      return ListID(segment)
    }
    return .probationary
  }
}

extension ListID {
  /// SLRU's lowest segment.
  @inlinable @inline(__always)
  static var probationary: ListID { .first }
}

extension SLRU {
  /// The values of `probation`.
  public enum Probation: String, CaseIterable, Sendable {
    /// The probationary segment may take the room that the protected one leaves unused.
    case open
    /// The probationary segment holds at most the capacity less the protected segment's limit.
    case fixed
  }

  /// The values of `fill`.
  public enum Fill: String, CaseIterable, Sendable {
    /// Newcomers enter the probationary segment.
    case probation
    /// Newcomers enter the protected segment while it has room.
    case protected
  }
}

extension CachePolicy {
  /// `SLRU`, segmented LRU: the second request protects.
  ///
  /// - Parameters:
  ///   - protected: Share of the capacity that the protected segment may take.
  ///   - segments: This many segments of equal size instead, the remainder in the lowest.
  ///   - probation: With `.fixed`, the probationary segment holds at most what protected leaves.
  ///   - fill: With `.protected`, newcomers enter the protected segment while it has room; with segments=n,
  ///     the lowest segment that has room.
  public static func slru(
    protected: Fraction? = nil, segments: Int? = nil, probation: SLRU.Probation? = nil,
    fill: SLRU.Fill? = nil
  ) -> CachePolicy {
    CachePolicy(
      SLRU.self,
      parameters: [
        "protected": protected, "segments": segments, "probation": probation?.rawValue,
        "fill": fill?.rawValue,
      ])
  }
}
