import Eviction

/// LRU that admits an object when it is requested again.
public typealias SecondRequest = ListedPolicy<SecondRequestRules, SlotLists<UInt8>>

/// The rules of `SecondRequest`: list 1 holds the residents, list 2 the ghosts of what was refused.
public struct SecondRequestRules: ListRules, ~Copyable {
  /// The entry in the catalog.
  public static let information = PolicyInformation(
    name: "second-request", summary: "LRU that admits what is requested again", paper: "None.",
    idea: "Most objects are requested once. They pass by, and only their names are remembered.",
    hit: "The object moves to the most recent end.",
    miss: "A ghost leaves its list, and enters at the most recent end when there is room. "
      + "Anything else is refused, and becomes the newest ghost.",
    eviction: "The least recent. It is not remembered.",
    ghosts: "What was refused, at most as large as the capacity, the oldest forgotten first.",
    complexity: "O(1) per request.",
    bytesPerSlot: 9)

  @usableFromInline var limit: Int

  /// An empty cache's rules.
  public init(_ configuration: PolicyConfiguration) { limit = configuration.capacity }

  /// Residents and ghosts.
  public var listCount: Int { 2 }

  /// The first list's slots are in the cache.
  @inlinable @inline(__always)
  public static func isResident(in list: ListID) -> Bool { list == .first }

  /// The object moves to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.moveToFront(request.slot, of: .first)
  }

  /// A ghost enters; another object becomes one.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    let isGhost = lists.owner(of: request.slot) == .ghosts
    guard isGhost, makeRoom(for: request, lists: &lists, host: &host) else {
      _ = lists.refuse(request, to: .ghosts, host: &host)
      boundGhosts(lists: &lists, host: &host)
      return false
    }
    lists.remove(request.slot, from: .ghosts, size: host.size(of: request.slot))
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// The least recent object leaves.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.evictBack(of: .first, host: &host)
  }

  /// Fewer ghosts are remembered in a smaller cache.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    limit = capacity
    boundGhosts(lists: &lists, host: &host)
  }

  @inlinable @inline(__always)
  func boundGhosts<Lists: RecencyLists & ~Copyable>(
    lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while lists.size(of: .ghosts) > limit { lists.forgetBack(of: .ghosts, host: &host) }
  }
}

extension ListID {
  /// What was refused.
  @inlinable @inline(__always)
  static var ghosts: ListID { ListID(2) }
}
