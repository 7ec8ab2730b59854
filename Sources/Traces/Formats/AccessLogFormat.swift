import Parameters

/// Logs of web servers and proxies in the Common or the Combined Log Format.
///
///     127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326
///
/// A key is the request's target as it was logged, query included; a size the bytes that were sent;
/// `-`, the answers 206, 304 and 416, and HEAD tell none. A time is that of the log, in nanoseconds since 1970. What follows the bytes
/// (referer, user agent) is not read. Only GET is a request, unless all methods are requested: then
/// GET, HEAD and OPTIONS are gets, PUT, POST and PATCH sets, and DELETE removes. Lines whose request is
/// none (`"-"`, or the bytes of another protocol) are left out.
///
/// Source: httpd.apache.org/docs, “Log Files”; the default of nginx is the same.
struct AccessLogFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "access-log",
    summary: "web-server logs (Common or Combined Log Format): the URL is the key",
    parameters: [
      Parameter(
        "methods", .choice(["get", "all"]), default: .text("get"),
        help: "whether only GET is a request, or every method")
    ])

  private let hasAllMethods: Bool

  init(_ arguments: Arguments) { hasAllMethods = arguments.text("methods") == "all" }

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.recognised(as: .likely) { LogLine($0)?.time != nil }
  }

  private static let methods = Words<TraceOperation>([
    (.get, "get head options"), (.set, "put post patch"), (.delete, "delete"),
  ])

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var details = RequestDetails([.sizes, .times, .operations], wanted: builder.wanted)
    builder.expectUnknownSizes()
    let methods = hasAllMethods ? Self.methods : Words<TraceOperation>([(.get, "get")])
    while !builder.isFull, try lines.next() {
      guard let line = LogLine(lines.text) else {
        throw lines.malformed("not 'host ident user [time] \"request\" status bytes'")
      }
      guard let operation = methods[line.method], !line.target.isEmpty else { continue }
      details.operation = operation
      if details.has(.times) {
        guard let time = line.time else { throw lines.wrong(line.timeText, "time") }
        details.time = time
      }
      if details.has(.sizes) {
        guard let size = line.size else { throw lines.wrong(line.bytes, "size") }
        details.size = size
      }
      try builder.append(text: line.target, details)
    }
  }
}
