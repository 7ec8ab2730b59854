import CInline

/// The numbers of the latest K requests of each slot, counted from 1.
///
/// - Complexity: every operation is O(K), but growth, which is O(slots). Memory: 8 × K bytes per slot.
@usableFromInline package struct ReferenceHistory: ~Copyable {
  /// K numbers per slot, the latest first; 0 where there was no such request.
  @usableFromInline var numbers: UnsafeMutablePointer<Int>
  @usableFromInline var slots: Int
  @usableFromInline let depth: Int

  /// Creates histories of `depth` requests, which is K, for `slots` slots.
  @usableFromInline package init(depth: Int, slots: Int = 0) {
    precondition(depth > 0, "a history has at least one request")
    self.depth = depth
    self.slots = 0
    numbers = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  deinit { numbers.deallocate() }

  /// Makes room for slots below `slots`; never shrinks.
  @usableFromInline package mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newNumbers = UnsafeMutablePointer<Int>.allocateRecords(capacity: depth * newSlots)
    newNumbers.moveInitialize(from: numbers, count: depth * slots)
    (newNumbers + depth * slots).initialize(repeating: 0, count: depth * (newSlots - slots))
    numbers.deallocate()
    numbers = newNumbers
    slots = newSlots
  }

  /// The latest request of `slot`; 0 if there was none.
  @inlinable @inline(__always)
  package func latest(of slot: Slot) -> Int { numbers[depth &* Int(slot)] }

  /// The K-th latest request of `slot`; 0 if there were fewer.
  @inlinable @inline(__always)
  package func oldest(of slot: Slot) -> Int { numbers[depth &* Int(slot) &+ depth &- 1] }

  /// `slot` is requested, for the first time as far as is known.
  @inlinable @inline(__always)
  package mutating func begin(_ slot: Slot, with number: Int) {
    assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
    let history = numbers + depth &* Int(slot)
    history.update(repeating: 0, count: depth)
    history[0] = number
  }

  /// `slot` is requested again.
  @inlinable @inline(__always)
  package mutating func append(_ number: Int, to slot: Slot) {
    assert(number > latest(of: slot), "requests are numbered in their order")
    let history = numbers + depth &* Int(slot)
    var index = depth &- 1
    while index > 0 {
      history[index] = history[index &- 1]
      index &-= 1
    }
    history[0] = number
  }

  /// Asks the processor to bring near the history of `slot`.
  @inlinable @inline(__always)
  package func prefetch(_ slot: Slot) { evl_prefetch(numbers + depth &* Int(slot)) }
}

extension ReferenceHistory {
  mutating func visitState(_ state: inout PolicyState) {
    let count = state.visit(count: slots, bytesEach: depth * MemoryLayout<Int>.stride)
    reserve(slots: count)
    state.visit(numbers, count: depth * count)
  }
}
