/// The structure of a text's first lines, as it shows without knowing their format.
///
/// A text is a list of keys where nine lines in ten are one token each: no white space within, no comma,
/// semicolon or bar that splits nine lines in ten into equally many fields, and no mark of another layout at
/// the beginning. Blank lines, comments and a lone `*` do not count.
package struct TextStructure: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A key on each line.
    case keys
    /// Fields, equally many on nine lines in ten.
    case columns(Int, delimiter: UInt8)
    /// Objects or arrays of JSON.
    case json
    /// XML or HTML.
    case xml
    /// A log whose columns a line `#Fields:` names.
    case w3cLog
    /// `name=value`, alone or with others on the line.
    case namedValues
    /// Lines that begin alike.
    case marked(Mark)
    /// Words, not equally many on each line.
    case words
  }

  /// The beginning of a line that is no key.
  package enum Mark: String, CaseIterable, Sendable {
    case date = "lines that begin with a date or a time"
    case bracket = "lines that begin with a bracket"
    case quote = "lines that begin with a quote"
    case rule = "a table of ruled lines"
    case preamble = "a file of another kind"
  }

  package let kind: Kind
  /// The first line that shows it, from 1.
  package let line: Int

  /// The structure in one piece of a sentence.
  package var description: String {
    switch kind {
    case .keys: "keys, one per line"
    case .columns(let count, let delimiter):
      "\(count) columns with \(Self.name(of: delimiter)) between them"
    case .json: "JSON"
    case .xml: "XML"
    case .w3cLog: "a W3C log (#Fields)"
    case .namedValues: "name=value"
    case .marked(let mark): mark.rawValue
    case .words: "several words on a line, not equally many on each"
    }
  }

  /// True where one line tells it.
  package var isDecisive: Bool { [.json, .xml, .w3cLog].contains(kind) }

  private static func name(of delimiter: UInt8) -> String {
    switch delimiter {
    case UInt8(ascii: ","): "commas"
    case UInt8(ascii: ";"): "semicolons"
    case UInt8(ascii: "|"): "bars"
    case 0x09: "tabs"
    default: "blanks"
    }
  }

  /// The lines that are looked at, at most.
  private static let mostLines = 1000

  /// The structure of the lines that a sample holds whole; of the beginning of the first line where it holds none.
  init(_ sample: TraceSample) {
    var lines = sample.lines(Self.mostLines)
    if lines.isEmpty, !sample.head.isEmpty { lines = [sample.head[...]] }
    var tally = Tally()
    for (index, line) in lines.enumerated() {
      if let decisive = line.withUnsafeBytes({ tally.add($0.trimmed, line: index + 1) }) {
        (kind, self.line) = (decisive, index + 1)
        return
      }
    }
    (kind, line) = tally.verdict
  }
}

/// The traits that the lines of a text have in common.
private struct Tally {
  /// Lines that hold a request or a part of one.
  private var count = 0
  private var tokens = 0
  private var namedValues = 0
  private var marks: [TextStructure.Mark: (count: Int, line: Int)] = [:]
  private var firstLine = 1
  /// The first line that is no token.
  private var firstStructured: Int?
  /// The number of lines by their number of fields, for each delimiter.
  private var fields = [[Int: Int]](repeating: [:], count: delimiters.count)

  private static let delimiters: [UInt8] = ["\t", ",", ";", "|", " "].map { UInt8(ascii: $0) }

  /// Counts a line, without white space at its ends; its kind, where it tells that of the whole text.
  mutating func add(_ text: UnsafeRawBufferPointer, line: Int) -> TextStructure.Kind? {
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "#") || text.isWord("*") {
      return text.isFieldsOfW3C ? .w3cLog : nil
    }
    if count == 0 {
      firstLine = line
      if let decisive = text.decisiveBeginning { return decisive }
    }
    count += 1
    for (index, delimiter) in Self.delimiters.enumerated() {
      fields[index][text.fields(delimiter), default: 0] += 1
    }
    let mark = text.mark
    if let mark { marks[mark, default: (0, line)].count += 1 }
    let isNamed = text.beginsWithNamedValue
    if isNamed { namedValues += 1 }
    if mark == nil, !isNamed, !text.contains(where: UnsafeRawBufferPointer.isSpace) {
      tokens += 1
    } else if firstStructured == nil {
      firstStructured = line
    }
    return nil
  }

  /// True for nine lines in ten.
  private func isMost(_ lines: Int) -> Bool { lines * 10 >= count * 9 && lines > 0 }

  var verdict: (TextStructure.Kind, line: Int) {
    if count == 0 { return (.keys, 1) }
    for (index, delimiter) in Self.delimiters.enumerated() {
      guard let (number, lines) = fields[index].max(by: { $0.value < $1.value }), number > 1,
        isMost(lines)
      else { continue }
      return (
        isMost(namedValues) ? .namedValues : .columns(number, delimiter: delimiter), firstLine
      )
    }
    if isMost(tokens) { return (.keys, firstLine) }
    let line = firstStructured ?? firstLine
    if isMost(namedValues) { return (.namedValues, line) }
    // Of the marks the most frequent, of those the first.
    if let (mark, seen) = marks.max(by: {
      ($0.value.count, -$0.value.line) < ($1.value.count, -$1.value.line)
    }), seen.count * 2 > count - tokens {
      return (.marked(mark), seen.line)
    }
    return (.words, line)
  }
}

