import Parameters

/// Walks over the lines of a block.
struct LineCursor {
  private var next: UnsafeRawPointer
  let end: UnsafeRawPointer

  init(_ block: UnsafeRawBufferPointer) {
    next = block.baseAddress.unsafelyUnwrapped
    end = next + block.count
  }

  /// Goes on at a place within the block.
  mutating func resume(at place: UnsafeRawPointer) {
    assert(place <= end)
    next = place
  }

  /// The next line without its newline; nil at the end of the block.
  @inline(__always)
  mutating func line() -> UnsafeRawBufferPointer? {
    if next == end { return nil }
    let start = next
    let stop = UnsafeRawPointer(memchr(start, 0x0A, end - start))
    next = stop.map { $0 + 1 } ?? end
    return UnsafeRawBufferPointer(start: start, count: (stop ?? end) - start)
  }
}

extension UnsafeRawBufferPointer {
  /// True when the bytes are this word's.
  @inline(__always)
  func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount
      && (count == 0 || memcmp(baseAddress.unsafelyUnwrapped, word.utf8Start, count) == 0)
  }

  /// The bytes without ASCII white space at either end.
  @inline(__always)
  var trimmed: UnsafeRawBufferPointer {
    guard var first = baseAddress else { return self }
    var last = first + count
    while first < last, Self.isSpace(first.load(as: UInt8.self)) { first += 1 }
    while first < last, Self.isSpace((last - 1).load(as: UInt8.self)) { last -= 1 }
    return UnsafeRawBufferPointer(start: first, count: last - first)
  }

  /// True when there is nothing but ASCII white space.
  @inline(__always)
  var isBlank: Bool { allSatisfy(Self.isSpace) }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 0x09 < 5 }
}
