/// One request as a policy sees it: a slot and what is known about it.
///
/// A policy reads what it needs, and says so in ``ReplacementPolicy/needs``; the other fields have the
/// values that mean "not known", and cost nothing.
public struct Request {
  /// The dense integer that stands for the key.
  public var slot: Slot
  /// The number of the request's class in its trace, by first appearance, such as the layer of an expert; 0 where it is
  /// unknown. Known in simulation only. Beside the slot it takes no room of its own.
  public var requestClass: UInt32
  /// The part of the capacity that the object takes: 1, or its bytes, 0 for an empty object. On a hit, what the
  /// resident takes.
  public var size: Int
  /// The penalty of a miss, which is not the size; 1 where the source names none. A cache learns it
  /// when an object enters, and its hits say 1: a policy that weighs it keeps the cost that the object
  /// entered with.
  /// Any number, as users name it; ``boundedCost`` is the one to compute with.
  public var cost: Double
  /// The key's stable 64-bit hash, seeded by the run. Sketches, filters and samplers hash nothing else.
  public var keyHash: UInt64
  /// The time at which the request arrives, in nanoseconds on the source's clock.
  public var time: Int64
  /// The number of this request, from 0. Known where ``nextUse`` is.
  public var index: Int
  /// The number of the next request for the same key that would gain from a hit: `Int.max` if there
  /// does not exist, or if the object is written or removed before. Known in simulation only.
  public var nextUse: Int
  /// The time at which the object expires, in nanoseconds on the clock of ``time``; `Int64.max` for never, and
  /// on a hit that leaves the object's expiry as it is.
  public var expiry: Int64
  /// The length of the key in bytes; 0 where it is unknown.
  public var keyLength: Int

  /// A request for `slot`; what is not given has the value that means "not known".
  @inlinable @inline(__always)
  public init(
    slot: Slot, size: Int = 1, cost: Double = 1, keyHash: UInt64 = 0, time: Int64 = 0,
    index: Int = 0, nextUse: Int = .max, expiry: Int64 = .max, keyLength: Int = 0,
    requestClass: UInt32 = 0
  ) {
    self.slot = slot
    self.size = size
    self.cost = cost
    self.keyHash = keyHash
    self.time = time
    self.index = index
    self.nextUse = nextUse
    self.expiry = expiry
    self.keyLength = keyLength
    self.requestClass = requestClass
  }
}

extension Request {
  /// ``cost`` as a policy weighs it: at most 2⁵¹², and 0 where it is negative or not a number.
  ///
  /// Its products with counts and sizes, and the sums of those, are finite.
  @inlinable @inline(__always)
  public var boundedCost: Double { cost > 0 ? min(cost, 0x1p512) : 0 }
}

/// A dense integer that stands for a key.
///
/// A policy never sees a key. In a simulation the slot is the trace's id; in a cache the index maps
/// a key to its slot, and slots are recycled once the policy has forgotten them.
public typealias Slot = UInt32
