/// The latest few slots of a sequence: each new one replaces the oldest.
///
/// - Complexity: O(1), but ``remove(_:)``, which is O(capacity).
@usableFromInline
struct SlotRing: ~Copyable {
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let capacity: Int
  @usableFromInline var next = 0

  @inlinable static var empty: Slot { .max }

  init(capacity: Int) {
    precondition(capacity > 0, "a ring has one place at least")
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: SlotRing.empty, count: capacity)
  }

  @inlinable
  deinit { slots.deallocate() }

  /// The slot at `place`, in 0 ..< capacity, or nil if it was taken out or never set.
  @inlinable @inline(__always)
  subscript(place: Int) -> Slot? { slots[place] == SlotRing.empty ? nil : slots[place] }

  @inlinable @inline(__always)
  mutating func append(_ slot: Slot) {
    slots[next] = slot
    next = next &+ 1 == capacity ? 0 : next &+ 1
  }

  /// Empties every place of `slot`.
  @inlinable @inline(__always)
  mutating func remove(_ slot: Slot) {
    for place in 0..<capacity where slots[place] == slot { slots[place] = SlotRing.empty }
  }

  @inlinable
  mutating func removeAll() { slots.update(repeating: SlotRing.empty, count: capacity) }
}

extension SlotRing {
  mutating func visitState(_ state: inout PolicyState) {
    state.visit(slots, count: capacity)
    state.visit(&next)
  }
}
