import Parameters

/// Least-Stale, for the experts of mixture-of-experts models: experts that the current forward pass has not used leave
/// first, those of layers behind it before those of layers ahead.
public struct LeastStale: ReplacementPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "least-stale", summary: "what the forward pass has not used, layers behind it first",
    paper:
      "D. Hoang, A. Jaiswal, M. Samragh, M. Cho, “SpecMD: a comprehensive study on speculative "
      + "expert prefetching”, ICML 2026 (arXiv 2602.03921); LeastStalePolicy in tinyserve "
      + "(e1n00r/tinyserve, commit b58b807a) and LeastStaleExpertCache of rnb-moe-cache-sim.",
    idea:
      "A forward pass uses the layers of a model in their order, and each layer once. So an expert "
      + "that was used a moment ago waits a whole pass for its next use, and what recency says is wrong: "
      + "experts that an earlier pass used are stale, and of them those whose layer is behind are needed "
      + "last.",
    hit:
      "The expert becomes current, and the most recent of its layer. With order=fifo only its first "
      + "request in a pass moves it, to the most recent end of all.",
    miss:
      "Room is made, and the expert enters as current and as the most recent of its layer, or of all.",
    eviction:
      "With order=layers the first of these that exists: a stale expert of the lowest layer behind "
      + "the current one; a stale one of the highest layer, down to the current one; a current one of the "
      + "lowest layer behind; a current one of the highest layer. Within a layer the least recently used. "
      + "With order=fifo the stale expert whose pass, and place in it, is the oldest; without one, the "
      + "current expert that was used first.",
    complexity:
      "O(1) per request, and O(layers) per eviction with order=layers. Memory does not include "
      + "the lists: 24 bytes for each layer.",
    differences:
      "The paper is known here by descriptions and by the two programs: order=fifo is tinyserve's, "
      + "order=layers that of rnb-moe-cache-sim, which also makes all experts of a layer's group current "
      + "before it loads the first. A layer is the class of a request (trace format moe), numbered by "
      + "first appearance: a trace begins with a pass. A pass begins where a request's layer is lower than "
      + "that of the request before it, so a trace of one layer is one pass. With order=fifo, and each expert "
      + "used once in a pass, it is LRU. Decided here: an object that is requested in another "
      + "class belongs to that; classes from the 65535th on count as one.",
    parameters: [
      Parameter(
        "order", .choice(["layers", "fifo"]), default: .text("layers"),
        help: "which of the stale leave first")
    ],
    bytesPerSlot: 14, isReinterpretation: true)

  /// List n + 1 holds the experts of layer n; with order=fifo the first list holds all. Within a list each was requested
  /// later than those behind it, so that the stale ones are at the back.
  @usableFromInline var lists: SlotLists<UInt16>
  /// The pass of each resident's latest request.
  @usableFromInline var passes: SlotArray<UInt32>
  @usableFromInline var pass: UInt32 = 0
  /// The layer of the latest request.
  @usableFromInline var layer = 0
  @usableFromInline let ordersLayers: Bool

  @inlinable static var mostLayers: Int { Int(UInt16.max) - 1 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
    passes = SlotArray(repeating: 0, slots: configuration.slots)
    ordersLayers = configuration.arguments.text("order") == "layers"
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    lists.visitState(&state)
    passes.visitState(&state)
    state.visit(&pass)
    state.visit(&layer)
  }

  /// The layers, which are classes.
  @inlinable
  public static var needs: RequestNeeds { .requestClass }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { lists.owner(of: slot) != .none }

  /// Prefetches the slot's links and owner.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { lists.prefetch(slot) }

  /// The object becomes current.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    begin(request)
    let isCurrent = passes[request.slot] == pass
    passes[request.slot] = pass
    let list = list
    let owner = lists.owner(of: request.slot)
    if owner != list {
      lists.move(request.slot, from: owner, toFrontOf: list, size: 1)
    } else if ordersLayers || !isCurrent {
      lists.moveToFront(request.slot, of: list)
    }
  }

  /// Makes room, and adds the object to its layer.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    begin(request)
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    passes[request.slot] = pass
    lists.prepend(request.slot, to: list, size: 1)
    return true
  }

  /// Evicts a stale object, or without one a current one.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    guard let victim = first(isStale: true) ?? first(isStale: false) else {
      preconditionFailure("there is nothing to evict")
    }
    if !host.mayEvict(victim) { return }
    lists.remove(victim, from: lists.owner(of: victim), size: 1)
    host.didEvictAndForget(victim)
  }

  /// Takes the slot out if it is resident, and forgets it.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !contains(slot) { return }
    lists.remove(slot, from: lists.owner(of: slot), size: 1)
    host.didForget(slot)
  }

  /// Empties the lists.
  @inlinable
  public mutating func removeAll() { lists.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    lists.reserve(slots: slots)
    passes.reserve(slots: slots)
  }

  /// The list of the latest request's layer.
  @inlinable @inline(__always)
  var list: SlotLists<UInt16>.ID { id(ordersLayers ? layer : 0) }

  /// Follows the pass to the layer of a request.
  @inlinable @inline(__always)
  mutating func begin(_ request: Request) {
    let next = min(Int(request.requestClass), LeastStale.mostLayers)
    if next < layer { pass &+= 1 }
    layer = next
    if ordersLayers && layer >= lists.count {
      lists.addLists(upTo: min(2 * layer, LeastStale.mostLayers) + 1)
    }
  }

  /// The least recent object of the first layer that has one: from the lowest to the last behind the current one, then
  /// from the highest down.
  @inlinable
  func first(isStale: Bool) -> Slot? {
    let behind = min(layer, lists.count)
    for place in 0..<lists.count {
      let layer = place < behind ? place : lists.count - 1 - (place - behind)
      if let slot = lists.back(of: id(layer)), !isStale || passes[slot] != pass { return slot }
    }
    return nil
  }

  @inlinable @inline(__always)
  func id(_ layer: Int) -> SlotLists<UInt16>.ID {
    SlotLists<UInt16>.ID(UInt16(truncatingIfNeeded: layer &+ 1))
  }
}
