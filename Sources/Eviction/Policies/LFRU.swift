import Parameters

/// Least frequent recently used: popular objects live in a privileged LRU partition, the others compete
/// by how often they were requested lately.
public typealias LFRU = ListedPolicy<PrivilegedRules, SlotLists<UInt8>>

/// The rules of ``LFRU``. Lists 1 ..< popular have the unprivileged by their counts, list `popular` the privileged.
public struct PrivilegedRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lfru", summary: "LRU for the privileged, approximated LFU for the others",
    paper: "M. Bilal and S.-G. Kang, “A cache management scheme for efficient content eviction and "
      + "replication in cache networks”, IEEE Access 5, 2017; US patent 10819823, 2020.",
    idea:
      "LFU is costly and slow to change where contents change quickly. Counting only up to a small "
      + "number, in the partition where newcomers arrive, finds what is popular; that is protected "
      + "in another partition, under LRU.",
    hit:
      "A privileged object moves to the most recent end of its partition. Any other has its count "
      + "raised by 1; at `popular` it becomes privileged, and while the privileged exceed their share, "
      + "their least recent becomes unprivileged with count 1.",
    miss: "Room is made, and the object enters the unprivileged partition with count 1.",
    eviction: "The lowest count of the unprivileged, among equals the one whose count or partition "
      + "changed least recently; if there is none, the least recent of the privileged.",
    complexity: "O(1) per request; the end of an observation window is O(C), once in `window` × C "
      + "requests.",
    differences: "Known here by its published descriptions. There the requests for an object count "
      + "before it is cached, in a window estimated by Chebyshev's inequality, and decide whether "
      + "it is copied at all (CLCE, the replication scheme) and into which partition; here every "
      + "newcomer enters, unprivileged. Decided here: sizes; counts are small numbers, and what "
      + "makes popular is a fixed count; counts of all unprivileged objects start again at 1 when an "
      + "observation window ends, where higher counts become more recent and equal ones keep "
      + "their order; a window lasts `window` × the residents at its beginning (at least one) "
      + "hits and admissions.",
    parameters: [
      Parameter(
        "privileged", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
        help: "share of the capacity that the privileged partition may take"),
      Parameter(
        "popular", .integer(in: 2...32), default: .integer(3),
        help: "the count that makes an object privileged"),
      Parameter(
        "window", .integer(in: 0...Int(Int32.max)), default: .integer(8),
        help: "requests per resident after which counts start again at 1; 0 for never"),
    ],
    bytesPerSlot: 9, isReinterpretation: true)

  @usableFromInline let popular: UInt8
  @usableFromInline let share: Fraction
  @usableFromInline var quota: Int
  @usableFromInline let window: Int
  /// Requests left of the observation window.
  @usableFromInline var left: Int

  /// A list for each count below `popular`, and that of the privileged.
  @inlinable @inline(__always)
  public var listCount: Int { Int(popular) }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    popular = UInt8(arguments.integer("popular"))
    share = arguments.fraction("privileged")
    quota = share.floor(of: configuration.capacity)
    window = arguments.integer("window")
    left = window
  }

  /// Counts the request; what is popular becomes, or stays, privileged.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list = lists.owner(of: request.slot)
    if list == privileged {
      lists.moveToFront(request.slot, of: list)
    } else {
      let above = ListID(list.rawValue &+ 1)
      lists.move(request.slot, from: list, toFrontOf: above, size: host.size(of: request.slot))
      if above == privileged { demote(lists: &lists, host: &host) }
    }
    observe(lists: &lists, host: &host)
  }

  /// Makes room, and enters the object with count 1.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    lists.prepend(request.slot, to: .first, size: request.size)
    observe(lists: &lists, host: &host)
    return true
  }

  /// Evicts the least recent of the lowest count, or of the privileged.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var list: UInt8 = 1
    while list < popular && lists.lacksVictim(ListID(list), host: host) { list &+= 1 }
    lists.evictBack(of: ListID(list), host: &host)
  }

  /// Fits the privileged partition to the new capacity.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    quota = share.floor(of: capacity)
    demote(lists: &lists, host: &host)
  }

  /// Privileged objects move, and newcomers replace each other, where some object has count 1.
  @inlinable @inline(__always)
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    lists.isEmpty(.first) ? nil : SteadyLists(hits: privileged, misses: .first)
  }

  /// Moves the slot, unless this may be the last request of the observation window.
  @inlinable @inline(__always)
  public mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int? {
    if left == 1 { return nil }
    let missed = lists.steadyRequest(of: slot, in: steady)
    if missed != nil { left &-= 1 }
    return missed
  }

  @inlinable @inline(__always)
  var privileged: ListID { ListID(popular) }

  @inlinable @inline(__always)
  mutating func demote<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: privileged) > quota {
      lists.moveBack(of: privileged, toFrontOf: .first, host: host)
    }
  }

  /// Counts a request of the observation window, which may be its last.
  @inlinable @inline(__always)
  mutating func observe<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    left &-= 1
    if left == 0 { startAgain(lists: &lists, host: &host) }
  }

  /// Ends the observation window: every unprivileged object has count 1.
  @inlinable @inline(never)
  mutating func startAgain<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    var residents = lists.count(of: .first) + lists.count(of: privileged)
    for list in stride(from: 2, to: popular, by: 1) {
      residents += lists.count(of: ListID(list))
      while !lists.isEmpty(ListID(list)) {
        lists.moveBack(of: ListID(list), toFrontOf: .first, host: host)
      }
    }
    left = window * residents
  }
}
