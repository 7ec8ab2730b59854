import Parameters

/// Lines of JSON, one object each, whose members are named by paths.
///
///     {"level":"info","ts":1646861401.52,"request":{"method":"GET","uri":"/a?b=1"},"size":10900,"status":200}
///
/// `json:key=request.uri:size=size:time=ts:method=request.method` reads such a line: names have points between them. A key
/// is a string without its escapes, or a number as it stands; `request=PATH` instead names a member that holds `GET
/// /a?b=1 HTTP/1.1`. Times are numbers of units, or in the notation of ISO 8601 or of the Common Log Format. Methods are
/// treated as in access logs (``RequestLogFormat``), and operations by the words of ``TraceOperation/init(word:)``; without
/// either each line is a get. A size that is missing, null or `-` is not told, nor is one of the statuses 206, 304 and
/// 416 or of the method HEAD. Lines without the key are no requests; a file
/// that has none with it is refused.
///
/// The access logs of Caddy, Traefik and nginx (a `log_format` of nginx's own names, or Matomo's) are told by
/// their members and need no paths.
///
/// Source: caddyserver.com/docs/logging; doc.traefik.io, “Access logs”; nginx.org, ngx_http_log_module;
/// github.com/matomo-org/matomo-log-analytics.
struct JSONFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "json",
    summary: "JSON lines by paths (key=request.uri); Caddy's, nginx's and Traefik's logs without",
    parameters: JSONMember.allCases.map {
      Parameter($0.rawValue, .text, default: nil, help: "\($0.meaning): the path of its member")
    } + [.unit(default: "s")] + LogRules.parameters)

  private let given: [String?]
  private let unit: Int64
  private let rules: LogRules

  init(_ arguments: Arguments) throws(TraceError) {
    given = JSONMember.allCases.map { member in
      if case .text(let path) = arguments.value(member.rawValue) { path } else { nil }
    }
    unit = arguments.unit
    rules = try LogRules(arguments)
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    JSONLog.of(sample) == nil ? .no : .certain
  }

  static func specification(of sample: TraceSample) -> Specification {
    guard let paths = JSONLog.of(sample) else { return Specification(name: information.name) }
    return Specification(
      name: information.name,
      values: [
        "key": paths[.key], "request": paths[.request], "method": paths[.method],
        "size": paths[.size], "status": paths[.status], "time": paths[.time],
      ])
  }

  static func specification(for structure: TextStructure) -> String? {
    structure.kind == .json ? "json:key=PATH" : nil
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var paths = given
    if paths[.key] == nil, paths[.request] == nil {
      let sample = try input.sample()
      guard let known = JSONLog.of(sample) else {
        if sample.firstLine.isEmpty { return }
        throw input.malformed(
          line: 1, "nothing says which member is the key, of \(JSONLog.members(of: sample))",
          "name its path, for instance --trace-format json:key=request.uri")
      }
      for member in JSONMember.allCases where paths[member] == nil { paths[member] = known[member] }
    }
    if rules.statuses != nil, paths[.status] == nil {
      throw .usage(
        problem: "statuses=… needs the status of each line",
        remedy: "name the path of its member, for instance json:status=status")
    }
    try JSONLines(paths: paths, unit: unit, rules: rules).read(from: input, into: &builder)
  }
}

/// A member of a line that a request has something from.
enum JSONMember: String, CaseIterable {
  case key, request, size, status, time, method, operation, ttl
  case className = "class"

  var meaning: String {
    switch self {
    case .key: "the key"
    case .request: "method and key as 'GET /a HTTP/1.1'"
    case .size: "the object's bytes"
    case .status: "the status of the answer, of which 206, 304 and 416 tell no size"
    case .time: "the time of the request"
    case .method: "the method of HTTP"
    case .operation: "what the request does"
    case .ttl: "how long the object lives"
    case .className: "the tenant or class"
    }
  }

  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension [String?] {
  /// The path of a member.
  fileprivate subscript(member: JSONMember) -> String? {
    get { self[member.place] }
    set { self[member.place] = newValue }
  }
}

/// The logs whose members are known.
private enum JSONLog {
  /// The paths of the log that a sample's first request is of; nil for other texts.
  static func of(_ sample: TraceSample) -> [String?]? {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return nil }
    let values = JSONPaths(names)
    for line in sample.lines(64) {
      let present = line.withUnsafeBytes { text in
        values.read(text) ? Set(names.indices.filter { values[$0] != nil }.map { names[$0] }) : []
      }
      if present.isEmpty { continue }
      let log = known.first { log in
        let needed = JSONMember.allCases.compactMap { $0 == .status ? nil : log.paths[$0] }
        return (needed + log.others).allSatisfy(present.contains)
      }
      if let log { return log.paths }
    }
    return nil
  }

  /// The names of the first line's members.
  static func members(of sample: TraceSample) -> String {
    sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      var names: [String] = []
      while names.count < 12, let name = scanner.nextName() {
        names.append(name.excerpt)
        scanner.skipValue()
      }
      return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
  }

