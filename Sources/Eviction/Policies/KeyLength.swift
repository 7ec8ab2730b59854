import Parameters

/// Evicts by the length of keys, the longest or the shortest first.
public struct KeyLength: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "key-length", summary: "the object with the longest (or shortest) key",
    paper: "None of its own; a test of what the names of keys say about their objects.",
    idea: "Long keys name particulars: the results of a query with many arguments, a page deep in "
      + "a tree. Short ones name general things, which are requested more often. Keys also take "
      + "memory themselves.",
    hit: "The object becomes the most recent of its length.",
    miss: "Room is made, and the object enters.",
    eviction: "The longest key, or with order=shortest the shortest; among equals the least "
      + "recently used. Lengths from 65534 bytes on count as equal.",
    complexity: "O(1) per request. Memory does not include the lists: 24 bytes for each length up "
      + "to twice the longest.",
    differences: "A key's length is that of its bytes in the trace's source; an integer key's in a "
      + "cache is that of its representation.",
    parameters: [
      Parameter(
        "order", .choice(["longest", "shortest"]), default: .text("longest"),
        help: "which keys leave first")
    ],
    bytesPerSlot: 10)

  /// List n + 1 holds the objects whose keys have the length n.
  @usableFromInline var lists: SlotLists<UInt16>
  /// The lengths that some resident's key has.
  @usableFromInline var lengths: IndexBits
  @usableFromInline let evictsShortest: Bool

  @inlinable static var longest: Int { Int(UInt16.max) - 1 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 256, slots: configuration.slots)
    lengths = IndexBits(count: KeyLength.longest + 1)
    evictsShortest = configuration.arguments.text("order") == "shortest"
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    lengths.visitState(&state)
  }

  /// The lengths of keys.
  @inlinable
  public static var needs: RequestNeeds { .keyLength }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// Prefetches the slot's links and owner.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// The object becomes the most recent of its length.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    lists.moveToFront(request.slot, of: lists.owner(of: request.slot))
  }

  /// Makes room, and adds the object to those of its length.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let length = min(max(request.keyLength, 0), KeyLength.longest)
    if length >= lists.count { lists.addLists(upTo: min(2 * length, KeyLength.longest) + 1) }
    if lists.isEmpty(id(length)) { lengths.insert(length) }
    lists.prepend(request.slot, to: id(length), size: 1)
    return true
  }

  /// Evicts the least recently used object among those with the longest or shortest key.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let length = lengthOfVictim(host: host)
    guard let victim = lists.unpinnedBack(of: id(length), host: host) else { return }
    if !host.mayEvict(victim) { return }
    takeOut(victim, length: length)
    host.didEvictAndForget(victim)
  }

  /// Takes the slot out if it is resident, and forgets it.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !contains(slot) { return }
    takeOut(slot, length: Int(lists.owner(of: slot).rawValue) - 1)
    host.didForget(slot)
  }

  /// The longest or the shortest length of a key whose object may leave.
  @inlinable @inline(__always)
  func lengthOfVictim(host: borrowing some SlotHost & ~Copyable) -> Int {
    guard let longest = lengths.last else { preconditionFailure("there is nothing to evict") }
    var length = evictsShortest ? 0 : longest
    while lists.lacksVictim(id(length), host: host) {
      length += evictsShortest ? 1 : -1
      precondition((0...longest).contains(length), "there is nothing to evict")
    }
    return length
  }

  @inlinable @inline(__always)
  mutating func takeOut(_ slot: Slot, length: Int) {
    lists.remove(slot, from: id(length), size: 1)
    if lists.isEmpty(id(length)) { lengths.remove(length) }
  }

  /// Empties the lists.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    lengths.removeAll()
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { lists.reserve(slots: slots) }

  @inlinable @inline(__always)
  func id(_ length: Int) -> SlotLists<UInt16>.ID {
    SlotLists<UInt16>.ID(UInt16(truncatingIfNeeded: length &+ 1))
  }
}
