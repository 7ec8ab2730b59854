import Parameters

/// GD-Wheel: GreedyDual for whole costs in constant time, on a hierarchy of wheels of LRU queues.
public struct GDWheel: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "gd-wheel", summary: "GreedyDual on hierarchical cost wheels: recency and miss costs",
    paper: "C. Li and A. L. Cox, “GD-Wheel: a cost-aware replacement policy for key-value "
      + "stores”, EuroSys 2015; GreedyDual: N. Young, “The k-server dual and loose "
      + "competitiveness for paging”, Algorithmica 11(6), 1994.",
    idea: "GreedyDual gives an object the priority L + its cost whenever it is used, L being the "
      + "priority of the last victim. With whole costs the priorities are positions on a wheel of "
      + "LRU queues whose hand stands at L. A second wheel, whose queues are a whole turn of the "
      + "first apart, takes the larger costs, as the hours of a clock do.",
    hit: "The object moves to the head of the queue of its cost, counted from the hand.",
    miss: "Room is made, and the object enters as on a hit: on the highest wheel w (from 0) for "
      + "which its cost / queues^w rounds to 1 or more, that many queues after the wheel's hand.",
    eviction: "The least recent of the next queue that is not empty, from the first wheel's hand "
      + "on. When that hand has made a whole turn, the next wheel's hand advances by one queue (and "
      + "at the end of its own turn, first the hand after it), and the objects of that queue move "
      + "down by what their cost leaves over, the least recent first, each to the head of its "
      + "queue.",
    ghosts: "None.",
    complexity: "O(1) amortised per request: an object moves down once per wheel at most. Memory "
      + "does not include the queues: 24 bytes and 1 bit for each.",
    differences:
      "Sizes do not matter, as in the paper, where each slab class has wheels of its own. Costs"
      + " are rounded to whole numbers from 1 to queues^wheels − 1; give them in a unit that "
      + "suits. Halves round up. An object keeps the cost of the miss that brought it in. At one "
      + "cost this is LRU.",
    parameters: [
      Parameter(
        "wheels", .integer(in: 1...4), default: .integer(2), help: "how many wheels"),
      Parameter(
        "queues", .integer(in: 2...256), default: .integer(256), help: "queues on each wheel"),
    ],
    bytesPerSlot: 14, miniatureError: 0)

  /// List w × queues + q + 1 is queue q of wheel w.
  @usableFromInline var lists: SlotLists<UInt16>
  /// The queues that are not empty, numbered likewise from 0.
  @usableFromInline var occupied: IndexBits
  /// Indexed by slot.
  @usableFromInline var costs: SlotArray<UInt32>
  /// Indexed by wheel: where its hand stands.
  @usableFromInline var hands: [Int]
  /// Indexed by wheel: what one of its queues stands for.
  @usableFromInline let units: [Int]
  @usableFromInline let queues: Int
  /// The cost of the object that was placed last, and where it led: most often the next has the same.
  @usableFromInline var lastCost: UInt32 = 0
  @usableFromInline var lastWheel = 0
  @usableFromInline var lastDistance = 0
  @usableFromInline let largestCost: Double

  /// Creates an empty cache's policy, with every hand at 0.
  public init(_ configuration: PolicyConfiguration) {
    let wheels = configuration.arguments.integer("wheels")
    let queues = configuration.arguments.integer("queues")
    lists = SlotLists(count: wheels * queues)
    occupied = IndexBits(count: wheels * queues)
    costs = SlotArray(repeating: 0)
    hands = [Int](repeating: 0, count: wheels)
    units = (0..<wheels).map { wheel in (0..<wheel).reduce(1) { unit, _ in unit * queues } }
    self.queues = queues
    largestCost = Double(queues * units[wheels - 1] - 1)
    reserve(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    occupied.visitState(&state)
    costs.visitState(&state)
    state.visit(&hands)
    state.visit(&lastCost)
    state.visit(&lastWheel)
    state.visit(&lastDistance)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// Prefetches the slot's links and owner.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// The object's cost counts from the hand anew.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    takeOut(request.slot, size: 1)
    place(request.slot)
  }

  /// Makes room, and puts the object onto the wheel of its cost.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    let cost = request.cost >= 1 ? min(request.cost.rounded(), largestCost) : 1
    costs[request.slot] = UInt32(cost)
    place(request.slot)
    return true
  }

  /// Turns the first wheel to the next queue that is not empty, and chooses its least recent object.
  @inlinable
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    while true {
      var next = occupied.next(from: hands[0])
      while let queue = next, queue < queues {
        if let victim = lists.unpinnedBack(of: id(queue), host: host) {
          if hands[0] != queue { hands[0] = queue }
          return victim
        }
        next = occupied.next(from: queue + 1)
      }
      precondition(occupied.last != nil, "there is nothing to evict")
      hands[0] = 0
      if units.count > 1 { migrate(from: 1) }
    }
  }

  /// Takes the slot off its wheel.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) {
    let list = lists.owner(of: slot)
    lists.remove(slot, size: 1)
    if lists.isEmpty(list) { occupied.remove(Int(list.rawValue) - 1) }
  }

  /// Empties the wheels; the hands stay.
  @inlinable
  public mutating func removeAll() {
    lists.removeAll()
    occupied.removeAll()
  }

  /// Shows the places of the hands, the first wheel's first.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    for (wheel, hand) in hands.enumerated() { show("hand\(wheel)", Double(hand)) }
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    costs.reserve(slots: slots)
  }

  @inlinable @inline(__always)
  func id(_ queue: Int) -> SlotLists<UInt16>.ID {
    SlotLists<UInt16>.ID(UInt16(truncatingIfNeeded: queue &+ 1))
  }

  /// Returns the number of queues of `wheel` that stand for `cost`, to the nearest.
  @inlinable @inline(__always)
  func distance(of cost: Int, on wheel: Int) -> Int {
    (2 * cost + units[wheel]) / (2 * units[wheel])
  }

  /// Puts `slot` onto the highest wheel on which its cost makes a difference.
  @inlinable @inline(__always)
  mutating func place(_ slot: Slot) {
    let cost = costs[slot]
    if cost != lastCost { chooseWheel(for: cost) }
    prepend(slot, distance: lastDistance, on: lastWheel)
  }

  @inlinable @inline(never)
  mutating func chooseWheel(for cost: UInt32) {
    lastCost = cost
    lastWheel = units.count - 1
    while lastWheel > 0 && distance(of: Int(cost), on: lastWheel) == 0 { lastWheel -= 1 }
    lastDistance = distance(of: Int(cost), on: lastWheel)
  }

  /// Puts `slot` at the head of the queue that is `distance` after the hand of `wheel`.
  @inlinable @inline(__always)
  mutating func prepend(_ slot: Slot, distance: Int, on wheel: Int) {
    let turned = distance &+ hands[wheel]
    assert(turned < 2 * queues, "a cost is a whole turn at most")
    let queue = wheel &* queues &+ (turned < queues ? turned : turned &- queues)
    if lists.isEmpty(id(queue)) { occupied.insert(queue) }
    lists.prepend(slot, to: id(queue), size: 1)
  }

  /// Advances the hand of `wheel`, and moves the objects of its queue down to the wheel before.
  @inlinable
  mutating func migrate(from wheel: Int) {
    hands[wheel] = nextPosition(of: wheel)
    if hands[wheel] == 0 && wheel + 1 < units.count { migrate(from: wheel + 1) }
    while let slot = lists.back(of: id(wheel * queues + hands[wheel])) {
      takeOut(slot, size: 1)
      let remainder = Int(costs[slot]) % units[wheel]
      prepend(slot, distance: distance(of: remainder, on: wheel - 1), on: wheel - 1)
    }
  }

  /// Returns the next place of the hand of `wheel`: one queue on, or, while the wheels before it are empty and
  /// its own queues too, as many turns of theirs at once as change nothing.
  @inlinable
  func nextPosition(of wheel: Int) -> Int {
    let next = hands[wheel] + 1
    let first = wheel * queues
    if let lower = occupied.next(from: 0), lower < first { return next % queues }
    guard let found = occupied.next(from: first + next), found < first + queues else { return 0 }
    return found - first
  }
}

extension CachePolicy {
  /// `GDWheel`, GreedyDual on hierarchical cost wheels: recency and miss costs.
  ///
  /// - Parameters:
  ///   - wheels: The number of wheels.
  ///   - queues: Queues on each wheel.
  public static func gdWheel(
    wheels: Int? = nil, queues: Int? = nil
  ) -> CachePolicy {
    CachePolicy(
      GDWheel.self,
      parameters: [
        "wheels": wheels, "queues": queues,
      ])
  }
}
