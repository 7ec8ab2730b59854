/// The parts of a line of a web server's log.
struct LogLine {
  /// The text between the brackets: `10/Oct/2000:13:55:36 -0700`.
  let timeText: UnsafeRawBufferPointer
  /// The request's first word; empty when it is no request.
  let method: UnsafeRawBufferPointer
  /// The request between its first word and the protocol; empty when it is no request.
  let target: UnsafeRawBufferPointer
  /// The number of the answer's status.
  let status: UInt64
  /// The bytes that were sent, or `-`.
  let bytes: UnsafeRawBufferPointer

  /// Nil when the line doesn't have the parts.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    guard let open = line.place(of: UInt8(ascii: "["), from: 0),
      let close = line.place(of: UInt8(ascii: "]"), from: open),
      let quote = line.place(of: UInt8(ascii: "\""), from: close)
    else { return nil }
    var end = quote + 1
    while end < line.count, line[end] != UInt8(ascii: "\"") {
      // A quote within the request is escaped.
      end += line[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < line.count, let start = line.baseAddress else { return nil }
    timeText = UnsafeRawBufferPointer(rebasing: line[open + 1..<close])
    let method = line.word(from: quote + 1, before: end)
    self.method = method
    let rest = method.baseAddress.map { $0 + method.count - start } ?? end
    target = Self.target(UnsafeRawBufferPointer(rebasing: line[rest..<end]))
    let status = line.word(from: end + 1, before: line.count)
    guard let number = status.wholeNumber, let base = status.baseAddress else { return nil }
    self.status = number
    bytes = line.word(from: base + status.count - start, before: line.count)
    if bytes.isEmpty { return nil }
  }

  /// The target of what follows a method: up to the last blank before `HTTP/`, as it may hold blanks itself; all of it
  /// where no protocol is named.
  @inline(__always)
  private static func target(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // Nearly all end so: ` HTTP/1.1`.
    if text.count > 9, text[text.count - 9] == UInt8(ascii: " "),
      text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self) & version
        == UInt64(littleEndian: 0x302E_302F_5054_5448)
    {
      return UnsafeRawBufferPointer(rebasing: text[..<(text.count - 9)]).trimmed
    }
    return unusualTarget(text.trimmed)
  }

  /// The bits of `HTTP/0.0` that are those of any version.
  private static let version = UInt64(littleEndian: 0xF0FF_F0FF_FFFF_FFFF)

  private static func unusualTarget(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = text.count
    while start > 0, text[start - 1] != UInt8(ascii: " ") { start -= 1 }
    let isProtocol = text[start...].starts(with: "HTTP/".utf8)
    return isProtocol ? UnsafeRawBufferPointer(rebasing: text[..<start]).trimmed : text
  }

  /// The object's bytes, as far as the answer tells them; nil when the bytes that were sent are no number.
  var size: UInt64? {
    if bytes.count == 1 && bytes[0] == UInt8(ascii: "-") { return Trace.unknownSize }
    guard let sent = bytes.objectSize else { return nil }
    return tellsSize ? sent : Trace.unknownSize
  }

  /// False where less than the object was sent: it is unchanged (304), a part of it (206), none of it (416, HEAD).
  private var tellsSize: Bool {
    switch status {
    case 206, 304, 416: false
    default: !method.elementsEqual("HEAD".utf8)
    }
  }

  /// The time in nanoseconds since 1970; nil when the text is no time.
  var time: Int64? {
    // dd/Mon/yyyy:hh:mm:ss +hhmm
    let text = timeText
    guard text.count == 26, text[2] == UInt8(ascii: "/"), text[6] == UInt8(ascii: "/"),
      text[11] == UInt8(ascii: ":"), text[14] == UInt8(ascii: ":"), text[17] == UInt8(ascii: ":"),
      text[20] == UInt8(ascii: " "), text[21] == UInt8(ascii: "+") || text[21] == UInt8(ascii: "-"),
      let day = text.number(0..<2), let month = Self.month(text, at: 3),
      let year = text.number(7..<11), let hour = text.number(12..<14),
      let minute = text.number(15..<17), let second = text.number(18..<20),
      let zoneHours = text.number(22..<24), let zoneMinutes = text.number(24..<26)
    else { return nil }
    let zone = (zoneHours * 60 + zoneMinutes) * 60
    let local = (Self.days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    let (time, isOver) = (local - (text[21] == UInt8(ascii: "-") ? -zone : zone))
      .multipliedReportingOverflow(by: .second)
    return isOver ? nil : time
  }

  /// The number of a month, from 1, by three letters of its English name.
  private static func month(_ text: UnsafeRawBufferPointer, at offset: Int) -> Int64? {
    months[UnsafeRawBufferPointer(rebasing: text[offset..<offset + 3])]
  }

  private static let months = Words<Int64>([
    (1, "jan"), (2, "feb"), (3, "mar"), (4, "apr"), (5, "may"), (6, "jun"), (7, "jul"), (8, "aug"),
    (9, "sep"), (10, "oct"), (11, "nov"), (12, "dec"),
  ])

  /// Days from 1970-01-01 to a day of the Gregorian calendar, whose years begin in March here so
  /// that the leap day is a year's last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays + dayOfYear - 719_468
  }
}

extension UnsafeRawBufferPointer {
  /// The whole number that some of the bytes are.
  fileprivate func number(_ range: Range<Int>) -> Int64? {
    UnsafeRawBufferPointer(rebasing: self[range]).wholeNumber.map(Int64.init(truncatingIfNeeded:))
  }
}
