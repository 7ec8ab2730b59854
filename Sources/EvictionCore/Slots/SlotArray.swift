import CInline

/// One small record per slot, in a flat array.
///
/// - Complexity: reading and writing O(1); growth and ``removeAll()`` O(slots). Memory: one `Element`
///   per slot, and one more.
public struct SlotArray<Element: BitwiseCopyable>: ~Copyable {
  /// Indexed by slot.
  @usableFromInline var elements: UnsafeMutablePointer<Element>
  @usableFromInline package var slots: Int
  /// The value of a slot until another is written. Not stored in place: where files are compiled one by one, as
  /// in a debug build, Swift 6.3 never runs the `deinit` of a generic struct that stores its parameter, unless
  /// it stands in the same file.
  @usableFromInline let blank: UnsafeMutablePointer<Element>

  /// Creates an array that has `blank` for each of `slots` slots.
  @inlinable
  public init(repeating blank: Element, slots: Int = 0) {
    self.blank = .allocate(capacity: 1)
    self.blank.initialize(to: blank)
    self.slots = 0
    elements = .allocate(capacity: 0)
    reserve(slots: slots)
  }

  @inlinable
  deinit {
    elements.deallocate()
    blank.deallocate()
  }

  /// The record of `slot`.
  @inlinable
  public subscript(slot: Slot) -> Element {
    @inline(__always) get {
      assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
      return elements[Int(slot)]
    }
    @inline(__always) _modify {
      assert(Int(slot) < slots, "slot \(slot) is beyond the \(slots) reserved")
      yield &elements[Int(slot)]
    }
  }

  /// The records by slot, until room is made for more: for closures, which cannot borrow the array.
  @inlinable @inline(__always)
  public var records: UnsafePointer<Element> { UnsafePointer(elements) }

  /// Makes room for slots below `slots`; never shrinks.
  @inlinable
  public mutating func reserve(slots newSlots: Int) {
    guard newSlots > slots else { return }
    let newElements = UnsafeMutablePointer<Element>.allocateRecords(capacity: newSlots)
    newElements.moveInitialize(from: elements, count: slots)
    (newElements + slots).initialize(repeating: blank.pointee, count: newSlots - slots)
    elements.deallocate()
    elements = newElements
    slots = newSlots
  }

  /// Makes every record blank.
  @inlinable
  public mutating func removeAll() { elements.update(repeating: blank.pointee, count: slots) }

  /// Asks the processor to bring near the record of `slot`.
  @inlinable @inline(__always)
  public func prefetch(_ slot: Slot) { evl_prefetch(elements + Int(slot)) }
}
