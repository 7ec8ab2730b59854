import Parameters

/// Logs in the W3C's Extended Log File Format, whose `#Fields:` names the columns: those of IIS, CloudFront, NetScaler,
/// Incapsula, SHOUTcast and others.
///
///     #Version: 1.0
///     #Fields: date time cs-method cs-uri-stem cs-uri-query sc-status sc-bytes
///     2012-04-01 00:00:13 GET /foo/bar a=1&b=2 200 27028
///
/// A key is `cs-uri`, or `cs-uri-stem`, with `?` and `cs-uri-query` where there is one (`-` means that there is no query); a size `sc-bytes`, 0
/// where the log has `-`; a time `date` and `time`, as universal time. Columns stand apart by blanks or tabs, and fields
/// with blanks are in quotes. A further `#Fields:` changes the columns of what follows it; what the first lacks must
/// not be needed later. Where `cs-method` is missing each line is a get; see ``RequestLogFormat`` for methods.
///
/// Source: www.w3.org/TR/WD-logfile; learn.microsoft.com, “W3C Logging”; docs.aws.amazon.com/AmazonCloudFront, “Standard
/// logging”.
struct W3CFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "w3c",
    summary: "W3C extended logs (IIS, CloudFront and others), whose #Fields: names the columns",
    parameters: LogRules.parameters)

  private let rules: LogRules

  init(_ arguments: Arguments) throws(TraceError) { rules = try LogRules(arguments) }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.isText else { return .no }
    for line in sample.lines(32) {
      if W3CColumns.isHeader(line) { return .certain }
      let isRemark =
        line.first { !UnsafeRawBufferPointer.isSpace($0) }.map { $0 == UInt8(ascii: "#") } ?? true
      if !isRemark { return .no }
    }
    return .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    var columns: W3CColumns?
    var requests = LoggedRequests(rules, [], wanted: builder.wanted)
    builder.expectUnknownSizes()
    var splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 1)
    var provided: TraceColumns = []
    while !builder.isFull, try lines.next() {
      if lines.text.first == UInt8(ascii: "#") {
        guard W3CColumns.isHeader(lines.text) else { continue }
        guard let named = W3CColumns(lines.text) else {
          throw lines.malformed("#Fields names no cs-uri-stem and no cs-uri")
        }
        if columns == nil {
          provided = named.provided
          requests = LoggedRequests(rules, provided, wanted: builder.wanted)
        }
        let needed = provided.intersection(builder.wanted)
        if rules.statuses != nil, !named.hasStatus {
          throw lines.malformed("#Fields names no sc-status", "leave statuses=… out")
        }
        guard named.provided.isSuperset(of: needed) else {
          throw lines.malformed(
            "#Fields lacks \(needed.subtracting(named.provided).names.joined(separator: ", "))")
        }
        columns = named
        splitter = FieldSplitter(delimiter: 0, most: named.most)
        continue
      }
      guard let columns else { throw lines.malformed("no #Fields: before the first entry") }
      if splitter.delimiter == 0 {
        let hasTabs = lines.text.place(of: 0x09, from: 0) != nil
        splitter = FieldSplitter(delimiter: hasTabs ? 0x09 : 0x20, most: columns.most)
      }
      let found = splitter.splitQuoted(lines.text)
      do throws(TraceError) {
        if found < columns.most {
          throw lines.malformed(
            "\(found) \(found == 1 ? "column" : "columns") where \(columns.most) are needed")
        }
        let fields = splitter.fields
        try requests.append(
          columns.request(fields), { columns.time(fields, $0) }, in: lines, to: &builder)
      } catch {
        try rules.damage.leaveOut(error, to: &builder)
      }
    }
  }
}

/// The columns of a log, by the line that names them.
private struct W3CColumns {
  private var target = -1
  private var query: Int?
  private var method: Int?
  private var size: Int?
  private var status: Int?
  private var day: Int?
  private var time: Int?
  /// The columns up to the last that matters.
  private(set) var most = 0

  private static let mark = "#fields:"

  /// True when a line names columns.
  static func isHeader(_ line: some Collection<UInt8>) -> Bool {
    line.prefix(mark.utf8.count).map { $0 >= 0x41 && $0 < 0x5B ? $0 | 0x20 : $0 }
      .elementsEqual(mark.utf8)
  }

  /// Nil when no column names what was requested.
  init?(_ line: UnsafeRawBufferPointer) {
    let names = String(decoding: line.dropFirst(Self.mark.utf8.count), as: UTF8.self).lowercased()
      .split { $0 == " " || $0 == "\t" }
    func column(_ wanted: String...) -> Int? {
      wanted.lazy.compactMap { name in names.firstIndex { $0 == name } }.first
    }
    guard let target = column("cs-uri", "cs-uri-stem") else { return nil }
    self.target = target
    query = column("cs-uri-query")
    method = column("cs-method")
    size = column("sc-bytes")
    status = column("sc-status")
    day = column("date", "date-local")
    time = column("time", "time-local")
    most = ([target, query, method, size, status, day, time].compactMap { $0 }.max() ?? 0) + 1
  }

  /// True where a column holds the answer's status.
  var hasStatus: Bool { status != nil }

  /// The columns that a trace has of it.
  var provided: TraceColumns {
    var provided: TraceColumns = [.operations]
    if size != nil { provided.insert(.sizes) }
    if day != nil, time != nil { provided.insert(.times) }
    return provided
  }

  private static let get: StaticString = "GET"

  /// The request of a line with such fields.
  @inline(__always)
  func request(_ fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>) -> LoggedRequest {
    let get = UnsafeRawBufferPointer(start: Self.get.utf8Start, count: Self.get.utf8CodeUnitCount)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var query = query.map { fields[$0] }
    if let text = query, text.isEmpty || text.count == 1 && text[0] == UInt8(ascii: "-") {
      query = nil
    }
    return LoggedRequest(
      method: method.map { fields[$0] } ?? get, target: fields[target], rest: query,
      separator: UInt8(ascii: "?"), bytes: size.map { fields[$0] } ?? nothing,
      status: status.map { fields[$0] },
      timeText: time.map { fields[$0] } ?? nothing)
  }

  /// The nanoseconds since 1970 of a line's time on its day.
  @inline(__always)
  func time(
    _ fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>, _ text: UnsafeRawBufferPointer
  ) -> Int64? {
    day.flatMap { fields[$0].isoDay }.flatMap { text.time(onDay: $0, from: 0) }
  }
}
