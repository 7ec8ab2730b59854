import Parameters

/// Belady's MIN: evicts what is used again farthest in the future. No policy hits more often where
/// every object counts one.
public struct OPT: GhostlessPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "opt", summary: "the optimum: evicts what is used farthest in the future (Belady's MIN)",
    paper: "L. A. Belady, “A study of replacement algorithms for a virtual-storage "
      + "computer”, IBM Systems Journal 5(2), 1966. Optimal: R. L. Mattson, J. Gecsei, "
      + "D. R. Slutz, I. L. Traiger, “Evaluation techniques for storage hierarchies”, IBM "
      + "Systems Journal 9(2), 1970.",
    idea: "Knows the whole trace. Whatever any cache of this size could hit, it hits: the "
      + "distance to it is what a better policy could still gain. With objects of different "
      + "sizes it is only a heuristic; evict bounds says how far the optimum can be.",
    hit: "The object takes the place of its next use.",
    miss: "Room is made, and the object enters, even if it is never used again; with "
      + "bypass=true it is refused when no resident is used later than it.",
    eviction: "The resident whose next use is farthest. One that is never used again is "
      + "infinitely far; among several, the least recently used leaves.",
    complexity: "O(log₆₄ requests) per request: residents stand at their next uses in a tree "
      + "of bitmaps. Beside the bytes per slot it takes 4.1 bytes per request.",
    differences:
      "A use is a request that counts: where a removal, a set that is not counted or a request "
      + "of the warm-up comes first, nothing is gained by keeping the object, and it counts as "
      + "never used again. libCacheSim's Belady (test of commit 0379a0199) does not bypass; with "
      + "bypass=true come out the figures of Caffeine's simulator that true-lru quotes (commit "
      + "365d56357).",
    parameters: [
      Parameter(
        "bypass", .flag, default: .flag(false),
        help: "a newcomer that is used farthest in the future is refused")
    ],
    bytesPerSlot: 4, isBound: true, miniatureError: 0,
    baselines: [.optimum: "opt", .bypassingOptimum: "opt:bypass=true"],
    mayRefuse: { $0.flag("bypass") })

  /// The number of each request, and of the next for its key.
  @inlinable public static var needs: RequestNeeds { .nextUse }

  @usableFromInline var residents: NextUseOrder
  @usableFromInline let bypasses: Bool

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    residents = NextUseOrder(slots: configuration.slots)
    bypasses = configuration.arguments.flag("bypass")
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's place.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// Moves the object to its next use.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    residents.remove(request.slot)
    residents.insert(request)
  }

  /// Makes room and enters the object at its next use, or refuses it if that is farthest.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    while !host.hasRoom(for: request) {
      if bypasses && isFarthest(request) { return refuse(request, host: &host) }
      evict(for: request, host: &host)
      if host.hasRefused { return refuse(request, host: &host) }
    }
    residents.insert(request)
    return true
  }

  /// Chooses the resident that is used farthest in the future.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = residents.farthest else { preconditionFailure("there is nothing to evict") }
    return victim
  }

  /// Takes the slot out of the residents.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Empties the residents.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }

  /// Returns true if no resident is used later than the newcomer.
  @inlinable
  func isFarthest(_ newcomer: Request) -> Bool {
    guard let farthest = residents.farthest else { return false }
    return newcomer.nextUse >= residents.nextUse(of: farthest)
  }
}
