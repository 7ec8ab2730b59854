/// The facts in the first lines of a CSV file: its delimiter and the fields of the line that may name its columns.
struct CSVHeader {
  let delimiter: UInt8
  /// The fields of the line, trimmed and unquoted: the first that is neither blank nor a comment, or a comment in front
  /// of it that has as many.
  let names: [String]
  /// The number of the line, from 1.
  let line: Int
  /// The lines, blank and comments, before the first request where the columns are named (``line`` among them where it
  /// is a comment), and where they are not.
  private(set) var linesBefore = (named: 0, unnamed: 0)
  /// True when the line names the columns, false when it is a request, nil where the content cannot tell.
  let isHeader: Bool?
  /// True when names are among those of ``CSVColumn/names``.
  let hasKnownNames: Bool

  private static let candidates: [UInt8] = [",", "\t", ";", "|", " "].map { UInt8(ascii: $0) }

  init(_ sample: TraceSample, delimiter given: UInt8?) {
    let all = Array(sample.lines(1024).enumerated()).filter { !$0.element.isBlank }
    // Where all lines begin so, they are no comments.
    let comments = all.prefix { $0.element.isComment }
    let lines = (comments.count < all.count ? all.dropFirst(comments.count) : all[...]).prefix(64)
    let delimiter = given ?? Self.sniff(lines.map(\.element))
    self.delimiter = delimiter
    func count(_ line: ArraySlice<UInt8>) -> Int { Self.fields(line, delimiter).count }

    let first = lines.first ?? (0, [])
    let marked = comments.last.flatMap { count($0.element) == count(first.element) ? $0 : nil }
    let header = marked ?? first
    line = header.offset + 1
    names = Self.names(header.element, delimiter)
    let rows = (marked == nil ? lines.dropFirst() : lines).map { Self.names($0.element, delimiter) }
    let evidence = HeaderEvidence(
      names, over: rows.filter { [count = names.count] in $0.count == count })
    hasKnownNames = evidence.known > 0
    isHeader = evidence.verdict(isComment: header.element.isComment)
    linesBefore.named = marked == nil ? first.offset : header.offset + 1
    // A comment is set off by a blank, where it might as well be a request.
    linesBefore.unnamed =
      comments.first { line in
        count(line.element) == count(first.element) && !line.element.isSetOffComment
      }?.offset ?? first.offset
  }

  /// The delimiter that splits the lines alike, except for a quarter of them at most; else the first
  /// that splits the first line; a comma when there is one column.
  private static func sniff(_ lines: [ArraySlice<UInt8>]) -> UInt8 {
    guard let first = lines.first else { return UInt8(ascii: ",") }
    let splitting = candidates.filter { fields(first, $0).count > 1 }
    let even = splitting.first { candidate in
      let count = fields(first, candidate).count
      return lines.count { fields($0, candidate).count != count } * 4 <= lines.count
    }
    return even ?? splitting.first { $0 != UInt8(ascii: " ") } ?? UInt8(ascii: ",")
  }

  /// The fields of a line as they stand, quotes included.
  private static func fields(
    _ line: ArraySlice<UInt8>, _ delimiter: UInt8
  ) -> [ArraySlice<UInt8>] {
    if delimiter == UInt8(ascii: " ") { return line.split(separator: delimiter) }
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if line[index] == delimiter, !isQuoted {
        fields.append(line[start..<index])
        start = index + 1
      }
    }
    return fields + [line[start...]]
  }

  /// The fields of a line, trimmed and unquoted, without the mark of a comment.
  private static func names(_ line: ArraySlice<UInt8>, _ delimiter: UInt8) -> [String] {
    let line = line.isComment ? line.drop { $0 == UInt8(ascii: "#") || $0 == 0x20 } : line
    return fields(line, delimiter).map { field in
      let text = String(decoding: field, as: UTF8.self).trimmed
      return text.first == "\"" && text.last == "\"" && text.count > 1
        ? String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"") : text
    }
  }

  /// The units of times, with their nanoseconds.
  static let units: [(name: String, nanoseconds: Int64)] = [
    ("s", .second), ("ms", .millisecond), ("us", .microsecond), ("ns", 1),
  ]

  /// The nanoseconds of a time's unit: as given, as the column's name ends, else a second's.
  func nanoseconds(given: String?, ofColumn number: Int?) -> Int64 {
    let name = number.flatMap { $0 < names.count ? names[$0].lowercased() : nil } ?? ""
    let unit = Self.units.first { unit in
      given.map { $0 == unit.name } ?? name.hasSuffix("_" + unit.name)
    }
    return unit?.nanoseconds ?? Self.units[0].nanoseconds
  }

  /// The name, in small letters, of the header's column that serves this purpose.
  func name(of column: CSVColumn) -> String? {
    let names = Set(names.map { $0.lowercased() })
    return column.names.first(where: names.contains)
  }

  /// The number from 0 of the first column that has one of these names, in any case.
  func number(of wanted: String...) -> Int? {
    names.firstIndex { wanted.contains($0.lowercased()) }
  }

  /// The numbers from 0 of the columns of this name: in its case, else in any.
  func numbers(ofName name: String) -> [Int] {
    let alike = names.indices.filter { names[$0] == name }
    return alike.isEmpty
      ? names.indices.filter { names[$0].lowercased() == name.lowercased() } : alike
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isBlank: Bool { allSatisfy(UnsafeRawBufferPointer.isSpace) }

  fileprivate var isComment: Bool {
    first { !UnsafeRawBufferPointer.isSpace($0) } == UInt8(ascii: "#")
  }

  /// True for `# text` and `##`.
  fileprivate var isSetOffComment: Bool {
    let second = drop(while: UnsafeRawBufferPointer.isSpace).dropFirst().first
    return second.map { $0 == UInt8(ascii: "#") || UnsafeRawBufferPointer.isSpace($0) } ?? true
  }
}

extension String {
  fileprivate var trimmed: String {
    let bytes = Array(utf8)
    return bytes.withUnsafeBytes { String(decoding: $0.trimmed, as: UTF8.self) }
  }
}
