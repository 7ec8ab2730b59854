import Parameters

/// A request as a web server, a proxy or a store has logged it.
struct LoggedRequest {
  /// The method, in any case; only those that are known are requests.
  var method: UnsafeRawBufferPointer
  /// The requested object; empty where none was.
  var target: UnsafeRawBufferPointer
  /// The rest of the key behind ``separator``; nil where the target is all of it.
  var rest: UnsafeRawBufferPointer?
  var separator: UInt8 = 0
  /// The bytes that were sent, or the object's, or `-`, or nothing.
  var bytes: UnsafeRawBufferPointer
  /// True where the bytes are the object's, whatever was sent.
  var tellsWholeSize = false
  /// The answer's status; nil where none is logged.
  var status: UnsafeRawBufferPointer?
  /// The time as it was logged.
  var timeText: UnsafeRawBufferPointer

  /// The object's bytes, as far as the answer tells them; nil when they are no number.
  var size: UInt64? {
    if bytes.isEmpty || bytes.count == 1 && bytes[0] == UInt8(ascii: "-") {
      return Trace.unknownSize
    }
    guard let size = bytes.objectSize else { return nil }
    if tellsWholeSize { return size }
    return method.isHead || status?.isStatusOfPart ?? false ? Trace.unknownSize : size
  }
}

extension UnsafeRawBufferPointer {
  /// True for the status of an answer that is less than the object: a part of it (206), nothing as it is unchanged (304)
  /// or as there is no such part (416).
  var isStatusOfPart: Bool {
    isWord("304") || isWord("206") || isWord("416")
  }

  /// True for the method that has no object in its answer.
  var isHead: Bool { isWord("HEAD") }
}

/// The meaning of a line of a log.
enum LoggedLine {
  case request(LoggedRequest)
  /// A line that is no request and no damage.
  case remark
}

/// A log of requests, one on a line.
///
/// Only GET is a request, unless all methods are requested: then GET, HEAD and OPTIONS are gets, PUT, POST and PATCH
/// sets, and DELETE removes. A size is the bytes that were sent; `-`, the answers 206, 304 and 416, and HEAD tell none.
/// ``LogRules`` say which lines are left out.
protocol RequestLogFormat: TraceFormat {
  /// The parts of a line, as the error names them that one lacks them.
  static var layout: String { get }
  /// The fields of a line that matter, where blanks set them apart.
  static var fields: Int { get }
  /// True where lines tell the status of an answer, and targets may have queries.
  static var isOfHTTP: Bool { get }
  /// The certainty with which lines of the layout are of the format.
  static var certainty: Recognition { get }

  /// The meaning of a line; nil when it has another layout. The splitter has room for ``fields``.
  static func read(_ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter)
    -> LoggedLine?

  /// The nanoseconds of a time; nil for any other text.
  static func time(_ text: UnsafeRawBufferPointer) -> Int64?

  /// The lines that are requests.
  var rules: LogRules { get }

  init(rules: LogRules)
}

extension RequestLogFormat {
  static var certainty: Recognition { .certain }
  static var isOfHTTP: Bool { true }

  init(_ arguments: Arguments) throws(TraceError) {
    self.init(rules: try LogRules(arguments, areOfHTTP: Self.isOfHTTP))
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: fields)
    return sample.recognised(as: certainty) { line in
      switch read(line, splitter) {
      case .request(let request): time(request.timeText) != nil
      case .remark: nil
      case nil: false
      }
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: Self.fields)
    var requests = LoggedRequests(rules, wanted: builder.wanted)
    builder.expectUnknownSizes()
    while !builder.isFull, try lines.next() {
      do throws(TraceError) {
        switch Self.read(lines.text, splitter) {
        case .request(let request):
          try requests.append(request, Self.time, in: lines, to: &builder)
        case .remark: continue
        case nil: throw lines.malformed("not '\(Self.layout)'")
        }
      } catch {
        try rules.damage.leaveOut(error, to: &builder)
      }
    }
  }
}

/// Turns logged requests into requests of a trace.
struct LoggedRequests: ~Copyable {
  private let rules: LogRules
  private var details: RequestDetails
  private var key = KeyText()

  init(
    _ rules: LogRules, _ provided: TraceColumns = [.sizes, .times, .operations],
    wanted: TraceColumns
  ) {
    self.rules = rules
    details = RequestDetails(provided, wanted: wanted)
  }

  /// Appends a request unless its method or its status does not count, or it has no target.
  @inline(__always)
  mutating func append(
    _ request: LoggedRequest, _ time: (UnsafeRawBufferPointer) -> Int64?,
    in lines: borrowing TextLines, to builder: inout TraceBuilder
  ) throws(TraceError) {
    guard let operation = rules.methods[request.method], !request.target.isEmpty,
      rules.statuses?.contains(request.status) ?? true
    else { return builder.passOver() }
    details.operation = operation
    if details.has(.times) {
      guard let time = time(request.timeText) else { throw lines.wrong(request.timeText, "time") }
      details.time = time
    }
    if details.has(.sizes) {
      guard let size = request.size else { throw lines.wrong(request.bytes, "size") }
      details.size = size
    }
    let isQuery = request.separator == UInt8(ascii: "?")
    let rest = isQuery && rules.dropsQueries ? nil : request.rest
    if rest == nil && rules.ignored == nil {
      return try builder.append(text: rules.key(request.target), details)
    }
    key.clear()
    if let rest {
      key.append(request.target)
      key.append(byte: request.separator)
      key.append(rules.key(rest))
    } else {
      key.append(rules.key(request.target))
    }
    if let ignored = rules.ignored { key.removeParameters(ignored) }
    try builder.append(text: key.bytes, details)
  }
}

/// The method and the target of `GET /index.html HTTP/1.1`, both empty where the text is no request.
struct RequestLine {
  let method: UnsafeRawBufferPointer
  /// All between the method and the protocol, as it may hold blanks itself; all behind the method where no protocol
  /// is named.
  let target: UnsafeRawBufferPointer

  @inline(__always)
  init(_ text: UnsafeRawBufferPointer) {
    let word = text.word(from: 0, before: text.count)
    let start = word.baseAddress.map { $0 + word.count - text.baseAddress.unsafelyUnwrapped }
    method = word
    target = Self.target(UnsafeRawBufferPointer(rebasing: text[(start ?? 0)...]))
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
}
