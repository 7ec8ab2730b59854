import Parameters

extension UnsafeRawBufferPointer {
  /// The next place of a byte.
  @inline(__always)
  func place(of byte: UInt8, from start: Int) -> Int? {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// The next word, spaces before it left out; empty where there is none.
  @inline(__always)
  func word(from start: Int, before end: Int) -> UnsafeRawBufferPointer {
    var first = Swift.min(start, end)
    while first < end, self[first] == UInt8(ascii: " ") { first += 1 }
    var last = first
    while last < end, self[last] != UInt8(ascii: " ") { last += 1 }
    return UnsafeRawBufferPointer(rebasing: self[first..<last])
  }
}
