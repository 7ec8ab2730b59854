import Parameters

/// An LRU in memory before a FIFO queue on flash, which only some of its victims enter, drawn at random.
public typealias FlashProb = ListedPolicy<FlashRules, SlotLists<UInt8>>

/// The rules of ``FlashProb``: memory and flash.
public struct FlashRules: BitwiseCopyable, ListRules {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "flash-prob",
    summary: "an LRU in memory, whose victims enter a FIFO queue on flash with some probability",
    paper: "No paper: flashProb of libCacheSim 0.3.5, the baseline of S3-FIFO's comparison of "
      + "writes to flash (SOSP 2023).",
    idea: "Flash wears out by writes. An object that is requested often misses often enough to be "
      + "drawn in the end; most others are never written.",
    hit: "In memory the object moves to the most recent end. On flash: nothing.",
    miss: "Room is made, and the object enters memory at its most recent end.",
    eviction: "The least recent of memory: with the given probability it enters flash, which "
      + "evicts its oldest until it fits; else it leaves. If memory is empty, the oldest of flash "
      + "leaves. Memory has no bound of its own: it has what flash leaves of the capacity.",
    complexity: "O(1) per request, and a draw for each object that leaves memory.",
    differences: "As libCacheSim 0.3.5, with probability 1/⌊1/p⌋ "
      + "there, drawn from its own generator: the same for 0.2, and other hits. One eviction there "
      + "may free nothing, or be told as a move; here it goes on until an object has left.",
    parameters: [
      Parameter(
        "memory", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(5, 100)),
        help: "the share of the capacity that flash leaves to memory"),
      Parameter(
        "probability", .fraction(in: Fraction(0)...Fraction(1)),
        default: .fraction(Fraction(2, 10)),
        help: "probability that a victim of memory enters flash"),
    ],
    bytesPerSlot: 9, miniatureError: 0)

  @usableFromInline var generator: SplitMix64
  @usableFromInline let memoryShare: Fraction
  @usableFromInline let probability: Fraction
  @usableFromInline var flashLimit: Int

  /// Memory and flash.
  public var listCount: Int { 2 }

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    generator = SplitMix64(seed: configuration.seed)
    memoryShare = configuration.arguments.fraction("memory")
    probability = configuration.arguments.fraction("probability")
    flashLimit = configuration.capacity - memoryShare.floor(of: configuration.capacity)
  }

  /// Moves an object of memory to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit<Lists: RecencyLists & ~Copyable>(
    _ request: Request, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    lists.moveToFront(request.slot, ifIn: .memory)
  }

  /// Takes from memory, or from flash if that is empty, until an object has left.
  @inlinable @inline(__always)
  public mutating func evict<Lists: RecencyLists & ~Copyable>(
    for request: Request?, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    while let victim = lists.unpinnedBack(of: .memory, host: host) {
      let size = host.size(of: victim)
      let isDrawn = generator.index(below: probability.denominator) < probability.numerator
      if !isDrawn || size > flashLimit { return lists.evictBack(of: .memory, host: &host) }
      var hasLeft = false
      while lists.size(of: .flash) + size > flashLimit {
        if lists.lacksVictim(.flash, host: host) {
          // Nothing can make room on flash.
          if !hasLeft { lists.evictBack(of: .memory, host: &host) }
          return
        }
        lists.evictBack(of: .flash, host: &host)
        if host.hasRefused { return }
        hasLeft = true
      }
      lists.move(victim, from: .memory, toFrontOf: .flash, size: size)
      if hasLeft { return }
    }
    lists.evictBack(of: .flash, host: &host)
  }

  /// Recomputes the limit of flash, beyond which nothing enters it.
  @inlinable
  public mutating func resize<Lists: RecencyLists & ~Copyable>(
    to capacity: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    flashLimit = capacity - memoryShare.floor(of: capacity)
  }
}

extension ListID {
  /// The LRU in memory.
  @inlinable @inline(__always)
  static var memory: ListID { ListID(1) }
  /// The queue on flash.
  @inlinable @inline(__always)
  static var flash: ListID { ListID(2) }
}
