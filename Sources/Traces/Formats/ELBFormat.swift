import Parameters

/// Access logs of Amazon's load balancers: Application Load Balancers, whose lines begin with the type of the
/// connection, and Classic ones, whose lines begin with the time; told line by line.
///
///     2015-05-13T23:39:43.945958Z my-elb 1.2.3.4:2817 10.0.0.1:80 0.000086 0.001048 0.001337 200 200 0 57 "GET http://a.com:80/x HTTP/1.1" …
///     h2 2020-01-01T00:55:04.127531Z app/my-alb/abc 1.2.3.4:2817 10.0.0.1:80 0.001 0.102 0.000 200 200 225 24950 "GET https://a.com:443/x HTTP/1.1" …
///
/// A key is the request's target as it was logged: the whole URL; a size the bytes that were sent to the client.
/// Lines without a request (`"- - - "`, a TCP connection) are left out. See ``RequestLogFormat`` for methods.
///
/// Source: docs.aws.amazon.com/elasticloadbalancing, “Access logs” of both kinds.
struct ELBFormat: RequestLogFormat {
  static let information = CatalogEntry(
    name: "elb", summary: "access logs of Amazon's Application and Classic Load Balancers",
    parameters: LogRules.parameters)

  static let layout =
    "[type] time elb client target time time time status status received sent \"request\""
  static let fields = 13

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    if line.first == UInt8(ascii: "#") { return .remark }
    let found = splitter.splitQuoted(line)
    let fields = splitter.fields
    // The type is a word, the time is not.
    guard found > 11, let first = fields[0].first else { return nil }
    let shift = first &- 0x30 < 10 ? 0 : 1
    guard found > 11 + shift, fields[4 + shift].duration(unit: 1) != nil,
      fields[6 + shift].duration(unit: 1) != nil, isStatus(fields[7 + shift])
    else { return nil }
    let request = RequestLine(fields[11 + shift])
    return .request(
      LoggedRequest(
        method: request.method, target: request.target, bytes: fields[10 + shift],
        status: fields[7 + shift], timeText: fields[shift]))
  }

  private static func isStatus(_ text: UnsafeRawBufferPointer) -> Bool {
    text.wholeNumber != nil || text.count == 1 && text[0] == UInt8(ascii: "-")
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.isoTime }
}
