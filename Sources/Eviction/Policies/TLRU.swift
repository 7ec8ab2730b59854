import Parameters

/// Time-aware least recently used: what has expired leaves first, then the least recently used.
public typealias TLRU = ListedPolicy<TimeAwareRules, SlotLists<UInt8>>

/// The rules of ``TLRU``: one list of the residents by their last use.
public struct TimeAwareRules: ListRules, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "tlru", summary: "time-aware LRU: expired objects first, then the least recently used",
    paper: "M. Bilal and S.-G. Kang, “Time aware least recent used (TLRU) cache management policy "
      + "in ICN”, ICACT 2014.",
    idea: "Each object carries a time to use (TTU), set by who published it and adjusted by the "
      + "cache. An object whose time is over is of no use to anybody, however recently it was "
      + "requested, so it makes room before any other.",
    hit: "The object moves to the most recent end; a request that gives it a new expiry, as a "
      + "write does, sets its time to use.",
    miss: "An object that has expired on arrival is not admitted. Otherwise room is made, and the "
      + "object enters at the most recent end.",
    eviction: "While some resident has expired (at the time of the request, or of the last one for "
      + "a trim), the one that expired first, among equals the one whose expiry was set first. "
      + "Otherwise the least recently used.",
    ghosts: "None.",
    complexity: "O(1) for a hit, and O(log C) for objects that expire as they enter and leave.",
    differences: "The paper leaves the local function from the publisher's time to the cache's own "
      + "open; here it is the identity. It takes the victim from a subset of the contents, less "
      + "popular and short-lived ones; here that is what has expired, or else everything: expired objects "
      + "leave as room is needed, until when they are hits, unless a cache, or a run with --expire, removes them earlier. Others "
      + "weigh frequency and age.",
    bytesPerSlot: 33, mayRefuse: { _ in true })

  /// The residents that expire, by the time and the number of expiries set before.
  @usableFromInline var terms: PriorityRun<SlotRank>
  @usableFromInline var termCount = 0
  /// The time of the last request.
  @usableFromInline var now = Int64.min

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    terms = PriorityRun(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    terms.visitState(&state)
    state.visit(&termCount)
    state.visit(&now)
  }

  /// Times, and when objects expire.
  @inlinable
  public static var needs: RequestNeeds { [.time, .expiry] }

  /// The object becomes the most recent.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    now = request.time
    lists.moveToFront(request.slot, of: .first)
    if request.expiry != .max { setTerm(of: request.slot, to: request.expiry) }
  }

  /// Makes room and admits the object, unless its time is over.
  @inlinable @inline(__always)
  public mutating func insert<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    now = request.time
    guard request.expiry > now, makeRoom(for: request, lists: &lists, host: &host) else {
      return refuse(request, lists: lists, host: &host)
    }
    lists.prepend(request.slot, to: .first, size: request.size)
    if request.expiry != .max { setTerm(of: request.slot, to: request.expiry) }
    return true
  }

  /// Evicts what expired first, or else the least recently used.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if terms.count == 0 { return lists.evictBack(of: .first, host: &host) }
    var victim = lists.unpinnedBack(of: .first, host: host)
    if let soonest = terms.firstUnpinned(host: host), terms.priority(of: soonest).rank <= now {
      victim = soonest
    }
    guard let victim else { preconditionFailure("there is nothing to evict") }
    if !host.mayEvict(victim) { return }
    if terms.contains(victim) { terms.remove(victim) }
    lists.remove(victim, from: .first, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// Forgets when the object expires.
  @inlinable
  public mutating func remove(_ slot: Slot, from list: ListID, size: Int) {
    if terms.contains(slot) { terms.remove(slot) }
  }

  /// Forgets when objects expire.
  @inlinable
  public mutating func removeAll() { terms.removeAll() }

  /// Grows the heap.
  @inlinable
  public mutating func reserve(slots: Int) { terms.reserve(slots: slots) }

  /// Notes when the object expires, or that it never does.
  @inlinable
  public mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    if expiry != .max {
      setTerm(of: slot, to: expiry)
    } else if terms.contains(slot) {
      terms.remove(slot)
    }
  }

  @inlinable @inline(__always)
  mutating func setTerm(of slot: Slot, to expiry: Int64) {
    termCount += 1
    let term = SlotRank(Int(expiry), number: termCount)
    if terms.contains(slot) {
      terms.update(slot, priority: term)
    } else {
      terms.insert(slot, priority: term)
    }
  }
}
