import Parameters

/// LRU that moves an object only at some of its hits, drawn at random.
public struct LRUProb: ListPolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lru-prob", summary: "LRU that moves an object at a hit only with some probability",
    paper: "No paper: LRU_Prob of libCacheSim 0.3.5, which the SIEVE and S3-FIFO authors use as "
      + "a baseline.",
    idea: "A hit that moves nothing takes no lock. What is requested often is moved soon enough.",
    hit: "With the given probability the object moves to the most recent end; else nothing.",
    miss: "Room is made, and the object enters at the most recent end.",
    eviction: "The least recent end.",
    complexity: "O(1) per request, and a draw for each hit.",
    differences: "libCacheSim 0.3.5 draws with "
      + "probability 1/⌊1/prob⌋ from its own generator: the same for 0.5, and other hits.",
    parameters: [
      Parameter(
        "probability", .fraction(in: Fraction(0)...Fraction(1)),
        default: .fraction(Fraction(5, 10)), help: "probability that a hit moves its object")
    ],
    bytesPerSlot: 9, miniatureError: 0)

  /// One list; its back leaves next.
  public var lists: SlotLists<UInt8>
  @usableFromInline var generator: SplitMix64
  @usableFromInline let probability: Fraction

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
    probability = configuration.arguments.fraction("probability")
  }

  /// Draws, and moves the object.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if generator.index(below: probability.denominator) < probability.numerator {
      lists.moveToFront(request.slot, of: .first)
    }
  }

  /// Makes room, and enters the object at the most recent end.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  /// Evicts the least recent end.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    lists.evictBack(of: .first, host: &host)
  }
}

extension CachePolicy {
  /// `LRUProb`: LRU that moves an object at a hit only with some probability.
  ///
  /// - Parameter probability: Probability that a hit moves its object.
  public static func lruProb(probability: Fraction? = nil) -> CachePolicy {
    CachePolicy(LRUProb.self, parameters: ["probability": probability])
  }
}
