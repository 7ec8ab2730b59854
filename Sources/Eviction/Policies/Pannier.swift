import Parameters

/// Pannier: objects that came together share a container, and whole containers are evicted.
///
/// Not a `PinnablePolicy`: a container leaves as a whole.
public struct Pannier: ReplacementPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "pannier", summary: "evicts whole containers of objects that were inserted together",
    paper:
      "C. Li, P. Shilane, F. Douglis and G. Wallace, “Pannier: a container-based flash cache for "
      + "compound objects”, Middleware 2015; “Pannier: design and analysis of …”, ACM "
      + "Transactions on Storage 13(3), 2017.",
    idea:
      "Flash wears out by small overwrites, so a flash cache writes and erases large containers. A "
      + "container holds objects that are requested often beside others that are not, or that are "
      + "no longer valid; so containers are ranked by how often their objects were requested, "
      + "not by who was requested last.",
    hit:
      "An access of the object's container. A container of the cold or the survival queue that has "
      + "`accesses` accesses for each object that was put into it moves to the most recent end of "
      + "the hot queue; any other moves to the most recent end of its own queue, except for a "
      + "surviving one, which has its place by its rank. While the hot queue exceeds its share, "
      + "its least recent container moves to the most recent end of the cold queue, with no "
      + "accesses.",
    miss: "Room is made, and the object enters the open container; a full one is closed and enters "
      + "the most recent end of the cold queue.",
    eviction: "The least recent containers of the cold queue move to the survival queue until that "
      + "holds its share, but at least one. Of the surviving containers the one with the fewest "
      + "accesses per object that was put into it is emptied, oldest object first; among equals "
      + "the one that came first to the queue. Without any, the least recent hot container, or "
      + "else the open one.",
    ghosts: "None.",
    complexity: "O(1) for a hit, but O(log containers) in the survival queue; O(1) amortised for a "
      + "miss. About 70 bytes per container beside the slots.",
    differences:
      "The paper's policy, a segmented queue by access counts (S2LRU*) before a survival "
      + "queue, is known here by its published description only. Decided here: the sizes and rules "
      + "above; an object that was removed still counts as one that was put into its container, so "
      + "that invalid objects make a container less valuable; a container without objects is gone; "
      + "no object is copied from a container that is emptied; the paper's control of "
      + "wear by refusing writes is left out. A container never holds more than its share, except "
      + "for a single larger object, or an object that grew.",
    parameters: [
      Parameter(
        "container", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 100)),
        help: "share of the capacity that a container takes, at least one unit"),
      Parameter(
        "hot", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 10)),
        help: "share of the capacity that the hot queue may take"),
      Parameter(
        "survival", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 10)),
        help: "share of the capacity that the survival queue takes while something is evicted"),
      Parameter(
        "accesses", .integer(in: 1...1_000_000), default: .integer(1),
        help: "accesses per object that make a container hot"),
    ],
    bytesPerSlot: 12, isReinterpretation: true)

  @usableFromInline var containers: Containers
  @usableFromInline let share: Fraction
  @usableFromInline let hotShare: Fraction
  @usableFromInline let survivalShare: Fraction
  @usableFromInline let accesses: Int
  @usableFromInline var quota = 0
  @usableFromInline var hotQuota = 0
  @usableFromInline var survivalQuota = 0

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    let arguments = configuration.arguments
    containers = Containers(slots: configuration.slots)
    share = arguments.fraction("container")
    hotShare = arguments.fraction("hot")
    survivalShare = arguments.fraction("survival")
    accesses = arguments.integer("accesses")
    setQuotas(for: configuration.capacity)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    containers.visitState(&state)
    state.visit(&quota)
    state.visit(&hotQuota)
    state.visit(&survivalQuota)
  }

  @usableFromInline
  mutating func setQuotas(for capacity: Int) {
    quota = max(1, share.floor(of: capacity))
    hotQuota = hotShare.floor(of: capacity)
    survivalQuota = survivalShare.floor(of: capacity)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { containers.contains(slot) }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { containers.prefetch(slot) }

  /// Counts an access of the container, which may make it hot.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    let container = containers.access(request.slot)
    let queue = containers.queue(of: container)
    if queue == .hot {
      containers.move(container, to: .hot)
    } else if queue != .none {
      touchCold(container, in: queue)
    }
  }

  /// Makes room, and puts the object into the open container.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    if containers.openSize + request.size > quota { containers.close() }
    containers.put(request.slot, size: request.size)
    if containers.openSize >= quota { containers.close() }
    return true
  }

  /// Empties the container of the lowest rank, as far as the host lets its objects go.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    while let candidate = containers.leastRecent(of: .cold),
      containers.size(of: .survival) < survivalQuota || containers.isEmpty(.survival)
    {
      containers.move(candidate, to: .survival)
    }
    let victim =
      containers.lowestSurvivor ?? containers.leastRecent(of: .hot) ?? containers.open
    while let slot = containers.oldest(in: victim) {
      if !host.mayEvict(slot) { return }
      containers.takeOut(slot, size: host.size(of: slot))
      host.didEvictAndForget(slot)
    }
  }

  /// Takes the slot out of its container.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !containers.contains(slot) { return }
    containers.takeOut(slot, size: host.size(of: slot))
    host.didForget(slot)
  }

  /// Forgets every slot and container.
  @inlinable
  public mutating func removeAll() { containers.removeAll() }

  /// Fits the hot queue to the new capacity; containers that are closed keep their sizes.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    setQuotas(for: capacity)
    demote()
  }

  /// Corrects the sums of the slot's container and queue.
  @inlinable
  public mutating func changeSize(of slot: Slot, by difference: Int) {
    containers.changeSize(of: slot, by: difference)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { containers.reserve(slots: slots) }

  @inlinable
  mutating func touchCold(_ container: Slot, in queue: SlotLists<UInt8>.ID) {
    if containers.accesses(of: container) >= accesses * containers.objects(of: container) {
      containers.move(container, to: .hot)
      demote()
    } else if queue == .cold {
      containers.move(container, to: .cold)
    } else {
      containers.rankAgain(container)
    }
  }

  @inlinable
  mutating func demote() {
    while containers.size(of: .hot) > hotQuota, let demoted = containers.leastRecent(of: .hot) {
      containers.move(demoted, to: .cold)
      containers.resetAccesses(of: demoted)
    }
  }
}
