import Parameters

/// IBM's traces of a cloud object store (SNIA IOTTA 36305): the requests for one bucket.
///
///     1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056
///     1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167
///
/// The columns are time in milliseconds, operation, object, and, where they are known, the object's size and the first and
/// last byte that were read. A size is the object's, 0 where the line has none. The operation's middle word is the method,
/// see ``RequestLogFormat``. Caffeine reads the same requests, and leaves out those without a size.
///
/// Source: iotta.snia.org/traces/key-value/36305; Eytan et al., HotStorage 2020.
struct IBMObjectFormat: RequestLogFormat {
  static let information = CatalogEntry(
    name: "ibm-object",
    summary: "IBM's object store traces: time REST.GET.OBJECT object size first last",
    parameters: [LogRules.methodsParameter, DamageRule.parameter])

  static let layout = "time REST.method.OBJECT object [size]"
  static let fields = 4
  static let isOfHTTP = false

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    let found = splitter.split(line)
    let fields = splitter.fields
    guard found > 2, fields[1].starts(with: "REST.".utf8) else { return nil }
    guard let method = fields[1].methodOnObject else { return .remark }
    return .request(
      LoggedRequest(
        method: method, target: fields[2],
        bytes: found > 3 ? fields[3] : UnsafeRawBufferPointer(start: nil, count: 0),
        tellsWholeSize: true, timeText: fields[0]))
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.duration(unit: .millisecond) }
}
