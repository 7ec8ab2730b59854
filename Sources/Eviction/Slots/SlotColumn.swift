import CInline

/// One value for each slot, in a flat array.
///
/// - Complexity: O(1), but growth, which is O(slots). Memory: one `Element` per slot.
public struct SlotColumn<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var values: UnsafeMutablePointer<Element>
  @usableFromInline var slots: Int
  @usableFromInline let filler: Element

  /// A column of `filler` for `slots` slots.
  @inlinable
  public init(_ filler: Element, slots: Int = 0) {
    self.filler = filler
    self.slots = 0
    values = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  @inlinable
  deinit { values.deallocate() }

  /// The value of `slot`.
  @inlinable @inline(__always)
  public subscript(slot: Slot) -> Element {
    get {
      assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
      return values[Int(slot)]
    }
    set {
      assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
      values[Int(slot)] = newValue
    }
  }

  /// Makes room for slots below `newSlots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newValues = UnsafeMutablePointer<Element>.allocate(capacity: newSlots)
    newValues.moveInitialize(from: values, count: slots)
    (newValues + slots).initialize(repeating: filler, count: newSlots - slots)
    values.deallocate()
    values = newValues
    slots = newSlots
  }

  /// Asks the processor to bring the value of `slot` near.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(values + Int(slot)) }
}
