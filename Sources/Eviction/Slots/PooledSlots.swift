import Parameters

/// Residents that are sampled into an ``EvictionPool``: what the sampled policies have in common.
///
/// - Complexity: O(1), but an eviction O(sample × pool), and growth and ``removeAll()`` O(slots).
///   Memory: 4 bytes and one `Record` per slot.
@usableFromInline
struct PooledSlots<Record: SampledRecord>: ~Copyable {
  @usableFromInline var residents: SampledSlots<Record>
  @usableFromInline var pool: EvictionPool
  @usableFromInline let keepsPool: Bool
  @usableFromInline let sample: Int
  @usableFromInline var generator: SplitMix64

  /// From the parameters `sample` and `pool`.
  init(_ configuration: PolicyConfiguration) {
    let candidates = configuration.arguments.integer("pool")
    sample = configuration.arguments.integer("sample")
    residents = SampledSlots(slots: configuration.slots, sample: sample)
    pool = EvictionPool(capacity: max(candidates, 1))
    keepsPool = candidates > 0
    generator = SplitMix64(seed: configuration.seed)
  }

  @inlinable
  deinit {}

  /// The parameters that ``init(_:)`` reads.
  static var parameters: [Parameter] {
    [
      Parameter(
        "sample", .integer(in: 1...1_000), default: .integer(5),
        help: "residents drawn at each eviction (maxmemory-samples)"),
      Parameter(
        "pool", .integer(in: 0...1_024), default: .integer(16),
        help: "candidates kept from one eviction to the next; 0 for the best of each sample alone"),
    ]
  }

  @inlinable @inline(__always)
  func contains(_ slot: Slot) -> Bool { residents.contains(slot) }

  @inlinable @inline(__always)
  func prefetch(_ slot: Slot) { residents.prefetch(slot) }

  /// Draws a sample into the pool, and returns the best candidate.
  @inlinable @inline(__always)
  mutating func victim(
    host: borrowing some SlotHost & ~Copyable, idleness: (Record) -> UInt32
  ) -> Slot {
    if !keepsPool { pool.removeAll() }
    residents.drawSample(sample, &generator, host: host)
    for draw in 0..<sample {
      let resident = residents.sampled(draw)
      pool.offer(resident.slot, idleness: idleness(resident))
    }
    guard let victim = pool.best(host: host) else {
      preconditionFailure("there is nothing to evict")
    }
    return victim
  }

  @inlinable
  mutating func removeAll() {
    residents.removeAll()
    pool.removeAll()
  }

  @inlinable
  mutating func reserve(slots: Int) { residents.reserve(slots: slots) }

  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    residents.remove(slot)
    pool.remove(slot)
  }
}