  /// The paths of all logs.
  private static let names =
    Set(known.flatMap { log in log.paths.compactMap { $0 } + log.others }).sorted()

  /// The paths of each log, and further members by which it is told.
  private static let known: [(paths: [String?], others: [String])] = {
    var known: [([JSONMember: String], [String])] = [
      (
        [
          .key: "request.uri", .method: "request.method", .size: "size", .status: "status",
          .time: "ts",
        ], []
      ),
      (
        [
          .key: "RequestPath", .method: "RequestMethod", .size: "DownstreamContentSize",
          .status: "DownstreamStatus", .time: "StartUTC",
        ], []
      ),
      (
        [.key: "path", .size: "length", .status: "status", .time: "date"],
        ["ip", "status", "user_agent"]
      ),
    ]
    for time in ["time_iso8601", "time_local", "msec", "time", "timestamp", "@timestamp"] {
      for size in ["body_bytes_sent", "bytes_sent"] {
        for key in ["request_uri", "uri"] {
          for method in ["request_method", "method"] {
            known.append(
              ([.key: key, .method: method, .size: size, .status: "status", .time: time], []))
          }
        }
        known.append(([.request: "request", .size: size, .status: "status", .time: time], []))
      }
    }
    return known.map { paths, others in (JSONMember.allCases.map { paths[$0] }, others) }
  }()
}

/// Reads lines whose members stand at these paths.
private struct JSONLines {
  let paths: [String?]
  let unit: Int64
  let rules: LogRules

  private var provided: TraceColumns {
    let columns: [(JSONMember, TraceColumns)] = [
      (.size, .sizes), (.time, .times), (.operation, .operations), (.method, .operations),
      (.request, .operations), (.ttl, .ttls), (.className, .classes),
    ]
    return columns.reduce(into: []) { if paths[$1.0] != nil { $0.insert($1.1) } }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var details = RequestDetails(provided, wanted: builder.wanted)
    let values = JSONPaths(paths)
    let (methods, words) = (rules.methods, TraceOperation.words)
    let places = (
      key: JSONMember.key.place, request: JSONMember.request.place, size: JSONMember.size.place,
      status: JSONMember.status.place, time: JSONMember.time.place, method: JSONMember.method.place,
      operation: JSONMember.operation.place, ttl: JSONMember.ttl.place,
      className: JSONMember.className.place
    )
    let isHTTP = paths[.method] != nil || paths[.request] != nil
    var key = KeyText()
    var hasKeys = false
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      do throws(TraceError) {
        guard values.read(lines.text) else { throw lines.noObject() }
        var text = values[places.key]
        var method = values[places.method]
        if let request = values[places.request] {
          let line = RequestLine(request)
          text = text ?? line.target
          method = method ?? line.method
        }
        guard let text else { continue }
        hasKeys = true
        if text.isEmpty { continue }
        if let statuses = rules.statuses, !statuses.contains(values[places.status]) {
          builder.passOver()
          continue
        }
        if text.count > TraceInput.longestLine {
          throw lines.malformed("a key of \(text.count) bytes")
        }
        if let word = values[places.operation] {
          guard let operation = words[word] else { throw lines.wrong(word, "operation") }
          details.operation = operation
        } else if isHTTP {
          guard let operation = method.flatMap({ methods[$0] }) else {
            builder.passOver()
            continue
          }
          details.operation = operation
        }
        if details.has(.sizes) {
          details.size = Trace.unknownSize
          if let size = values[places.size], size.count != 1 || size[0] != UInt8(ascii: "-") {
            guard let bytes = size.objectSize else { throw lines.wrong(size, "size") }
            let isPart = values[places.status]?.isStatusOfPart ?? false || method?.isHead ?? false
            if !isPart { details.size = bytes }
          }
        }
        if details.has(.times) {
          guard let time = values[places.time] else { throw lines.malformed("the time is missing") }
          guard let instant = time.anyTime(unit: unit) else { throw lines.wrong(time, "time") }
          details.time = instant
        }
        if details.has(.ttls) {
          details.ttl = 0
          if let ttl = values[places.ttl] {
            guard let duration = ttl.duration(unit: unit), duration >= 0 else {
              throw lines.wrong(ttl, "time to live")
            }
            details.ttl = duration
          }
        }
        if details.has(.classes) {
          details.className =
            values[places.className] ?? UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let target = rules.key(text)
        let isEscaped = target.place(of: UInt8(ascii: "\\"), from: 0) != nil
        if !isEscaped && rules.ignored == nil {
          try builder.append(text: target, details)
          continue
        }
        key.clear()
        if isEscaped { key.append(unescapingJSON: target) } else { key.append(target) }
        if let ignored = rules.ignored { key.removeParameters(ignored) }
        try builder.append(text: key.bytes, details)
      } catch {
        try rules.damage.leaveOut(error, to: &builder)
      }
    }
    if !hasKeys, lines.number > 0, !builder.hasLeftOut {
      let path = paths[.key] ?? paths[.request] ?? ""
      throw lines.malformed(
        "no line has a member '\(path)'",
        "name the path of the key, for instance json:key=request.uri")
    }
  }
}
