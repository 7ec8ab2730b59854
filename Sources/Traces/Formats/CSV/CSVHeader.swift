/// The facts in the first lines of a CSV file: its delimiter and the fields of its first line.
struct CSVHeader {
  let delimiter: UInt8
  /// The fields of the first line, trimmed and unquoted.
  let names: [String]
  /// The number of the first line that is not blank, from 1.
  let line: Int

  private static let candidates: [UInt8] = [",", "\t", ";", "|", " "].map { UInt8(ascii: $0) }

  init(_ sample: TraceSample, delimiter given: UInt8?) {
    let all = sample.lines(64)
    let lines = all.filter { !$0.allSatisfy(UnsafeRawBufferPointer.isSpace) }
    line = all.prefix { $0.allSatisfy(UnsafeRawBufferPointer.isSpace) }.count + 1
    delimiter = given ?? Self.sniff(lines)
    names = Self.fields(lines.first ?? [], delimiter).map { field in
      var text = String(decoding: field, as: UTF8.self)
      if text.first == "\u{FEFF}" { text.removeFirst() }
      text = text.trimmed
      if text.first == "#" { text = String(text.dropFirst()).trimmed }
      return text.first == "\"" && text.last == "\"" && text.count > 1
        ? String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"") : text
    }
  }

  /// The delimiter that splits the lines alike, but for a quarter of them at most; else the first
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

  /// True when the first line holds a name that is known and no number.
  var looksLikeHeader: Bool { looksLikeHeader(named: []) }

  /// The same, where further names are known.
  func looksLikeHeader(named given: some Sequence<String>) -> Bool {
    if names.contains(where: { Double($0) != nil }) { return false }
    let known = CSVColumn.allCases.flatMap(\.names) + given.map { $0.lowercased() }
    return names.contains { known.contains($0.lowercased()) }
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

extension String {
  fileprivate var trimmed: String {
    let bytes = Array(utf8)
    return bytes.withUnsafeBytes { String(decoding: $0.trimmed, as: UTF8.self) }
  }
}
