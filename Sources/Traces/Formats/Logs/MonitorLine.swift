/// A line that Redis's MONITOR prints, whose arguments are taken one by one.
struct MonitorLine {
  /// Seconds since 1970, with a fraction.
  let time: UnsafeRawBufferPointer
  /// The number of the database.
  let database: UnsafeRawBufferPointer
  /// True when an argument didn't end, or something stood between two.
  private(set) var isDamaged = false

  private let line: UnsafeRawBufferPointer
  private var at: Int

  /// Nil when the line doesn't begin with a time, a database and a client.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    self.line = line
    time = line.word(from: 0, before: line.count)
    let open = time.count + 1
    guard open < line.count, line[open] == UInt8(ascii: "["), time.first.map({ $0 < 0x3A }) == true
    else { return nil }
    // The client's address may hold brackets of its own.
    var close = open
    repeat {
      guard let next = line.place(of: UInt8(ascii: "]"), from: close + 1), next + 2 < line.count
      else { return nil }
      close = next
    } while line[close + 1] != UInt8(ascii: " ") || line[close + 2] != UInt8(ascii: "\"")
    database = line.word(from: open + 1, before: close)
    if database.wholeNumber == nil { return nil }
    at = close + 2
  }

  /// True when the database is number 0.
  var isFirstDatabase: Bool { database.count == 1 && database[0] == UInt8(ascii: "0") }

  /// True when the line does not end with an argument's quote.
  var isCutOff: Bool {
    if line[line.count - 1] != UInt8(ascii: "\"") { return true }
    // It may be one of the value, or the first of an argument.
    let before = line[line.count - 2]
    guard before == UInt8(ascii: "\\") || before == UInt8(ascii: " ") else { return false }
    var copy = self
    while copy.next() != nil {}
    return copy.isDamaged
  }

  /// The first argument, which stays to be taken.
  var command: UnsafeRawBufferPointer? {
    var copy = self
    return copy.next()
  }

  /// The next argument as it stands between its quotes; nil when there is none.
  @inline(__always)
  mutating func next() -> UnsafeRawBufferPointer? {
    while at < line.count, line[at] == UInt8(ascii: " ") { at += 1 }
    if at == line.count { return nil }
    guard line[at] == UInt8(ascii: "\"") else {
      isDamaged = true
      return nil
    }
    let start = at + 1
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "\"") {
      end += line[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < line.count else {
      isDamaged = true
      return nil
    }
    at = end + 1
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a text without the escapes of ``KeyText/append(unescaping:)``.
  @inline(__always)
  var unescapedLength: UInt64 {
    guard var at = place(of: UInt8(ascii: "\\"), from: 0) else { return UInt64(count) }
    var length = at
    while at < count {
      if self[at] == UInt8(ascii: "\\"), at + 1 < count {
        let isByte =
          self[at + 1] == UInt8(ascii: "x") && at + 3 < count && hexByte(at: at + 2) != nil
        at += isByte ? 4 : 2
      } else {
        at += 1
      }
      length += 1
    }
    return UInt64(length)
  }
}

extension KeyText {
  /// Appends a text whose bytes Redis has escaped: `\"`, `\\`, `\n`, `\r`, `\t`, `\a`, `\b` and
  /// `\x00`.
  @inline(__always)
  mutating func append(unescaping text: UnsafeRawBufferPointer) {
    guard text.place(of: UInt8(ascii: "\\"), from: 0) != nil else {
      append(text)
      return
    }
    var at = 0
    while at < text.count {
      guard text[at] == UInt8(ascii: "\\"), at + 1 < text.count else {
        append(byte: text[at])
        at += 1
        continue
      }
      let letter = text[at + 1]
      at += 2
      switch letter {
      case UInt8(ascii: "n"): append(byte: 0x0A)
      case UInt8(ascii: "r"): append(byte: 0x0D)
      case UInt8(ascii: "t"): append(byte: 0x09)
      case UInt8(ascii: "a"): append(byte: 0x07)
      case UInt8(ascii: "b"): append(byte: 0x08)
      case UInt8(ascii: "x") where at + 1 < text.count:
        if let byte = text.hexByte(at: at) {
          append(byte: byte)
          at += 2
        } else {
          append(byte: letter)
        }
      default: append(byte: letter)
      }
    }
  }
}
