/// The lines of a text in columns, with values whose errors name the line and the field.
struct FieldLines: ~Copyable {
  private var lines: TextLines
  private let splitter: FieldSplitter

  /// The lines of a file of which the first `most` columns matter.
  init(_ input: TraceInput, delimiter: UInt8 = UInt8(ascii: ","), most: Int) {
    lines = TextLines(input)
    splitter = FieldSplitter(delimiter: delimiter, most: most)
  }

  /// The current line.
  var text: UnsafeRawBufferPointer { lines.text }

  /// The current line up to the first space.
  var firstWord: UnsafeRawBufferPointer { text.word(from: 0, before: text.count) }

  /// Goes to the next line, without looking for its fields; false at the end.
  @inline(__always)
  mutating func next() throws(TraceError) -> Bool { try lines.next() }

  /// Finds the fields of the current line. Throws when there are less than matter.
  @inline(__always)
  func split() throws(TraceError) {
    let found = splitter.split(lines.text)
    if found < splitter.fields.count { throw tooFew(found) }
  }

  /// Finds the fields of the current line. Throws when there are less than matter, or more than there are columns.
  @inline(__always)
  func split(of columns: Int) throws(TraceError) {
    try split()
    let found = splitter.fields.count &+ splitter.fieldsBehind(in: lines.text)
    if found > columns { throw tooMany(found, of: columns) }
  }

  /// Finds the fields, of which the one at `wide` may hold delimiters.
  @inline(__always)
  func split(wide: Int) throws(TraceError) {
    guard splitter.split(lines.text, wide: wide) else {
      throw tooFew(splitter.split(lines.text))
    }
  }

  /// The bytes of the field in a column, without white space around.
  @inline(__always)
  subscript(column: Int) -> UnsafeRawBufferPointer { splitter.fields[column].trimmed }

  /// The key in a column. Throws when it is empty.
  @inline(__always)
  func key(_ column: Int) throws(TraceError) -> UnsafeRawBufferPointer {
    let key = self[column]
    if key.isEmpty { throw malformed("the key is empty") }
    return key
  }

  /// The whole number in a column.
  @inline(__always)
  func number(_ column: Int, _ name: StaticString) throws(TraceError) -> UInt64 {
    guard let number = self[column].wholeNumber else { throw wrong(column, name) }
    return number
  }

  /// The bytes of an object in a column.
  @inline(__always)
  func size(_ column: Int) throws(TraceError) -> UInt64 {
    guard let size = self[column].objectSize else { throw wrong(column, "size") }
    return size
  }

  /// The time in a column, in nanoseconds, by the number of them in its unit.
  @inline(__always)
  func time(_ column: Int, unit: Int64, _ name: StaticString = "time") throws(TraceError) -> Int64 {
    guard let time = self[column].duration(unit: unit) else { throw wrong(column, name) }
    return time
  }

  /// The time to live in a column, in nanoseconds; an empty field is 0.
  @inline(__always)
  func timeToLive(_ column: Int, unit: Int64) throws(TraceError) -> Int64 {
    if self[column].isEmpty { return 0 }
    let time = try time(column, unit: unit, "time to live")
    if time < 0 { throw wrong(column, "time to live") }
    return time
  }

  /// The operation of the word in a column.
  @inline(__always)
  func operation(
    _ column: Int, of words: Words<TraceOperation>
  ) throws(TraceError) -> TraceOperation {
    guard let operation = words[self[column]] else { throw wrong(column, "operation") }
    return operation
  }

  /// The error that a field isn't what it should be.
  func wrong(_ column: Int, _ name: StaticString) -> TraceError {
    lines.wrong(self[column], name)
  }

  /// The error that the current line is damaged.
  func malformed(_ problem: String) -> TraceError { lines.malformed(problem) }

  @inline(never)
  private func tooMany(_ found: Int, of columns: Int) -> TraceError {
    malformed("\(found) columns where there are \(columns)")
  }

  private func tooFew(_ found: Int) -> TraceError {
    malformed(
      "\(found) \(found == 1 ? "column" : "columns") where \(splitter.fields.count) are needed")
  }
}
