import EvictionCore

/// The order in which a test gives slots to keys. No decision of a policy may depend on it.
public enum SlotNaming: Equatable, Sendable, CaseIterable {
  /// As a simulator: the slot is the key, and all are reserved at the start.
  case identity
  /// As a simulator, with the slots shuffled by a seed.
  case shuffled
  /// As a cache: the next slot for a new key, a forgotten slot for another key, and room reserved
  /// only when a slot needs it.
  case recycled
}

/// The slots of the keys of one run.
struct SlotNames {
  private let naming: SlotNaming
  private var slots: [Slot?]
  private var keys: [Int]
  private var free: [Slot] = []

  /// The number of slots that the policy must have reserved by now.
  private(set) var needed: Int

  init(_ naming: SlotNaming, keys count: Int, seed: UInt64) {
    self.naming = naming
    keys = Array(0..<count)
    switch naming {
    case .identity:
      needed = count
    case .shuffled:
      var generator = SplitMix64(seed: seed ^ 0x5EED)
      keys.shuffle(using: &generator)
      needed = count
    case .recycled:
      slots = Array(repeating: nil, count: count)
      needed = 0
      return
    }
    slots = Array(repeating: nil, count: count)
    for (slot, key) in keys.enumerated() { slots[key] = Slot(slot) }
  }

  /// The slot that stands for `key` now, if any does.
  func slot(of key: Int) -> Slot? { slots[key] }

  /// The key that `slot` stands for.
  func key(of slot: Slot) -> Int { keys[Int(slot)] }

  /// The slot that stands for `key` from now on.
  mutating func slot(for key: Int) -> Slot {
    if let slot = slots[key] { return slot }
    let slot = free.popLast() ?? Slot(needed)
    needed = max(needed, Int(slot) + 1)
    slots[key] = slot
    keys[Int(slot)] = key
    return slot
  }

  /// The policy has forgotten `slot`.
  mutating func release(_ slot: Slot) {
    if naming != .recycled { return }
    slots[keys[Int(slot)]] = nil
    free.append(slot)
  }
}
