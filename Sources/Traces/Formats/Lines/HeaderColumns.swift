/// Where the columns of a text are, by the names of its first line.
struct HeaderColumns {
  private let names: [String]

  /// The names of a line, in small letters.
  init(_ line: some Sequence<UInt8>, delimiter: Character) {
    names = String(decoding: Array(line), as: UTF8.self).lowercased()
      .split(separator: delimiter, omittingEmptySubsequences: false)
      .map { name in String(name.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
  }

  /// The number of columns.
  var count: Int { names.count }

  /// The number from 0 of the column that has one of these names.
  func column(_ wanted: String...) -> Int? { names.firstIndex { wanted.contains($0) } }

  /// Whether there is a column of each of these names.
  func has(_ wanted: String...) -> Bool { wanted.allSatisfy(names.contains) }
}
