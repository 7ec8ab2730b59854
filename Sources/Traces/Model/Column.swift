import CInline

/// A frozen sequence of values, one per request or one per distinct key, in one raw buffer.
///
/// A column is immutable and shared by reference: copies cost nothing, and any thread may read it.
/// Loops that need the last nanosecond read through ``withUnsafeBufferPointer(_:)``; everything
/// else subscripts, which checks the index.
public struct Column<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline
  final class Storage: @unchecked Sendable {
    @usableFromInline
    let elements: UnsafeBufferPointer<Element>
    private let owner: (AnyObject & Sendable)?
    private let memory: RawMemory

    init(memory: consuming RawMemory, count: Int) {
      assert(count * MemoryLayout<Element>.stride <= memory.byteCount)
      let base = memory.base?.assumingMemoryBound(to: Element.self)
      self.elements = UnsafeBufferPointer(start: base, count: count)
      self.owner = nil
      self.memory = memory
    }

    init(_ held: HeldBytes, count: Int) {
      precondition(count * MemoryLayout<Element>.stride <= held.bytes.count, "too few bytes")
      self.elements = UnsafeBufferPointer(
        start: held.bytes.baseAddress?.assumingMemoryBound(to: Element.self), count: count)
      self.owner = held.owner
      self.memory = RawMemory()
    }
  }

  @usableFromInline
  let storage: Storage

  init(memory: consuming RawMemory, count: Int) {
    storage = Storage(memory: memory, count: count)
  }

  /// The first values of what stands in memory already, aligned.
  init(_ held: HeldBytes, count: Int) {
    storage = Storage(held, count: count)
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
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.elements)
  }
}

extension Column: RandomAccessCollection {
  /// The position of the first value: 0.
  @inlinable public var startIndex: Int { 0 }

  /// One past the last position: the number of values.
  @inlinable public var endIndex: Int { storage.elements.count }

  /// The value at a position, which must exist. O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < storage.elements.count, "no such row in the column")
    return storage.elements[position]
  }
}
