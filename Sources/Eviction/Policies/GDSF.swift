import Parameters

/// GreedyDual-Size-Frequency: evicts what was requested seldom, is large, and is cheap to fetch again.
public struct GDSF: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "gdsf", summary: "GreedyDual-Size-Frequency: requests × cost / size, with aging",
    paper: "L. Cherkasova, “Improving WWW proxies performance with Greedy-Dual-Size-Frequency "
      + "caching policy”, HP Laboratories HPL-98-69R1, 1998; without frequencies: P. Cao and S. "
      + "Irani, “Cost-aware WWW proxy caching algorithms”, USITS 1997.",
    idea: "What an object is worth is what a byte of it saves: its requests during this stay × "
      + "the cost of a miss / its size. L, the worth of the last victim, is added when an object "
      + "is used, so that what was popular long ago loses against what is used now.",
    hit: "Its requests + 1; its priority becomes L + requests × cost / size.",
    miss: "Room is made, and the object enters with one request and the priority L + cost / size.",
    eviction: "The lowest priority, which becomes L; among equals the least recently used. L rises "
      + "to it even when the host keeps the victim.",
    ghosts: "None, as the requests are forgotten at eviction.",
    complexity: "O(1) amortised per request: a radix heap, in which an object moves down at most "
      + "ten times after each request for it.",
    differences:
      "The worth is multiplied by 10⁶, as in libCacheSim (commit 0379a0199), whose hits come "
      + "out exactly with order=insert-first; the factor changes nothing but roundings. L and "
      + "priorities are IEEE doubles. An empty object counts one size unit. An object keeps the cost of the miss that brought it in; "
      + "order=insert-first lets the newcomer enter before room is made, with the L of before and"
      + " possibly as its own victim. At one size and cost this is LFU with dynamic aging.",
    parameters: [
      Parameter(
        "objective", .choice(["cost", "hits", "bytes"]), default: .text("cost"),
        help: "what a hit saves: the request's cost (1 where the trace has none), 1, or its bytes"),
      Parameter(
        "frequency", .flag, default: .flag(true),
        help: "false: an object counts one request, which is GreedyDual-Size"),
      Parameter(
        "order", .choice(["evict-first", "insert-first"]), default: .text("evict-first"),
        help: "insert-first: the newcomer enters before room is made, and may be the victim"),
    ],
    bytesPerSlot: 32, miniatureError: 0, mayRefuse: { $0.text("order") == "insert-first" })

  /// The record of a resident.
  @usableFromInline
  struct Record: BitwiseCopyable {
    @usableFromInline var cost: Double
    @usableFromInline var requests: Double

    @inlinable @inline(__always)
    init(cost: Double, requests: Double) {
      self.cost = cost
      self.requests = requests
    }

    /// Of a slot that is not resident.
    @inlinable @inline(__always)
    static var absent: Record { Record(cost: 0, requests: 0) }
  }

  /// The gain of a hit: the values of `objective`.
  public enum Objective: String, CaseIterable, Sendable {
    /// The request's cost, 1 where the trace has none.
    case cost
    /// One hit.
    case hits
    /// The object's bytes.
    case bytes
  }

  /// The residents by priority: the bits of a double that is not negative have its order.
  @usableFromInline var queue: PriorityWheel
  /// Indexed by slot.
  @usableFromInline var records: SlotArray<Record>
  /// L.
  @usableFromInline var inflation = 0.0
  @usableFromInline let objective: Objective
  @usableFromInline let countsRequests: Bool
  @usableFromInline let insertsFirst: Bool

  /// Creates an empty cache's policy, with L = 0.
  public init(_ configuration: PolicyConfiguration) {
    queue = PriorityWheel(slots: configuration.slots)
    records = SlotArray(repeating: .absent, slots: configuration.slots)
    objective =
      switch configuration.arguments.text("objective") {
      case "hits": .hits
      case "bytes": .bytes
      default: .cost
      }
    countsRequests = configuration.arguments.flag("frequency")
    insertsFirst = configuration.arguments.text("order") == "insert-first"
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    queue.visitState(&state)
    records.visitState(&state)
    state.visit(&inflation)
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { records[slot].requests != 0 }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) {
    queue.prefetch(slot)
    records.prefetch(slot)
  }

  /// Counts the request, and adds L to the object's worth.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if countsRequests { records[request.slot].requests += 1 }
    let size = host.size(of: request.slot)
    queue.update(request.slot, priority: priority(of: request.slot, size: size))
  }

  /// Makes room, and starts counting.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    if insertsFirst { return insertFirst(request, host: &host) }
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    enter(request)
    return true
  }

  /// Chooses the object of the lowest priority, which becomes L.
  @inlinable @inline(__always)
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = queue.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    inflation = Double(bitPattern: queue.priority(of: victim))
    return victim
  }

  /// Forgets the object's priority and requests.
  @inlinable @inline(__always)
  public mutating func takeOut(_ slot: Slot, size: Int) {
    queue.remove(slot)
    records[slot] = .absent
  }

  /// Forgets every slot; L stays.
  @inlinable
  public mutating func removeAll() {
    queue.removeAll()
    records.removeAll()
  }

  /// L, the priority of the last victim.
  public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("l", inflation)
  }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) {
    queue.reserve(slots: slots)
    records.reserve(slots: slots)
  }

  @inlinable @inline(__always)
  mutating func enter(_ request: Request) {
    let cost = objective == .cost ? request.boundedCost : 1
    records[request.slot] = Record(cost: cost, requests: 1)
    queue.insert(request.slot, priority: priority(of: request.slot, size: request.size))
  }

  /// Starts counting, and makes room; refuses the newcomer if its own priority is the lowest.
  @inlinable
  mutating func insertFirst(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    enter(request)
    while !host.hasRoom(for: request) {
      if victim(host: host) != request.slot {
        evict(for: request, host: &host)
        if !host.hasRefused { continue }
      }
      takeOut(request.slot, size: request.size)
      return refuse(request, host: &host)
    }
    return true
  }

  /// L + requests × cost × 10⁶ / size.
  @inlinable @inline(__always)
  func priority(of slot: Slot, size: Int) -> UInt64 {
    let record = records[slot]
    let saved = record.requests * record.cost * 1e6
    let worth = objective == .bytes ? saved : saved / Double(max(size, 1))
    return (inflation + worth).bitPattern
  }
}

extension GDSF {
  /// The values of `order`.
  public enum Order: String, CaseIterable, Sendable {
    /// Room is made before the newcomer enters.
    case evictFirst = "evict-first"
    /// The newcomer enters before room is made, and may be the victim.
    case insertFirst = "insert-first"
  }
}

extension CachePolicy {
  /// `GDSF`, GreedyDual-Size-Frequency: requests × cost / size, with aging.
  ///
  /// - Parameters:
  ///   - objective: The gain of a hit: the request's cost (1 where the trace has none), 1, or its bytes.
  ///   - frequency: False: an object counts one request, which is GreedyDual-Size.
  ///   - order: With `.insertFirst`, the newcomer enters before room is made, and may be the victim.
  public static func gdsf(
    objective: GDSF.Objective? = nil, frequency: Bool? = nil, order: GDSF.Order? = nil
  ) -> CachePolicy {
    CachePolicy(
      GDSF.self,
      parameters: [
        "objective": objective?.rawValue, "frequency": frequency, "order": order?.rawValue,
      ])
  }
}
