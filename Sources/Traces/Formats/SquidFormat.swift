import Parameters

/// The access logs of Squid, in its own format (`logformat squid`).
///
///     1066036250.603    310 192.168.0.227 TCP_MISS/200 1374 GET http://www.a.com/x - DIRECT/203.186.145.1 text/html
///
/// The columns are the time in seconds, the answer's milliseconds, client, result and status, bytes, method, URL and more.
/// A key is the URL as it was logged; a size the bytes that were sent, with their headers. See ``RequestLogFormat`` for
/// methods: tunnels (`CONNECT`) are no requests.
///
/// Source: wiki.squid-cache.org/Features/LogFormat.
struct SquidFormat: RequestLogFormat {
  static let information = CatalogEntry(
    name: "squid", summary: "Squid's own access logs: time elapsed client result/status bytes …",
    parameters: LogRules.parameters)

  static let layout = "time elapsed client result/status bytes method URL"
  static let fields = 7

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    guard splitter.split(line) == fields else { return nil }
    let fields = splitter.fields
    let result = fields[3]
    guard fields[1].duration(unit: 1) != nil,
      let slash = result.place(of: UInt8(ascii: "/"), from: 0)
    else { return nil }
    let status = UnsafeRawBufferPointer(rebasing: result[(slash + 1)...])
    guard status.wholeNumber != nil, result[0] >= UInt8(ascii: "A"), result[0] <= UInt8(ascii: "Z")
    else { return nil }
    return .request(
      LoggedRequest(
        method: fields[5], target: fields[6], bytes: fields[4], status: status,
        timeText: fields[0]))
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.duration(unit: .second) }
}
