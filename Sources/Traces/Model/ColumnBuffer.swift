import Parameters
/// A column while it grows: appends in amortised O(1), holds at most 1.5 times what it needs.
///
/// Running out of memory ends the process: a column's size is the trace's own, and the caller chose it.
package struct ColumnBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable {
  private var memory = RawMemory()
  package private(set) var count = 0
  private(set) var capacity = 0

  package init() {}

  /// Bytes of the values so far.
  var usedBytes: Int { count * MemoryLayout<Element>.stride }

  /// Bytes held now, used or not.
  package var allocatedBytes: Int { memory.byteCount }

  /// The values so far; valid until the next append.
  var elements: UnsafeMutablePointer<Element>? {
    memory.base?.assumingMemoryBound(to: Element.self)
  }

  @inline(__always)
  package mutating func append(_ value: Element) {
    if count == capacity { grow(toHold: count + 1) }
    // Growing has made room, so there is memory.
    elements.unsafelyUnwrapped[count] = value
    count += 1
  }

  /// Room for `more` values past the end, not yet counted: see ``commit(_:)``.
  @inline(__always)
  mutating func reserve(_ more: Int) -> UnsafeMutablePointer<Element> {
    if count + more > capacity || capacity == 0 { grow(toHold: count + more) }
    return elements.unsafelyUnwrapped + count
  }

  /// Counts `more` values that were written where ``reserve(_:)`` made room.
  @inline(__always)
  mutating func commit(_ more: Int) {
    assert(count + more <= capacity)
    count += more
  }

  /// Appends `count` values.
  mutating func append(_ values: UnsafePointer<Element>, count more: Int) {
    reserve(more).update(from: values, count: more)
    commit(more)
  }

  /// Appends `count` copies of a value.
  mutating func append(repeating value: Element, count more: Int) {
    reserve(more).initialize(repeating: value, count: more)
    commit(more)
  }

  /// The last value; nil when there is none.
  var last: Element? { count == 0 ? nil : elements.unsafelyUnwrapped[count - 1] }

  /// Forgets the values past `limit`.
  mutating func truncate(to limit: Int) { count = min(count, limit) }

  /// Moves the first `count` values to another column, in place of what it holds; from an empty one, none.
  mutating func moveFirst(_ count: Int, to other: inout ColumnBuffer) {
    other.truncate(to: 0)
    guard self.count > 0, let elements else { return }
    precondition(self.count >= count, "the reader left a request without a value")
    if self.count == count {
      swap(&self, &other)
      return truncate(to: 0)
    }
    other.append(elements, count: count)
    removeFirst(count)
  }

  /// Forgets the first `count` values.
  mutating func removeFirst(_ count: Int) {
    guard count > 0, let elements else { return }
    precondition(self.count >= count, "there are fewer values")
    elements.update(from: elements + count, count: self.count - count)
    self.count -= count
  }

  @inline(never)
  private mutating func grow(toHold needed: Int) {
    let stride = MemoryLayout<Element>.stride
    let wanted = max(needed, capacity + capacity / 2, 64)
    guard memory.resize(to: wanted * stride) else {
      MemoryShortage.end("a column of \(wanted) values of \(stride) bytes")
    }
    capacity = memory.byteCount / stride
  }

  /// The finished column, trimmed to what it needs.
  package consuming func freeze() -> Column<Element> {
    let count = self.count
    _ = memory.resize(to: max(count, 1) * MemoryLayout<Element>.stride)
    return Column(HeldMemory(memory), count: count)
  }
}
