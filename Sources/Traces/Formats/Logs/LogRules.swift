import Parameters

/// The choice of a log's lines that are requests, and of the part of a target that is the key.
struct LogRules: Sendable {
  /// The parameter of logs without statuses and queries.
  static let methodsParameter = Parameter(
    "methods", .choice(["get", "all"]), default: .text("get"),
    help: "the methods that are requests: GET, or all")

  static let parameters = [
    methodsParameter,
    Parameter(
      "statuses", .text, default: nil,
      help: "the answers that are kept, such as 200,304 or 2xx; by default all"),
    Parameter(
      "query", .choice(["keep", "drop"]), default: .text("keep"),
      help: "the part of a key from the question mark on"),
    Parameter(
      "ignore", .text, default: nil,
      help: "the parameters of a query that are no part of a key, such as utm_*,fbclid"),
    DamageRule.parameter,
  ]

  /// The operations of the methods that are requests.
  let methods: Words<TraceOperation>
  /// The statuses that are kept; nil for all.
  let statuses: StatusSet?
  /// True where keys end at the question mark.
  let dropsQueries: Bool
  /// The parameters of queries that are no part of a key; nil for none.
  let ignored: QueryNames?
  /// The treatment of damaged lines.
  let damage: DamageRule

  /// The rules that are given.
  ///
  /// - Parameters:
  ///   - arguments: The parameters of a format.
  ///   - areOfHTTP: False for logs that have neither statuses nor queries.
  init(_ arguments: Arguments, areOfHTTP: Bool = true) throws(TraceError) {
    methods = Words(
      arguments.text("methods") == "all"
        ? [(.get, "get head options"), (.set, "put post patch"), (.delete, "delete")]
        : [(.get, "get")])
    if areOfHTTP, case .text(let codes) = arguments.value("statuses") {
      statuses = try StatusSet(codes)
    } else {
      statuses = nil
    }
    if areOfHTTP, case .text(let names) = arguments.value("ignore") {
      ignored = try QueryNames(names)
    } else {
      ignored = nil
    }
    dropsQueries = areOfHTTP && arguments.text("query") == "drop"
    damage = DamageRule(arguments)
  }

  /// The key of a target or of its end.
  @inline(__always)
  func key(_ target: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard dropsQueries, let mark = target.place(of: UInt8(ascii: "?"), from: 0) else {
      return target
    }
    return UnsafeRawBufferPointer(rebasing: target[..<mark])
  }
}

/// The treatment of a log's damaged lines.
struct DamageRule: Sendable {
  static let parameter = Parameter(
    "damaged", .choice(["refuse", "skip"]), default: .text("refuse"),
    help: "the treatment of a damaged line: it ends the reading, or is left out and counted")

  private let skips: Bool
  private let format: String

  /// The rule that is given among the parameters of a format.
  init(_ arguments: Arguments) {
    skips = arguments.text("damaged") == "skip"
    format = arguments.name
  }

  /// Leaves a damaged line out, which the builder counts. Throws where damage ends the reading, and any error that is
  /// not a line's.
  func leaveOut(_ error: TraceError, to builder: inout TraceBuilder) throws(TraceError) {
    guard case .malformed(let file, .line(let line), let problem, let remedy) = error else {
      throw error
    }
    if skips { return builder.leaveOut(error) }
    throw .malformed(
      file: file, place: .line(line), problem: problem,
      remedy: remedy == TextLines.usualRemedy
        ? "correct the line, name another format, or leave such lines out: "
          + "--trace-format \(format):damaged=skip"
        : remedy)
  }
}

/// Names of parameters in queries.
struct QueryNames: Sendable {
  private let names: [(bytes: [UInt8], isStart: Bool)]

  /// The names of `utm_*,fbclid`; one that ends in `*` stands for all that begin so. Throws `usage` for an empty one.
  init(_ text: String) throws(TraceError) {
    var names: [(bytes: [UInt8], isStart: Bool)] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isStart = word.hasSuffix("*")
      let name = isStart ? word.dropLast() : word
      if name.isEmpty {
        throw .usage(
          problem: "ignore=\(text): “\(word)” is no name of a parameter",
          remedy: "give names or their starts, such as ignore=utm_*,fbclid")
      }
      names.append((bytes: Array(name.utf8), isStart: isStart))
    }
    self.names = names
  }

  /// True for one of them.
  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    names.contains { $0.isStart ? name.starts(with: $0.bytes) : name.elementsEqual($0.bytes) }
  }
}

/// Statuses of HTTP's answers.
struct StatusSet: Sendable {
  /// True at each status that is in the set.
  private var members = [Bool](repeating: false, count: 1_000)

  /// The set of `200,304` and of `2xx`, which is a class. Throws `usage` for any other text.
  init(_ text: String) throws(TraceError) {
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isClass = word.count == 3 && word.lowercased().hasSuffix("xx")
      guard let first = Int(isClass ? word.prefix(1) : word), isClass || 100...999 ~= first,
        first > 0
      else {
        throw .usage(
          problem: "statuses=\(text): “\(word)” is no status",
          remedy: "give numbers of three digits or classes, such as statuses=200,404 or 2xx")
      }
      for status in isClass ? first * 100..<first * 100 + 100 : first..<first + 1 {
        members[status] = true
      }
    }
  }

  /// True for the text of one of them; false for nil and any other text.
  @inline(__always)
  func contains(_ text: UnsafeRawBufferPointer?) -> Bool {
    guard let text, text.count == 3, let number = text.wholeNumber else { return false }
    return members[Int(truncatingIfNeeded: number)]
  }
}
