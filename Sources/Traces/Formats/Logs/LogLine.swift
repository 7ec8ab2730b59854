/// The parts of a line of a web server's log.
struct LogLine {
  /// The text between the brackets: `10/Oct/2000:13:55:36 -0700`.
  let timeText: UnsafeRawBufferPointer
  /// The request's first word; empty when it is no request.
  let method: UnsafeRawBufferPointer
  /// The request between its first word and the protocol; empty when it is no request.
  let target: UnsafeRawBufferPointer
  /// The answer's status.
  let status: UnsafeRawBufferPointer
  /// The bytes that were sent, or `-`.
  let bytes: UnsafeRawBufferPointer

  /// Nil when the line doesn't have the parts.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    guard let open = line.place(of: UInt8(ascii: "["), from: 0),
      let close = line.place(of: UInt8(ascii: "]"), from: open),
      let quote = line.place(of: UInt8(ascii: "\""), from: close),
      // Other logs have words between the time and the request.
      line[close + 1..<quote].allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return nil }
    var end = quote + 1
    while end < line.count, line[end] != UInt8(ascii: "\"") {
      // A quote within the request is escaped.
      end += line[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < line.count, let start = line.baseAddress else { return nil }
    timeText = UnsafeRawBufferPointer(rebasing: line[open + 1..<close])
    let request = RequestLine(UnsafeRawBufferPointer(rebasing: line[quote + 1..<end]))
    (method, target) = (request.method, request.target)
    let status = line.word(from: end + 1, before: line.count)
    guard status.wholeNumber != nil, let base = status.baseAddress else { return nil }
    self.status = status
    bytes = line.word(from: base + status.count - start, before: line.count)
    if bytes.isEmpty { return nil }
  }
}
