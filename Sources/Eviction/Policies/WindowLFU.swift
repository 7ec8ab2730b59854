import Parameters

/// Window-LFU: the frequency is the number of requests among the last W.
public struct WindowLFU: PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "window-lfu", summary: "LFU over the last W requests, residents or not",
    paper: "G. Karakostas and D. N. Serpanos, “Exploitation of different types of locality for Web "
      + "caches”, ISCC 2002; D. N. Serpanos and G. Karakostas, “Practical LFU implementation for "
      + "Web caching”, Princeton TR-622-00, 2000.",
    idea: "LFU needs the counts of everything ever requested to be right, and never forgets them. "
      + "Counting only the last W requests costs little, and follows the workload.",
    hit: "The request enters the window, and the oldest one leaves it.",
    miss:
      "The same; then room is made, and the object enters with the frequency that it has in the "
      + "window, requests before its stay included.",
    eviction:
      "The fewest requests in the window, which may be none; among equals the least recently "
      + "used.",
    ghosts:
      "Every object with a request in the window, so at most W; with `ghosts` the oldest-evicted "
      + "are forgotten beyond that, and their requests no longer count.",
    complexity:
      "O(1) for a hit, amortised O(log C) otherwise; the window takes 8 bytes per request "
      + "beside the slots.",
    differences:
      "The papers estimate the W that comes close to LFU's hit ratio; 10 C is this project's. "
      + "They speak of the last W requests; where objects have sizes, it is the last requests "
      + "whose objects take W together, an empty one counted as one unit. The requests of a removed key count no more, but keep "
      + "their places.",
    parameters: [
      Parameter(
        "window", .fraction(in: Fraction(1)...Fraction(10_000)), default: .fraction(Fraction(10)),
        help: "W as a multiple of the capacity"),
      Parameter(
        "ghosts", .fraction(in: Fraction(0)...Fraction(10_000)), default: nil,
        help: "objects remembered after their eviction, as a multiple of the capacity; all in the "
          + "window if not given"),
    ],
    bytesPerSlot: 213, miniatureError: 0)

  @usableFromInline var window: RequestWindow
  /// The residents. A rank is that of now, or an earlier and lower one: requests only raise it, so it is
  /// looked at again when the slot comes up as a victim.
  @usableFromInline var residents: PriorityRun<SlotRank>
  /// Evicted slots with requests in the window, the most recently evicted at the front.
  @usableFromInline var ghosts: SlotLists<UInt8>
  @usableFromInline let windowShare: Fraction
  @usableFromInline let ghostShare: Fraction?
  @usableFromInline var ghostLimit: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let slots = configuration.slots
    windowShare = configuration.arguments.fraction("window")
    ghostShare = configuration.arguments.ghosts
    ghostLimit = ghostShare?.floor(of: configuration.capacity) ?? .max
    window = RequestWindow(
      slots: slots, limit: windowShare.floor(of: configuration.capacity),
      isSized: configuration.isSized)
    residents = PriorityRun(slots: slots)
    ghosts = SlotLists(count: 1, slots: slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    window.visitState(&state)
    residents.visitState(&state)
    ghosts.visitState(&state)
    state.visit(&ghostLimit)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    residents.prefetch(slot)
    window.prefetch(slot)
  }

  /// Moves the window on.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    window.add(request.slot, size: host.size(of: request.slot))
    slide(host: &host)
  }

  /// Moves the window on, makes room, and enters the object with its frequency.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    window.add(request.slot, size: request.size)
    slide(host: &host)
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if ghosts.owner(of: request.slot) != .none {
      ghosts.remove(request.slot, size: host.size(of: request.slot))
    }
    residents.insert(request.slot, priority: rank(of: request.slot))
    window.setFloor(of: request.slot, to: window.count(of: request.slot))
    boundGhosts(host: &host)
    return true
  }

  /// Refuses the newcomer; a ghost stays one, and its request counts.
  @inlinable
  public mutating func refuse(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if ghosts.owner(of: request.slot) == .none {
      window.forget(request.slot)
      host.didForget(request.slot)
    }
    boundGhosts(host: &host)
    return false
  }

  /// Evicts the object with the fewest requests in the window.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let victim = leastFrequent(host: host)
    if !host.mayEvict(victim) { return }
    residents.remove(victim)
    host.didEvict(victim)
    if window.count(of: victim) == 0 {
      host.didForget(victim)
    } else {
      window.setFloor(of: victim, to: 1)
      ghosts.prepend(victim, to: .first, size: host.size(of: victim))
    }
    if request == nil { boundGhosts(host: &host) }
  }

  /// Forgets the slot and its requests.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if residents.contains(slot) {
      residents.remove(slot)
    } else if ghosts.owner(of: slot) != .none {
      ghosts.remove(slot, size: host.size(of: slot))
    } else {
      return
    }
    window.forget(slot)
    host.didForget(slot)
  }

  /// Forgets every slot and request.
  @inlinable
  public mutating func removeAll() {
    window.removeAll()
    residents.removeAll()
    ghosts.removeAll()
  }

  /// Fits the window and the ghosts to the new capacity.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    window.limit = windowShare.floor(of: capacity)
    ghostLimit = ghostShare?.floor(of: capacity) ?? .max
    slide(host: &host)
    boundGhosts(host: &host)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    window.reserve(slots: slots)
    residents.reserve(slots: slots)
    ghosts.reserve(slots: slots)
  }

  @inlinable @inline(__always)
  func rank(of slot: Slot) -> SlotRank {
    SlotRank(window.count(of: slot), number: window.lastUse(of: slot))
  }

  /// Drops what the window can no longer hold.
  @inlinable @inline(__always)
  mutating func slide(host: inout some SlotHost & ~Copyable) {
    while window.isOver {
      guard let slot = window.dropOldest() else { continue }
      if residents.contains(slot) {
        residents.update(slot, priority: rank(of: slot))
      } else if ghosts.owner(of: slot) != .none {
        ghosts.forget(slot, host: &host)
      }
    }
  }

  /// The resident of the lowest rank, once its rank is that of now.
  @inlinable
  mutating func leastFrequent(host: borrowing some SlotHost & ~Copyable) -> Slot {
    while true {
      guard let slot = residents.firstUnpinned(host: host) else {
        preconditionFailure("there is nothing to evict")
      }
      let current = rank(of: slot)
      if !(residents.priority(of: slot) < current) { return slot }
      residents.update(slot, priority: current)
      window.setFloor(of: slot, to: current.rank)
    }
  }

  @inlinable
  mutating func boundGhosts(host: inout some SlotHost & ~Copyable) {
    while ghosts.size(of: .first) > ghostLimit {
      let ghost = ghosts.removeBack(of: .first, host: host)
      window.forget(ghost)
      host.didForget(ghost)
    }
  }
}
