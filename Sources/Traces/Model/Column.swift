/// A frozen sequence of values, one per request or one per distinct key, in one raw buffer.
///
/// A column is immutable and shared by reference: copies cost nothing, and any thread may read it.
/// Loops that need the last nanosecond read through ``withUnsafeBufferPointer(_:)``; everything
/// else subscripts, which checks the index.
public struct Column<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  @usableFromInline let elements: UnsafeBufferPointer<Element>
  @usableFromInline let memory: HeldMemory

  /// The first values of what stands in memory already, aligned.
  init(_ memory: HeldMemory, count: Int) {
    precondition(count * MemoryLayout<Element>.stride <= memory.bytes.count, "too few bytes")
    elements = UnsafeBufferPointer(
      start: memory.bytes.baseAddress?.assumingMemoryBound(to: Element.self), count: count)
    self.memory = memory
  }

  /// A column with the values of a sequence. O(n).
  public init(_ values: some Sequence<Element>) {
    var buffer = ColumnBuffer<Element>()
    for value in values { buffer.append(value) }
    self = buffer.freeze()
  }

  /// Runs `body` on the values as one contiguous buffer, valid until `body` returns. O(1).
  @inlinable
  public func withUnsafeBufferPointer<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(elements)
  }
}

extension Column: RandomAccessCollection {
  /// The position of the first value: 0.
  @inlinable public var startIndex: Int { 0 }

  /// One past the last position: the number of values.
  @inlinable public var endIndex: Int { elements.count }

  /// The value at a position, which must exist. O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < elements.count, "no such row in the column")
    // The memory of a column that is read for the last time must not go before.
    return withExtendedLifetime(memory) { elements[position] }
  }
}
