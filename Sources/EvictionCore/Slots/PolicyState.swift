/// The state of a policy, on its way out of it or into another: for a copy, or for a cache that is saved.
///
/// A policy passes on what it stores, member by member, in ``ReplacementPolicy/visitState(_:)``, and the same text writes
/// and reads:
///
///     public mutating func visitState(_ state: inout PolicyState) {
///       lists.visitState(&state)
///       state.visit(&target)
///     }
///
/// What is read goes into a policy that was made anew with the same parameters, so that only what changes has to be
/// passed on. What does not fit (cut off, or written by a policy with other members) is noted, and the policy that was to
/// have it is thrown away.
///
/// - Complexity: O(bytes).
public struct PolicyState: ~Copyable {
  /// True if values are read: the members that are passed get others.
  public let isReading: Bool
  /// False once something could not be written, or did not fit.
  public private(set) var isWhole = true

  /// Of what is read, all; of what is written, the first `position` bytes.
  private var bytes: UnsafeMutableRawBufferPointer
  private var position = 0
  /// Of the sizes of all that was visited, in their order.
  private var shape: UInt64 = 0

  /// A state that is to be written.
  package init() {
    isReading = false
    bytes = .allocate(byteCount: 1 << 10, alignment: 16)
  }

  /// A state that was written.
  package init(reading bytes: [UInt8]) {
    isReading = true
    self.bytes = .allocate(byteCount: bytes.count, alignment: 16)
    self.bytes.copyBytes(from: bytes)
  }

  deinit { bytes.deallocate() }

  /// Passes on a number, or another value of plain bits.
  @inlinable
  public mutating func visit<Value: BitwiseCopyable>(_ value: inout Value) {
    withUnsafeMutableBytes(of: &value) { visit($0, stride: MemoryLayout<Value>.size) }
  }

  /// Passes on an array, and its length.
  @inlinable
  public mutating func visit<Value: BitwiseCopyable>(_ values: inout [Value]) {
    let stride = MemoryLayout<Value>.stride
    let count = visit(count: values.count, bytesEach: stride)
    if isReading {
      values = Array(unsafeUninitializedCapacity: count) { buffer, filled in
        let memory = UnsafeMutableRawBufferPointer(buffer)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        visit(
          UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count * stride)), stride: stride)
        filled = count
      }
    } else {
      values.withUnsafeMutableBytes { visit($0, stride: stride) }
    }
  }

  /// Passes on the first `count` of the values in memory, which are plain bits.
  @inlinable
  public mutating func visit<Value>(_ values: UnsafeMutablePointer<Value>, count: Int) {
    visit(
      UnsafeMutableRawBufferPointer(start: values, count: count * MemoryLayout<Value>.stride),
      stride: MemoryLayout<Value>.stride)
  }

  /// Passes on the number of values that come next.
  ///
  /// - Returns: The number to make room for and to pass on: `count` itself while writing. It is not more than the bytes
  ///   that are left can be.
  @inlinable
  public mutating func visit(count: Int, bytesEach: Int) -> Int {
    var number = count
    visit(&number)
    if isReading && !canHold(number, bytesEach: bytesEach) {
      refuse()
      return 0
    }
    return number
  }

  /// Passes on a block of memory with room for `room` values, of which the first `count` are in use; while reading, a block
  /// of another size is made.
  @inlinable
  public mutating func visit<Value>(
    _ values: inout UnsafeMutablePointer<Value>, room: inout Int, count: Int? = nil
  ) {
    let stride = MemoryLayout<Value>.stride
    let inUse = visit(count: count ?? room, bytesEach: stride)
    var newRoom = room
    visit(&newRoom)
    // No bytes come of what is not in use.
    if newRoom < inUse || newRoom - inUse > (1 << 30) / max(stride, 1) { return refuse() }
    if newRoom != room {
      values.deallocate()
      values = .allocate(capacity: newRoom)
      room = newRoom
    }
    visit(values, count: inUse)
  }

  /// Says that this cannot be passed on.
  public mutating func refuse() { isWhole = false }

  /// The bytes that were written; nil if something could not be.
  package consuming func written() -> [UInt8]? {
    var shape = shape
    visit(&shape)
    return isWhole ? Array(bytes.prefix(position)) : nil
  }

  /// Returns true if all was read, and what was visited is what was written.
  package mutating func endsHere() -> Bool {
    let read = shape
    var written: UInt64 = 0
    visit(&written)
    return isWhole && written == read && position == bytes.count
  }

  @usableFromInline
  func canHold(_ count: Int, bytesEach: Int) -> Bool {
    count >= 0 && count <= (bytes.count - position) / max(bytesEach, 1)
  }

  @usableFromInline
  mutating func visit(_ memory: UnsafeMutableRawBufferPointer, stride: Int) {
    shape = SplitMix64.mix(shape &+ UInt64(stride))
    let count = memory.count
    if !isWhole || count == 0 { return }
    if count > bytes.count - position {
      if isReading { return refuse() }
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(2 * bytes.count, position + count), alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(position)))
      bytes.deallocate()
      bytes = larger
    }
    let place = UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + count])
    if isReading {
      memory.copyMemory(from: UnsafeRawBufferPointer(place))
    } else {
      place.copyMemory(from: UnsafeRawBufferPointer(memory))
    }
    position += count
  }
}
