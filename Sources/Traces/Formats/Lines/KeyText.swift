/// A key that is put together from parts, or freed of its escapes. One buffer serves all lines of
/// a file.
struct KeyText: ~Copyable {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TraceInput.longestLine + 64, alignment: 16)
  private var count = 0

  deinit { buffer.deallocate() }

  /// The bytes so far; valid until the text changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  /// Forgets the text from a length on.
  @inline(__always)
  mutating func clear(to length: Int = 0) { count = length }

  /// Appends bytes of the current line.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    precondition(bytes.count <= buffer.count - count, "a key is longer than a line")
    (buffer.baseAddress.unsafelyUnwrapped + count).copyMemory(from: base, byteCount: bytes.count)
    count += bytes.count
  }

  /// Takes these parameters out of the query behind the first question mark, and the question mark with the last of them.
  mutating func removeParameters(_ names: QueryNames) {
    guard let mark = bytes.place(of: UInt8(ascii: "?"), from: 0) else { return }
    let base = buffer.baseAddress.unsafelyUnwrapped
    // What is kept ends before what is read next.
    var (end, start) = (mark, mark + 1)
    while start <= count {
      let stop = bytes.place(of: UInt8(ascii: "&"), from: start) ?? count
      let part = UnsafeRawBufferPointer(rebasing: buffer[start..<stop])
      let nameEnd = part.place(of: UInt8(ascii: "="), from: 0) ?? part.count
      if !names.contains(UnsafeRawBufferPointer(rebasing: part[..<nameEnd])) {
        buffer[end] = end == mark ? UInt8(ascii: "?") : UInt8(ascii: "&")
        (base + end + 1).copyMemory(from: base + start, byteCount: part.count)
        end += 1 + part.count
      }
      start = stop + 1
    }
    count = end
  }

  /// Appends one byte.
  @inline(__always)
  mutating func append(byte: UInt8) {
    precondition(count < buffer.count, "a key is longer than a line")
    buffer[count] = byte
    count += 1
  }

  /// Appends the decimal digits of a number.
  @inline(__always)
  mutating func append(decimal number: UInt64) {
    let end = count + number.decimalLength
    precondition(end <= buffer.count, "a key is longer than a line")
    _ = number.writeDecimal(endingAt: end, of: buffer)
    count = end
  }

  /// The text with `%2F` and the like replaced by the bytes they stand for.
  mutating func decodePercents(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard text.contains(UInt8(ascii: "%")) else { return text }
    clear()
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "%"), at + 2 < text.count, let byte = text.hexByte(at: at + 1) {
        append(byte: byte)
        at += 3
      } else {
        append(byte: text[at])
        at += 1
      }
    }
    return bytes
  }
}

extension UnsafeRawBufferPointer {
  /// The byte that two hexadecimal digits stand for; nil for other bytes.
  func hexByte(at offset: Int) -> UInt8? {
    guard let high = Self.hexDigit(self[offset]), let low = Self.hexDigit(self[offset + 1]) else {
      return nil
    }
    return high << 4 | low
  }

  /// The value of a hexadecimal digit; nil for any other byte.
  @inline(__always)
  static func hexDigit(_ byte: UInt8) -> UInt8? {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}
