import Parameters

/// Text in columns, with a header or without.
///
///     time,op,size,lbn
///     5633898,2a,512,42932745
///
/// Columns are found by the header's names (``CSVColumn/names``, in any case) or as the
/// parameters say, by name or by number from 1. Without a header the key's column must be named,
/// unless there is only one. A key is the field's bytes without white space at its ends, never
/// parsed as a number. Fields behind the last column that is read are passed over, but a line that has more of them
/// than the header is refused. Quotes follow RFC 4180: a quoted field may hold delimiters, line ends and
/// doubled quotes. Blank lines are skipped, and so are those before the first request that begin with `#`, of which the
/// last one may be the header. Several spaces delimit like one.
///
/// A first line that names the columns is told by a name over numbers, or by known names over other texts
/// (``HeaderEvidence``); where nothing tells, `header` must.
///
/// Where requests name their operation, a get of 0 bytes missed and tells no size.
///
/// Times may have a sign and a fraction; they are seconds unless the header's name ends in
/// another unit (`time_ns`) or the parameter says so. The words of operations are those of
/// ``TraceOperation/init(word:)``, SCSI's hexadecimal codes among them.
struct CSVFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "csv",
    summary: "text in columns for key, time, size, operation and more, found by header or number",
    parameters: CSVColumn.allCases.map { column in
      Parameter(
        column.rawValue, .text, default: nil,
        help: "\(column.use.meaning): its column's name or number from 1, or none")
    } + [
      Parameter(
        "delimiter", .text, default: nil,
        help: "one character, or comma, semicolon, tab, pipe, space; recognised when not given"),
      Parameter(
        "header", .choice(["yes", "no", "true", "false"]), default: nil,
        help: "whether the first line names the columns; recognised when not given"),
      Parameter(
        "unit", .choice(CSVHeader.units.map(\.name)), default: nil,
        help: "the unit of times and times to live; as a header like time_ns says, else s"),
    ])

  private let given: [CSVColumn: String]
  private let delimiter: UInt8?
  private let hasHeader: Bool?
  private let unit: String?

  init(_ arguments: Arguments) throws(TraceError) {
    var given: [CSVColumn: String] = [:]
    for column in CSVColumn.allCases {
      if case .text(let text) = arguments.value(column.rawValue) { given[column] = text }
    }
    self.given = given
    hasHeader =
      if case .text(let text) = arguments.value("header") { ["yes", "true"].contains(text) } else {
        nil
      }
    if case .text(let text) = arguments.value("delimiter") {
      guard let byte = Self.delimiter(of: text) else {
        throw .usage(
          problem: "'\(text)' is no delimiter of csv",
          remedy: "give one character, or comma, semicolon, tab, pipe, space")
      }
      delimiter = byte
    } else {
      delimiter = nil
    }
    unit = if case .text(let text) = arguments.value("unit") { text } else { nil }
  }

  private static let delimiters = [
    "comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "space": " ",
  ]

  private static func delimiter(of text: String) -> UInt8? {
    let bytes = (delimiters[text] ?? text).utf8
    guard bytes.count == 1, let byte = bytes.first, byte != UInt8(ascii: "\"") else { return nil }
    return byte
  }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.isText, !sample.isOpenLine, let structure = sample.structure,
      !structure.isDecisive
    else { return .no }
    let header = sample.header()
    let hasKey = header.isHeader == true && header.name(of: .key) != nil
    // A table that is drawn has columns without a name.
    if hasKey, header.names.count > 1, !header.names.contains("") { return .likely }
    let isNamed = sample.name.hasSuffix(".csv") || sample.name.hasSuffix(".tsv")
    // Words on lines without another delimiter may be a log as well.
    return isNamed && (hasKey || header.names.count > 1 || structure.kind == .keys) ? .likely : .no
  }

  static func specification(for structure: TextStructure) -> String? {
    guard case .columns(_, let delimiter) = structure.kind else { return nil }
    let names = Self.delimiters.first { $0.value.utf8.first == delimiter }
    return names.map { "csv:key=1:delimiter=\($0.key)" }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    if builder.wanted.contains(.prompts) {
      throw input.malformed(
        line: 1,
        TraceFormats.columnsOfPrompts, "give JSON lines with hash_ids (evict formats)")
    }
    let sample = try input.sample()
    let header = sample.header(delimiter: delimiter)
    let isNamed = try isNamed(header, input)
    if sample.isOpenLine, isNamed || given[.key] == nil {
      throw input.malformed(line: 1, "the only line does not end", "end it if it is whole")
    }
    var columns: [CSVColumn: Int] = [:]
    for column in CSVColumn.allCases where builder.wanted.isSuperset(of: column.use.column) {
      columns[column] = try number(of: column, in: header, isNamed: isNamed, input: input)
    }
    if columns[.key] == nil {
      guard header.names.count == 1 else {
        throw .usage(
          problem: "\(input.file): nothing says which of \(header.names.count) columns is the key",
          remedy: "name it, for instance --trace-format csv:key=1")
      }
      let structure = sample.structure
      if delimiter == nil, structure?.kind != .keys, structure?.kind != .marked(.quote) {
        throw .usage(
          problem:
            "\(input.file): \(structure?.description ?? "no text"), and nothing says what the key is",
          remedy: "say csv:key=1 if a whole line is the key, or give the delimiter, too")
      }
      columns[.key] = 0
    }
    var reader = CSVReader(
      input: input, columns: columns, of: isNamed ? header.names.count : nil,
      delimiter: header.delimiter,
      nanoseconds: header.nanoseconds(given: unit, ofColumn: isNamed ? columns[.time] : nil))
    let before = isNamed ? header.linesBefore.named : header.linesBefore.unnamed
    try reader.read(
      into: &builder, from: before + 1, skippingFirst: isNamed && before < header.line)
  }

  /// True when the columns are named: as given, or by what the first lines tell.
  private func isNamed(
    _ header: CSVHeader, _ input: TraceInput
  ) throws(TraceError) -> Bool {
    if let hasHeader { return hasHeader }
    if given.values.contains(where: { !header.numbers(ofName: $0).isEmpty && Int($0) == nil }) {
      return true
    }
    if let isHeader = header.isHeader { return isHeader }
    throw input.malformed(
      line: header.line, "nothing tells if the first line names the columns or is a request",
      "say csv:header=yes or csv:header=no")
  }

  /// The number from 0 of a column; nil when the file lacks it and no option names it.
  private func number(
    of column: CSVColumn, in header: CSVHeader, isNamed: Bool, input: TraceInput
  ) throws(TraceError) -> Int? {
    guard let text = given[column] ?? (isNamed ? header.name(of: column) : nil) else { return nil }
    if text == "none", column != .key { return nil }
    let numbers = isNamed ? header.numbers(ofName: text) : []
    if numbers.count > 1 {
      throw input.malformed(
        line: header.line, "\(numbers.count) columns are called '\(text)'",
        "say which by its number, for instance csv:\(column.rawValue)=\(numbers[0] + 1)")
    }
    if let number = numbers.first { return number }
    if let number = Int(text), number >= 1, number <= 1 << 16 { return number - 1 }
    let names = isNamed ? header.names.joined(separator: ", ") : "no names, only numbers from 1"
    throw .usage(
      problem: "\(input.file): there is no column '\(text)' for csv:\(column.rawValue)",
      remedy: "the file has \(names)")
  }
}
