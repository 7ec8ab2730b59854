import Parameters

/// LRU that moves an object only at some of its hits, drawn at random.
public typealias LRUProb = ListedPolicy<SeldomMovingRules, SlotLists<UInt8>>

/// The rules of ``LRUProb``: one list; its back leaves next.
public struct SeldomMovingRules: BitwiseCopyable, ListRules {
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

  @usableFromInline var generator: SplitMix64
  @usableFromInline let probability: Fraction

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    generator = SplitMix64(seed: configuration.seed)
    probability = configuration.arguments.fraction("probability")
  }

  /// Draws, and moves the object.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    if drawsMove() {
      lists.moveToFront(request.slot, of: .first)
    }
  }

  /// Always: a newcomer replaces the least recent.
  @inlinable @inline(__always)
  public func steady<Lists: RecencyLists & ~Copyable>(_ lists: borrowing Lists) -> SteadyLists? {
    SteadyLists(hits: .first, misses: .first)
  }

  /// Draws for each request, and takes the draw of a miss back.
  @inlinable @inline(__always)
  public mutating func steadyRequest<Lists: RecencyLists & ~Copyable>(
    of slot: Slot, in steady: SteadyLists, lists: inout Lists
  ) -> Int? {
    let missed = lists.owner(of: slot) == .none
    let before = generator
    let moves = drawsMove()
    generator = missed ? before : generator
    lists.moveToFront(
      slot, of: .first, moved: moves && !missed ? 1 : 0, orReplaceBackIf: missed ? 1 : 0)
    return missed ? 1 : 0
  }

  @inlinable @inline(__always)
  mutating func drawsMove() -> Bool {
    generator.index(below: probability.denominator) < probability.numerator
  }
}
