/// The signs that a line names the columns of those below it, or is one of them.
struct HeaderEvidence {
  /// The fields that are names of ``CSVColumn``.
  private(set) var known = 0
  private let fields: Int
  private let hasRows: Bool
  /// A name stands over numbers alone.
  private var isOverNumbers = false
  /// A word without digits stands over texts that all have digits, or marks that names lack.
  private var isOverOthers = false
  /// A field is a value of its column: a number over numbers, a text that comes again or that is no name.
  private var isAlike = false

  /// The words for a value that a row lacks.
  private static let missing: Set = ["na", "n/a", "null", "nil", "none", "unknown"]

  /// The signs of a line over rows of as many fields.
  init(_ names: [String], over rows: [[String]]) {
    fields = names.count
    hasRows = !rows.isEmpty
    let knownNames = Set(CSVColumn.allCases.flatMap(\.names))
    for (column, name) in names.enumerated() {
      if knownNames.contains(name.lowercased()) { known += 1 }
      let values = rows.map { $0[column] }.filter { !$0.isEmpty }
      if !name.isEmpty, !values.isEmpty { look(name, over: values) }
    }
  }

  private mutating func look(_ name: String, over values: [String]) {
    let areNumbers = values.allSatisfy(\.isNumber)
    if name.isNumber {
      if areNumbers { isAlike = true }
    } else if areNumbers {
      if name.isName, !Self.missing.contains(name.lowercased()) { isOverNumbers = true }
    } else if !name.isName || values.contains(name) {
      isAlike = true
    } else if values.allSatisfy({ $0.contains(where: \.isNumber) }) {
      if name.contains(where: \.isNumber) { isAlike = true } else { isOverOthers = true }
    } else if values.allSatisfy({ !$0.isName }) {
      isOverOthers = true
    }
  }

  /// True when the line names the columns, false when it is a request, nil when nothing tells.
  func verdict(isComment: Bool) -> Bool? {
    if isComment { return known > 0 || isOverNumbers || !isAlike ? true : nil }
    if isOverNumbers, !isAlike { return true }
    if known > 0 {
      return isOverNumbers || isOverOthers || known == fields && !isAlike ? true : nil
    }
    if !hasRows { return false }
    return isAlike && !isOverNumbers ? false : nil
  }
}

extension String {
  /// True for decimal numbers, but not for `nan` and `inf`.
  fileprivate var isNumber: Bool {
    Double(self) != nil && utf8.allSatisfy { $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }
  }

  /// True for what a column may be called: a letter first, and no marks of paths, addresses and pairs.
  fileprivate var isName: Bool {
    guard let first, first.isLetter || first == "_" else { return false }
    return !contains { "/:=?@&\\".contains($0) }
  }
}
