import Parameters

/// Logs of web servers and proxies in the Common or the Combined Log Format.
///
///     127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
///
/// A key is the request's target as it was logged, query included; a size the bytes that were sent;
/// `-`, the answers 206, 304 and 416, and HEAD tell none. A time is that of the log, in nanoseconds since 1970. What follows the bytes
/// (referer, user agent) is not read. Only GET is a request, unless all methods are requested: then
/// GET, HEAD and OPTIONS are gets, PUT, POST and PATCH sets, and DELETE removes. Lines without a
/// request (`"-"`, or the bytes of another protocol) are left out.
///
/// Source: httpd.apache.org/docs, “Log Files”; the default of nginx is the same.
struct AccessLogFormat: RequestLogFormat {
  static let information = CatalogEntry(
    name: "access-log",
    summary: "logs of nginx, Apache and others (Common or Combined Log Format): the URL is the key",
    parameters: LogRules.parameters)

  static let layout = "host ident user [time] \"request\" status bytes"
  static let fields = 1
  static let certainty = Recognition.likely

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    LogLine(line).map {
      .request(
        LoggedRequest(
          method: $0.method, target: $0.target, bytes: $0.bytes, status: $0.status,
          timeText: $0.timeText))
    }
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.commonLogTime }
}
