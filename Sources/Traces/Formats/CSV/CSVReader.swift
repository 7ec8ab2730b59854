/// Reads the records of a CSV file.
///
/// A line without quotes is split in place; one with quotes takes a slower way that copies what
/// the quotes hold.
struct CSVReader: ~Copyable {
  private let input: TraceInput
  private let nanoseconds: Int64
  private let columns: [CSVColumn: Int]
  /// The columns that a line has at most.
  private let allColumns: Int
  /// Finds the fields of a record, up to the last column that matters.
  private let splitter: FieldSplitter
  /// The bytes of a record's fields without their quotes.
  private let unquoted = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TraceInput.longestLine, alignment: 16)
  private var line = 0

  /// A reader of the columns with these numbers from 0; times are in units of
  /// `nanoseconds`.
  ///
  /// - Parameter all: The number of columns that the header names; nil without one.
  init(
    input: TraceInput, columns: [CSVColumn: Int], of all: Int?, delimiter: UInt8,
    nanoseconds: Int64
  ) {
    self.input = input
    self.columns = columns
    allColumns = all ?? .max
    self.nanoseconds = nanoseconds
    splitter = FieldSplitter(delimiter: delimiter, most: (columns.values.max() ?? 0) + 1)
  }

  deinit { unquoted.deallocate() }

  private var fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer> { splitter.fields }

  /// Reads the records from a line on.
  mutating func read(
    into builder: inout TraceBuilder, from firstLine: Int, skippingFirst: Bool
  ) throws(TraceError) {
    if columns[.size] != nil && columns[.operation] != nil { builder.expectUnknownSizes() }
    let taker = CSVTaker(
      columns: columns, fields: fields, nanoseconds: nanoseconds, input: input)
    var skips = skippingFirst
    // Bytes that begin a record whose quote is still open at the end of the block.
    var open = 0
    while !builder.isFull {
      guard let block = try input.nextLines(from: line + 1, beyond: open) else {
        if open == 0 { return }
        throw input.malformed(
          line: line + 1, "a quote is not closed", "close it or name another format")
      }
      open = 0
      let quote = UInt8(ascii: "\"")
      let holdsQuotes = block.place(of: quote, from: 0) != nil
      var lines = LineCursor(block)
      while let text = lines.line() {
        if line + 1 < firstLine {
          line += 1
          continue
        }
        let start = text.baseAddress.unsafelyUnwrapped
        if holdsQuotes, text.place(of: quote, from: 0) != nil {
          guard let end = try splitQuoted(start, lines.end) else {
            open = lines.end - start
            input.returnLast(open)
            break
          }
          lines.resume(at: end)
          if !skips { try taker.take(line: line + 1, into: &builder) }
          skips = false
          let record = UnsafeRawBufferPointer(start: start, count: end - start)
          line += max(1, record.count { $0 == 0x0A })
          continue
        }
        line += 1
        if text.isBlank { continue }
        if skips {
          skips = false
          continue
        }
        let found = splitter.split(text)
        guard found == fields.count else { throw tooFew(found, line: line) }
        if allColumns < .max {
          let all = found &+ splitter.fieldsBehind(in: text)
          if all > allColumns { throw tooMany(all, line: line) }
        }
        try taker.take(line: line, into: &builder)
      }
    }
  }

  /// Finds the fields of the record that begins at `start`, whose quotes may hold line ends, and
  /// returns where the next one begins; nil when a quote is open at `end`.
  private func splitQuoted(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer
  ) throws(TraceError) -> UnsafeRawPointer? {
    var parser = CSVQuotes(next: start, end: end, delimiter: splitter.delimiter, target: unquoted)
    var found = 0
    var all = 0
    var isRecord = true
    while isRecord {
      let first = parser.written
      switch parser.field() {
      case .more: break
      case .last: isRecord = false
      case .open: return nil
      case .damaged:
        throw input.malformed(
          line: line + 1, "text follows a closing quote", "double the quotes within quotes")
      }
      // Blanks at the end delimit nothing.
      let isEmpty = parser.written == first && splitter.delimiter == UInt8(ascii: " ")
      if !isEmpty { all += 1 }
      if found < fields.count {
        fields[found] = UnsafeRawBufferPointer(rebasing: unquoted[first..<parser.written])
        found += 1
      }
    }
    guard found == fields.count else { throw tooFew(found, line: line + 1) }
    if all > allColumns { throw tooMany(all, line: line + 1) }
    return parser.next
  }

  /// The error that a record has more fields than the header: its key may hold delimiters.
  @inline(never)
  private func tooMany(_ found: Int, line: Int) -> TraceError {
    input.malformed(
      line: line, "\(found) columns where the header names \(allColumns)",
      "quote what holds a delimiter, or correct the line")
  }

  private func tooFew(_ found: Int, line: Int) -> TraceError {
    input.malformed(
      line: line,
      "\(found) \(found == 1 ? "column" : "columns") where \(fields.count) are needed",
      "correct the line or the delimiter")
  }
}
