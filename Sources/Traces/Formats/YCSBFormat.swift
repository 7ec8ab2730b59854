import Parameters

/// The output of YCSB's basic binding: the workload's operations, one per line.
///
///     READ usertable user6284781860667377211 [ <all fields>]
///     UPDATE usertable user8517097267634966620 [ field1=… ]
///     SCAN usertable user5541238564211231231 42 [ <all fields>]
///
/// READ is a read and UPDATE a set; INSERT adds; DELETE removes; READMODIFYWRITE, which some ports
/// print, is a read followed by a set of the same record. A SCAN is one read, of its first record:
/// which records follow is not in the log. A key is the record's; the table is the class. Reads say
/// nothing of sizes, so there are none, and no times. All other lines are properties and statistics
/// and are left out.
///
/// Source: github.com/brianfrankcooper/YCSB, BasicDB; Cooper et al., SoCC 2010.
struct YCSBFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "ycsb", summary: "operations that YCSB's basic binding prints: READ table key [ … ]")

  private enum Verb { case read, update, insert, delete, readModifyWrite }

  private static let verbs = Words<Verb>([
    (.read, "read scan"), (.update, "update"), (.insert, "insert"), (.delete, "delete"),
    (.readModifyWrite, "readmodifywrite"),
  ])

  static func recognition(of sample: TraceSample) -> Recognition {
    if sample.firstLine.elementsEqual("***************** properties *****************".utf8) {
      return .likely
    }
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 3)
    return sample.recognised(as: .likely) { line in
      let found = splitter.split(line)
      return found == 3 && isCapital(splitter.fields[0]) && verbs[splitter.fields[0]] != nil
        && (line.last == UInt8(ascii: "]") || verbs[splitter.fields[0]] == .delete)
    }
  }

  private static func isCapital(_ word: UnsafeRawBufferPointer) -> Bool {
    word.first.map { $0 < 0x60 } ?? false
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = FieldLines(input, delimiter: UInt8(ascii: " "), most: 3)
    var details = RequestDetails([.operations, .classes], wanted: builder.wanted)
    let verbs = Self.verbs
    while !builder.isFull, try lines.next() {
      guard Self.isCapital(lines.text), let verb = verbs[lines.firstWord] else { continue }
      try lines.split()
      let key = try lines.key(2)
      details.className = lines[1]
      switch verb {
      case .read: details.operation = .read
      case .update: details.operation = .set
      case .insert: details.operation = .add
      case .delete: details.operation = .delete
      case .readModifyWrite:
        details.operation = .read
        try builder.append(text: key, details)
        details.operation = .set
      }
      try builder.append(text: key, details)
    }
  }
}
