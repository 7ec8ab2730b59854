import Parameters

/// An LRU in memory before a FIFO queue on flash, which only some of its victims enter, drawn at random.
public struct FlashProb: ListPolicy, ~Copyable {
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

  /// Memory and flash.
  public var lists: SlotLists<UInt8>
  @usableFromInline var passed = PassedSlots(lists: 2)
  @usableFromInline var generator: SplitMix64
  @usableFromInline let memoryShare: Fraction
  @usableFromInline let probability: Fraction
  @usableFromInline var flashLimit: Int

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 2, slots: configuration.slots)
    generator = SplitMix64(seed: configuration.seed)
    memoryShare = configuration.arguments.fraction("memory")
    probability = configuration.arguments.fraction("probability")
    flashLimit = configuration.capacity - memoryShare.floor(of: configuration.capacity)
  }

  /// Moves an object of memory to the most recent end.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    if lists.owner(of: request.slot) == .memory {
      lists.moveToFront(request.slot, of: .memory)
      passed.placed(request.slot, host: host)
    }
  }

  /// Makes room, and enters memory.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .memory, size: request.size)
    passed.placed(request.slot, host: host)
    return true
  }

  /// Takes from memory, or from flash if that is empty, until an object has left.
  @inlinable
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    while let victim = passed.unpinnedBack(of: .memory, in: lists, host: host) {
      let size = host.size(of: victim)
      let isDrawn = generator.index(below: probability.denominator) < probability.numerator
      if !isDrawn || size > flashLimit {
        lists.evict(victim, host: &host)
        return
      }
      var hasLeft = false
      while lists.size(of: .flash) + size > flashLimit {
        guard let oldest = passed.unpinnedBack(of: .flash, in: lists, host: host) else {
          // Nothing can make room on flash.
          if !hasLeft { lists.evict(victim, host: &host) }
          return
        }
        lists.evict(oldest, host: &host)
        if host.hasRefused { return }
        hasLeft = true
      }
      lists.move(victim, toFrontOf: .flash, size: size)
      passed.placed(victim, host: host)
      if hasLeft { return }
    }
    guard let victim = passed.unpinnedBack(of: .flash, in: lists, host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    lists.evict(victim, host: &host)
  }

  /// Recomputes the limit of flash, beyond which nothing enters it.
  @inlinable
  public mutating func resize(to capacity: Int, host: inout some SlotHost & ~Copyable) {
    flashLimit = capacity - memoryShare.floor(of: capacity)
  }
}

extension SlotLists<UInt8>.ID {
  /// The LRU in memory.
  @inlinable @inline(__always)
  static var memory: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(1) }
  /// The queue on flash.
  @inlinable @inline(__always)
  static var flash: SlotLists<UInt8>.ID { SlotLists<UInt8>.ID(2) }
}

extension CachePolicy {
  /// `FlashProb`: an LRU in memory, whose victims enter a FIFO queue on flash with some probability.
  ///
  /// - Parameters:
  ///   - memory: The share of the capacity that flash leaves to memory.
  ///   - probability: Probability that a victim of memory enters flash.
  public static func flashProb(
    memory: Fraction? = nil, probability: Fraction? = nil
  ) -> CachePolicy {
    CachePolicy(FlashProb.self, parameters: ["memory": memory, "probability": probability])
  }
}
