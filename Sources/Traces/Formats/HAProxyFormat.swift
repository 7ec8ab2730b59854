import Parameters

/// HTTP logs of HAProxy (`option httplog`), behind syslog's words or bare.
///
///     Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"
///
/// A key is the request's target as it was logged; a size the bytes that were sent, with their headers; a time that of the
/// accepted request, which is logged without a zone and read as universal time. Requests that were none (`<BADREQ>`)
/// and what HAProxy says of itself are left out. See ``RequestLogFormat`` for methods. Logs of TCP connections name no
/// objects and are refused.
///
/// Source: docs.haproxy.org, “HTTP log format”.
struct HAProxyFormat: RequestLogFormat {
  static let information = CatalogEntry(
    name: "haproxy",
    summary: "HAProxy's HTTP logs (option httplog), with syslog's words or without",
    parameters: LogRules.parameters)

  static let layout =
    "client [time] frontend backend/server times status bytes … \"request\""
  static let fields = 5

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    guard let open = acceptDate(in: line) else {
      return line.isOfHAProxy ? .remark : nil
    }
    let behind = UnsafeRawBufferPointer(rebasing: line[(open + dateBytes + 1)...])
    guard splitter.split(behind) == fields else { return nil }
    let words = splitter.fields
    // Backend and server, then the times, both with strokes between them.
    guard words[1].contains(UInt8(ascii: "/")), words[2].contains(UInt8(ascii: "/")),
      let base = words[4].baseAddress, let start = behind.baseAddress,
      let quote = behind.place(of: UInt8(ascii: "\""), from: base - start + words[4].count)
    else { return nil }
    // A quote within the request is encoded; one that was cut off for its length lacks the last.
    let close = behind.place(of: UInt8(ascii: "\""), from: quote + 1) ?? behind.count
    let request = RequestLine(UnsafeRawBufferPointer(rebasing: behind[quote + 1..<close]))
    // Bytes that were logged before the response had ended bear a plus.
    let isEarly = words[4].first == UInt8(ascii: "+")
    return .request(
      LoggedRequest(
        method: request.method, target: request.target,
        bytes: isEarly ? UnsafeRawBufferPointer(rebasing: words[4][1...]) : words[4],
        status: words[3],
        timeText: UnsafeRawBufferPointer(rebasing: line[open..<open + dateBytes])))
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.commonLogTime }

  /// The bytes of `06/Feb/2009:12:14:14.655`.
  private static let dateBytes = 24

  /// The place of the date, behind its bracket; nil when there is none.
  @inline(__always)
  private static func acceptDate(in line: UnsafeRawBufferPointer) -> Int? {
    var at = 0
    while let bracket = line.place(of: UInt8(ascii: "["), from: at) {
      let close = bracket + dateBytes + 1
      if close < line.count, line[close] == UInt8(ascii: "]"),
        line[bracket + 3] == UInt8(ascii: "/"), line[close - 4] == UInt8(ascii: ".")
      {
        return bracket + 1
      }
      at = bracket + 1
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// True when syslog's words before the line say that it is one of HAProxy's.
  fileprivate var isOfHAProxy: Bool {
    var at = 0
    while let bracket = place(of: UInt8(ascii: "["), from: at) {
      if self[..<bracket].suffix(8).elementsEqual(" haproxy".utf8) { return true }
      at = bracket + 1
    }
    return false
  }
}
