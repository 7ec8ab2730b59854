/// Turns the fields of a record into a request.
struct CSVTaker {
  private let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
  private let key: Int
  private let others: [(CSVColumn, Int)]
  private let nanoseconds: Int64
  private let input: TraceInput
  private let words = TraceOperation.words
  /// The column of the operation; nil where there is none.
  private let operation: Int?

  init(
    columns: [CSVColumn: Int], fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>,
    nanoseconds: Int64, input: TraceInput
  ) {
    self.fields = fields
    self.nanoseconds = nanoseconds
    self.input = input
    key = columns[.key] ?? 0
    operation = columns[.operation]
    others = CSVColumn.allCases.compactMap { column in
      column == .key ? nil : columns[column].map { (column, $0) }
    }
  }

  @inline(__always)
  func take(line: Int, into builder: inout TraceBuilder) throws(TraceError) {
    let text = fields[key].trimmed
    if text.isEmpty { throw malformed("the key is empty", line) }
    try builder.append(text: text)
    for (column, number) in others { try take(column, fields[number], line, &builder) }
  }

  /// True if the record says that it is a get: one of 0 bytes missed, and tells no size.
  private var isGet: Bool { operation.map { words[fields[$0].trimmed] == .get } ?? false }

  private func take(
    _ column: CSVColumn, _ field: UnsafeRawBufferPointer, _ line: Int,
    _ builder: inout TraceBuilder
  ) throws(TraceError) {
    let field = field.trimmed
    switch column {
    case .key: break
    case .size:
      guard let size = field.objectSize else { throw wrong(column, field, line) }
      builder.append(size: size == 0 && isGet ? Trace.unknownSize : size)
    case .time:
      guard let time = field.duration(unit: nanoseconds) else {
        throw malformed(
          "'\(field.excerpt)' is no time", line,
          remedy: "correct the line, or give the unit, for instance csv:unit=ns")
      }
      builder.append(time: time)
    case .ttl:
      guard let ttl = field.isEmpty ? 0 : field.duration(unit: nanoseconds), ttl >= 0 else {
        throw wrong(column, field, line)
      }
      builder.append(ttl: ttl)
    case .cost:
      guard let cost = Double(String(decoding: field, as: UTF8.self)), cost.isFinite else {
        throw wrong(column, field, line)
      }
      builder.append(cost: cost)
    case .operation:
      guard let operation = words[field] else { throw wrong(column, field, line) }
      builder.append(operation: operation)
    case .className:
      builder.append(className: String(decoding: field, as: UTF8.self))
    }
  }

  private func wrong(
    _ column: CSVColumn, _ field: UnsafeRawBufferPointer, _ line: Int
  ) -> TraceError {
    malformed("'\(field.excerpt)' is no \(column.rawValue)", line)
  }

  private func malformed(
    _ problem: String, _ line: Int,
    remedy: String = "correct the line, or say which column is which"
  ) -> TraceError { input.malformed(line: line, problem, remedy) }
}
