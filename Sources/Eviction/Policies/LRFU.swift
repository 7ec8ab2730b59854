import Parameters

/// Least recently/frequently used: every request counts, the less the longer ago it was.
public struct LRFU: GhostlessPolicy, PinnablePolicy, ~Copyable {
  /// The catalog's entry.
  public static let information = PolicyInformation(
    name: "lrfu", summary: "requests count less the longer ago they were: between LRU and LFU",
    paper:
      "D. Lee, J. Choi, J.-H. Kim, S. H. Noh, S. L. Min, Y. Cho and C. S. Kim, “On the existence "
      + "of a spectrum of policies that subsumes the least recently used (LRU) and least "
      + "frequently used (LFU) policies”, SIGMETRICS 1999; “LRFU: a spectrum of policies …”, IEEE "
      + "Transactions on Computers 50(12), 2001.",
    idea:
      "An object's combined recency and frequency (CRF) is the sum of (1/2)^(λx) over the requests "
      + "of its stay, x being how many requests ago each was. λ = 0 is LFU, λ = 1 is LRU.",
    hit: "The CRF, as decayed by now, + 1.",
    miss: "Room is made, and the object enters with CRF 1.",
    eviction: "The lowest CRF; among equals the least recently used.",
    ghosts: "None, as the CRF is forgotten at eviction.",
    complexity: "O(1) for a hit, amortised O(log C) otherwise.",
    differences: "Instead of decaying sums, each request t adds the growing weight 2^(λt), which "
      + "orders objects alike; weights and sums are IEEE doubles in [1, 2) with an unbounded "
      + "exponent. The weight is multiplied by 2^λ at every request, halved when it reaches 2; 2^λ "
      + "is a product of repeated square roots of 2 by the first 52 binary digits of λ. "
      + "So hits are the same on every platform. The paper keeps a heap of the objects "
      + "that a request could still reorder and a list of the others; here all are in a structure "
      + "that hits leave as it is. Its correlated reference period is not part of this. It tunes λ by "
      + "trace and size; 0.001 is this project's.",
    parameters: [
      Parameter(
        "lambda", .fraction(in: Fraction(0)...Fraction(1)), default: .fraction(Fraction(1, 1000)),
        time: .perRequest,
        help: "λ: a request counts half after 1/λ more; 0 is LFU, 1 is LRU")
    ],
    bytesPerSlot: 55, miniatureError: 0)

  /// A sum of weights, mantissa × 2^exponent, and the number of its last request, which decides ties.
  @usableFromInline
  struct Value: Comparable, BitwiseCopyable {
    @usableFromInline var exponent: Int
    /// At least 1, and below 2.
    @usableFromInline var mantissa: Double
    @usableFromInline var lastUse: Int

    @inlinable @inline(__always)
    init(exponent: Int, mantissa: Double, lastUse: Int) {
      self.exponent = exponent
      self.mantissa = mantissa
      self.lastUse = lastUse
    }

    /// Exponent and mantissa in one number, which is compared without a branch.
    @inlinable @inline(__always)
    var key: Int128 { Int128(exponent) << 64 | Int128(mantissa.bitPattern) }

    @inlinable @inline(__always)
    static func < (left: Value, right: Value) -> Bool {
      let (one, other) = (left.key, right.key)
      return one == other ? left.lastUse < right.lastUse : one < other
    }

    /// This, multiplied by 2^λ.
    @inlinable @inline(__always)
    func next(step: Double) -> Value {
      Value(exponent: exponent, mantissa: mantissa * step, lastUse: lastUse &+ 1).normalized
    }

    /// This and a later weight together.
    @inlinable @inline(__always)
    func adding(_ weight: Value) -> Value {
      let distance = weight.exponent &- exponent
      let larger = max(exponent, weight.exponent)
      let sum =
        mantissa * Value.power(min(0, 0 &- distance))
        + weight.mantissa * Value.power(min(0, distance))
      return Value(exponent: larger, mantissa: sum, lastUse: weight.lastUse).normalized
    }

    @inlinable @inline(__always)
    var normalized: Value {
      mantissa < 2
        ? self : Value(exponent: exponent &+ 1, mantissa: mantissa * 0.5, lastUse: lastUse)
    }

    /// 2^exponent for an exponent that is not positive; 0 where it is too small to matter in a sum.
    @inlinable @inline(__always)
    static func power(_ exponent: Int) -> Double {
      exponent < -100 ? 0 : Double(bitPattern: UInt64(1023 &+ exponent) << 52)
    }
  }

  /// The residents by their values.
  @usableFromInline var residents: PriorityRun<Value>
  /// 2^λ.
  @usableFromInline let step: Double
  /// The weight of the last request.
  @usableFromInline var weight = Value(exponent: 0, mantissa: 1, lastUse: 0)

  /// Creates an empty cache's policy.
  public init(_ configuration: PolicyConfiguration) {
    step = LRFU.powerOfTwo(configuration.arguments.fraction("lambda"))
    residents = PriorityRun(slots: configuration.slots)
  }

  /// Passes on what changes.
  public mutating func visitState(_ state: inout PolicyState) {
    residents.visitState(&state)
    state.visit(&weight)
  }

  /// 2^share for a share in 0 ... 1, by nothing but square roots and products, which IEEE 754 defines
  /// to the last bit.
  static func powerOfTwo(_ share: Fraction) -> Double {
    if share.numerator == share.denominator { return 2 }
    var rest = share.numerator
    var root = 2.0
    var product = 1.0
    for _ in 0..<52 {
      root = root.squareRoot()
      rest *= 2
      if rest >= share.denominator {
        rest -= share.denominator
        product *= root
      }
    }
    return product
  }

  /// Returns true if the object in `slot` is resident.
  @inlinable @inline(__always)
  public func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  /// Prefetches the slot's records.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// Adds the weight of now.
  @inlinable @inline(__always)
  public mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    weight = weight.next(step: step)
    let value = residents.priority(of: request.slot)
    residents.raise(request.slot, priority: value.adding(weight))
  }

  /// Makes room, and enters the object with the weight of now.
  @inlinable @inline(__always)
  public mutating func insert(
    _ request: Request, host: inout some SlotHost & ~Copyable
  ) -> Bool {
    weight = weight.next(step: step)
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    residents.insert(request.slot, priority: weight)
    return true
  }

  /// Chooses the resident of the lowest value.
  @inlinable
  public mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot {
    guard let victim = residents.firstUnpinned(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  /// Takes the slot out of the residents.
  @inlinable
  public mutating func takeOut(_ slot: Slot, size: Int) { residents.remove(slot) }

  /// Forgets every slot and value.
  @inlinable
  public mutating func removeAll() { residents.removeAll() }

  /// Grows the arrays.
  @inlinable
  public mutating func reserve(slots: Int) { residents.reserve(slots: slots) }
}