extension UnsafeRawBufferPointer {
  /// The number of fields that a delimiter separates; several blanks delimit like one.
  fileprivate func fields(_ delimiter: UInt8) -> Int {
    if delimiter == UInt8(ascii: " ") {
      return split(whereSeparator: { $0 == delimiter }).count
    }
    return 1 + count { $0 == delimiter }
  }

  private func begins(with text: StaticString) -> Bool {
    starts(with: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// True for the lines by which a W3C log begins.
  fileprivate var isFieldsOfW3C: Bool {
    begins(with: "#Fields") || begins(with: "#Version:") || begins(with: "#Software:")
  }

  /// The kind of a text whose first line this is, where that alone tells it.
  fileprivate var decisiveBeginning: TextStructure.Kind? {
    let second = dropFirst().first { !Self.isSpace($0) }
    switch self[0] {
    case UInt8(ascii: "{"):
      return second == nil || second == UInt8(ascii: "\"") || second == UInt8(ascii: "}")
        ? .json : .marked(.bracket)
    case UInt8(ascii: "["):
      guard let second else { return .json }
      if [#"{"#, #"["#, "\"", "]"].contains(Unicode.Scalar(second)) { return .json }
      let isNumbers = allSatisfy { byte in
        byte &- 0x30 < 10 || Self.isSpace(byte) || "[],.-+eE".utf8.contains(byte)
      }
      return isNumbers ? .json : nil
    case UInt8(ascii: "<"):
      let isName = second.map { $0 | 0x20 &- 0x61 < 26 || "?!/".utf8.contains($0) } ?? false
      return isName ? .xml : .marked(.bracket)
    default:
      let preambles: [StaticString] = ["-----BEGIN ", "%PDF-", "fio version ", "---\n"]
      return preambles.contains { begins(with: $0) } ? .marked(.preamble) : nil
    }
  }

  /// The mark that the line begins with.
  fileprivate var mark: TextStructure.Mark? {
    switch self[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"): return .bracket
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .quote
    case 0xE2 where count > 1 && (0x94...0x95).contains(self[1]): return .rule
    case UInt8(ascii: "+") where begins(with: "+--"): return .rule
    default: return beginsWithDate ? .date : nil
    }
  }

  /// True for the beginnings 2024-01-31, 31/Jan/2024, 1.12.2024, 23:59:59, 20240131T2359 and the like, where the text
  /// does not go on as a path or an address does.
  private var beginsWithDate: Bool {
    var at = 0
    guard let first = digits(&at), at < count else { return false }
    let separator = self[at]
    if first == 8, separator == UInt8(ascii: "T") {
      at += 1
      return (digits(&at) ?? 0) >= 4
    }
    guard "-/.:".utf8.contains(separator) else { return false }
    at += 1
    let middle = letters(&at) ?? digits(&at)
    guard let middle, at < count, self[at] == separator else { return false }
    at += 1
    guard let last = digits(&at) else { return false }
    if at < count {
      let next = self[at]
      if next == separator || next &- 0x30 < 10 { return false }
      if (next | 0x20) &- 0x61 < 26, next != UInt8(ascii: "T") { return false }
    }
    if separator == UInt8(ascii: ":") { return [first, middle, last] == [2, 2, 2] }
    return middle <= 3 && (first == 4 && last <= 2 || first <= 2 && last == 4)
  }

  /// Passes over digits and returns how many; nil when there are none.
  private func digits(_ at: inout Int) -> Int? {
    let start = at
    while at < count, self[at] &- 0x30 < 10 { at += 1 }
    return at > start ? at - start : nil
  }

  /// Passes over the three letters of a month and returns 3; nil when there are none.
  private func letters(_ at: inout Int) -> Int? {
    let end = at + 3
    guard end <= count, self[at..<end].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) else { return nil }
    at = end
    return 3
  }

  /// True for `name=value`, the name an identifier.
  fileprivate var beginsWithNamedValue: Bool {
    guard (self[0] | 0x20) &- 0x61 < 26 || self[0] == UInt8(ascii: "_") else { return false }
    let name = prefix { byte in
      (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "_-.".utf8.contains(byte)
    }
    // What ends in equals signs may be Base64.
    guard name.endIndex + 1 < count, self[name.endIndex] == UInt8(ascii: "=") else { return false }
    return self[name.endIndex + 1] != UInt8(ascii: "=")
  }
}
