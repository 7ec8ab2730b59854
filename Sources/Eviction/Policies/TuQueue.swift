import Parameters

/// TuQueue: 2Q without ghosts, in three LRU lists, hot, warm and cold, as in OpenBSD's buffer cache.
public typealias TuQueue = ListedPolicy<TuQueueRules, SlotLists<UInt8>>

/// The rules of ``TuQueue``: hot, warm and cold, each with its most recent at the front.
public struct TuQueueRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "tuqueue", summary: "OpenBSD's 2Q: hot and warm LRU lists that overflow into a cold one",
    paper: "T. Unangst, “2Q buffer cache algorithm”, flak, tedunangst.com (OpenBSD); "
      + "TuQueuePolicy.java in Caffeine's simulator, commit 0499355.",
    idea: "2Q remembers the names of what left, which costs memory and a second load. Here the "
      + "objects themselves wait in a cold list: those that are requested again there become "
      + "warm, and a scan passes from hot through cold without disturbing them. Warm is an LRU "
      + "list as well, so that an old working set fades away.",
    hit:
      "In hot and warm: the object moves to the most recent end of its list. In cold: it moves to "
      + "the most recent end of warm; while warm is over its limit, its least recent moves to the "
      + "most recent end of cold.",
    miss: "Room is made. While hot with the newcomer is over its limit, its least recent moves to "
      + "the most recent end of cold. The newcomer enters the most recent end of hot, or of cold if "
      + "it is larger than the limit of hot.",
    eviction:
      "The least recent of cold. If cold is empty: that of hot, if hot is over its limit with "
      + "the newcomer; else that of warm; else that of hot.",
    complexity: "O(1) per request, the overflow amortised.",
    differences:
      "As the simulator, to the last hit, where objects count one and both limits together are below "
      + "the capacity. There a newcomer first enters hot, whose least recent moves to cold, and "
      + "then one object leaves: what is evicted here is the same. Decided here, for objects with "
      + "sizes: an object larger than a limit passes through its list, which it leaves empty, and "
      + "ends at the most recent end of cold; and the victim where cold is empty. OpenBSD's "
      + "limits are a third of the memory each, the simulator's 0.33.",
    parameters: [
      Parameter(
        "hot", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(33, 100)),
        help: "the limit of hot, as a share of the capacity"),
      Parameter(
        "warm", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(33, 100)),
        help: "the limit of warm, as a share of the capacity"),
    ],
    bytesPerSlot: 9)

  @usableFromInline let hotShare: Fraction
  @usableFromInline let warmShare: Fraction
  @usableFromInline var hotLimit: Int
  @usableFromInline var warmLimit: Int

  /// Hot, warm, cold.
  public var listCount: Int { 3 }

  /// Creates an empty cache's rules.
  public init(_ configuration: PolicyConfiguration) {
    hotShare = configuration.arguments.fraction("hot")
    warmShare = configuration.arguments.fraction("warm")
    hotLimit = hotShare.floor(of: configuration.capacity)
    warmLimit = warmShare.floor(of: configuration.capacity)
  }

  /// Renews an object of hot or warm; one of cold becomes warm.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    let list = lists.owner(of: request.slot)
    if list != .coldLRU {
      lists.moveToFront(request.slot, of: list)
      return
    }
    lists.move(request.slot, from: .coldLRU, toFrontOf: .warmLRU, size: host.size(of: request.slot))
    cool(.warmLRU, to: warmLimit, lists: &lists, host: host)
  }

  /// Makes room, lets hot overflow, and enters hot.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    cool(.hotLRU, to: hotLimit &- request.size, lists: &lists, host: host)
    let list: ListID = request.size > hotLimit ? .coldLRU : .hotLRU
    lists.prepend(request.slot, to: list, size: request.size)
    return true
  }

  /// Evicts the least recent of cold, or what would be there with the newcomer in hot, or of warm.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if !lists.lacksVictim(.coldLRU, host: host) {
      lists.evictBack(of: .coldLRU, host: &host)
      return
    }
    let isHotOver = lists.size(of: .hotLRU) &+ (request?.size ?? 0) > hotLimit
    let takesHot = isHotOver && !lists.lacksVictim(.hotLRU, host: host)
    if takesHot || lists.lacksVictim(.warmLRU, host: host) {
      lists.evictBack(of: .hotLRU, host: &host)
    } else {
      lists.evictBack(of: .warmLRU, host: &host)
    }
  }

  /// Recomputes the limits; hot overflows first, then warm.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    hotLimit = hotShare.floor(of: capacity)
    warmLimit = warmShare.floor(of: capacity)
    cool(.hotLRU, to: hotLimit, lists: &lists, host: host)
    cool(.warmLRU, to: warmLimit, lists: &lists, host: host)
  }

  /// Moves the least recent of `list` to the front of cold while it is over its limit.
  @inlinable @inline(__always)
  func cool<Lists: RecencyLists & ~Copyable>(
    _ list: ListID, to limit: Int, lists: inout Lists, host: borrowing some SlotHost & ~Copyable
  ) {
    while lists.size(of: list) > limit && !lists.isEmpty(list) {
      lists.moveBack(of: list, toFrontOf: .coldLRU, host: host)
    }
  }
}

extension ListID {
  /// TuQueue's list of newcomers.
  @inlinable @inline(__always)
  static var hotLRU: ListID { ListID(1) }
  /// TuQueue's list of what was requested in cold.
  @inlinable @inline(__always)
  static var warmLRU: ListID { ListID(2) }
  /// TuQueue's list that evicts.
  @inlinable @inline(__always)
  static var coldLRU: ListID { ListID(3) }
}
