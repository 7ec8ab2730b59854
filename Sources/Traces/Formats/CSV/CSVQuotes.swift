/// Walks over the fields of a record that holds quotes (RFC 4180).
struct CSVQuotes {
  enum End {
    /// Another field follows.
    case more
    /// The field was the record's last.
    case last
    /// A quote is open where the bytes end.
    case open
    /// Something follows a closing quote.
    case damaged
  }

  private(set) var next: UnsafeRawPointer
  /// Bytes of all fields written so far.
  private(set) var written = 0
  private let end: UnsafeRawPointer
  private let delimiter: UInt8
  private let target: UnsafeMutableRawBufferPointer

  /// A walk from `next` on; `target` has room for all bytes up to `end`.
  init(
    next: UnsafeRawPointer, end: UnsafeRawPointer, delimiter: UInt8,
    target: UnsafeMutableRawBufferPointer
  ) {
    assert(end - next <= target.count)
    self.next = next
    self.end = end
    self.delimiter = delimiter
    self.target = target
  }

  /// Writes the next field's bytes, without its quotes, and says what comes after.
  mutating func field() -> End {
    let space = UInt8(ascii: " ")
    if delimiter == space {
      while byte == space { next += 1 }
    }
    let quote = UInt8(ascii: "\"")
    if byte == quote {
      next += 1
      while true {
        guard let inner = byte else { return .open }
        next += 1
        if inner == quote {
          if byte != quote { break }
          next += 1
        }
        write(inner)
      }
      while let after = byte, after != delimiter, after == space || after == 0x0D { next += 1 }
      if let after = byte, after != delimiter, after != 0x0A { return .damaged }
    } else {
      while let plain = byte, plain != delimiter, plain != 0x0A {
        write(plain)
        next += 1
      }
    }
    guard let after = byte else { return .last }
    next += 1
    return after == delimiter ? .more : .last
  }

  private mutating func write(_ byte: UInt8) {
    target[written] = byte
    written += 1
  }

  private var byte: UInt8? { next < end ? next.load(as: UInt8.self) : nil }
}
