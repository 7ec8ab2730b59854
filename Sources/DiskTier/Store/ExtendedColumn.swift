/// The column of a row that holds the caller's extended data, and the tags of the entry before it where it has some.
///
/// Without tags the column is the extended data itself. With tags it begins with a mark, which extended data that begins
/// alike gets, too.
enum ExtendedColumn {
  private static let mark = Array("\0tags\0".utf8)

  /// The bytes of the column; nil if there is nothing to keep.
  static func bytes(_ extended: [UInt8]?, tags: Set<String>) -> [UInt8]? {
    if tags.isEmpty && extended?.starts(with: mark) != true { return extended }
    var bytes = mark
    append(tags.count, to: &bytes)
    for tag in tags.sorted() {
      append(tag.utf8.count, to: &bytes)
      bytes.append(contentsOf: tag.utf8)
    }
    bytes.append(extended == nil ? 0 : 1)
    return bytes + (extended ?? [])
  }

  /// The parts of a column. One that is no such column is extended data.
  static func parts(_ column: [UInt8]?) -> (extended: [UInt8]?, tags: Set<String>) {
    guard let column, column.starts(with: mark) else { return (column, []) }
    var rest = column.dropFirst(mark.count)
    var tags: Set<String> = []
    guard let count = number(&rest) else { return (column, []) }
    for _ in 0..<count {
      guard let length = number(&rest), length <= rest.count,
        let tag = String(validating: rest.prefix(length), as: UTF8.self)
      else { return (column, []) }
      tags.insert(tag)
      rest = rest.dropFirst(length)
    }
    guard let hasExtended = rest.popFirst() else { return (column, []) }
    return (hasExtended == 0 ? nil : Array(rest), tags)
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
