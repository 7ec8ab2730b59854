import Parameters

/// The columns of a block trace and their units.
struct BlockLayout: Sendable {
  /// The names of the columns, as a first line may have them, in small letters.
  var header: String
  /// The byte between two columns.
  var delimiter = UInt8(ascii: ",")
  /// The columns that name the volume, or none where there is but one.
  var volume: [Int]
  /// The column of the first byte or sector.
  var offset: Int
  /// The column of the length.
  var length: Int
  /// Bytes of what offsets count in.
  var offsetUnit: UInt64 = 1
  /// Bytes of what lengths count in.
  var lengthUnit: UInt64 = 1
  /// The column of the operation.
  var operation: Int
  /// True when an operation ends at a point.
  var isCutAtPoint = false
  /// The words for the operations.
  var words = Words<TraceOperation>([(.read, "r read"), (.write, "w write")])
  /// The column of the time.
  var time: Int
  /// Nanoseconds of what times count in.
  var timeUnit: Int64
  /// The time of 1970 where times count from earlier.
  var epoch: UInt64 = 0
  /// The column that says how often the request was made.
  var count: Int?

  /// True when further columns may follow.
  var goesOn = false

  /// The number of columns.
  var columns: Int { header.utf8.count { $0 == UInt8(ascii: ",") } + 1 }

  /// The operation of a word.
  @inline(__always)
  func operation(_ word: UnsafeRawBufferPointer) -> TraceOperation? {
    guard isCutAtPoint, let point = word.firstIndex(of: UInt8(ascii: ".")) else {
      return words[word]
    }
    return words[UnsafeRawBufferPointer(rebasing: word[..<point])]
  }
}

/// A format of disk requests: CSV of a fixed layout, each line a range of a volume's bytes.
///
/// See ``BlockRequests`` for what the keys and sizes are.
protocol BlockFormat: TraceFormat {
  /// The columns.
  static var layout: BlockLayout { get }

  /// The treatment of a range.
  var requests: BlockRequests { get }

  init(requests: BlockRequests)
}

extension BlockFormat {
  init(_ arguments: Arguments) { self.init(requests: BlockRequests(arguments)) }

  /// Certain when the first line is the header, or when the lines can be nothing else.
  static func recognition(of sample: TraceSample) -> Recognition {
    hasHeader(sample) || hasRequests(sample) ? .certain : .no
  }

  /// True when the first line is the format's header.
  static func hasHeader(_ sample: TraceSample) -> Bool {
    String(decoding: sample.firstLine, as: UTF8.self).lowercased()
      .filter { !$0.isWhitespace } == layout.header
  }

  /// True when the first lines read as requests.
  ///
  /// - Parameter isNamed: True where the name says so, too, and columns that may follow do.
  static func hasRequests(_ sample: TraceSample, isNamed: Bool = false) -> Bool {
    let layout = Self.layout
    // One more than there are, to see that there are no more.
    let splitter = FieldSplitter(delimiter: layout.delimiter, most: layout.columns + 1)
    return sample.isText { line in
      if line.first == UInt8(ascii: "#") { return nil }
      let found = splitter.split(line)
      guard found == layout.columns || isNamed && layout.goesOn && found > layout.columns else {
        return false
      }
      func field(_ column: Int) -> UnsafeRawBufferPointer { splitter.fields[column].trimmed }
      return field(layout.offset).wholeNumber != nil && field(layout.length).wholeNumber != nil
        && layout.operation(field(layout.operation)) != nil
        && field(layout.time).duration(unit: 1) != nil
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let layout = Self.layout
    let columns = layout.goesOn ? Int.max : layout.columns
    var lines = FieldLines(input, delimiter: layout.delimiter, most: layout.columns)
    var requests = BlockExpansion(requests, wanted: builder.wanted)
    let hasHeader = Self.hasHeader(try input.sample())
    if hasHeader, try !lines.next() { return }
    while !builder.isFull, try lines.next() {
      if lines.text.first == UInt8(ascii: "#") { continue }
      try lines.split(of: columns)
      requests.begin()
      for column in layout.volume { requests.append(volume: lines[column]) }
      // A blank operation is that of an entry that was no request.
      if lines[layout.operation].isEmpty { continue }
      guard let operation = layout.operation(lines[layout.operation]) else {
        throw lines.wrong(layout.operation, "operation")
      }
      let offset = try lines.scaled(layout.offset, by: layout.offsetUnit, "offset")
      let length = try lines.scaled(layout.length, by: layout.lengthUnit, "length")
      let count = try layout.count.map { (column) throws(TraceError) in
        try lines.number(column, "number of requests")
      }
      if requests.details.has(.times) {
        requests.details.time = try lines.time(
          layout.time, unit: layout.timeUnit, since: layout.epoch)
      }
      requests.details.operation = operation
      guard try requests.append(offset: offset, length: length, count: count ?? 1, to: &builder)
      else {
        throw lines.malformed(
          "a request of \(length) bytes from \(offset)\(count.map { ", \($0) times" } ?? "")")
      }
    }
  }
}

extension FieldLines {
  /// The number of bytes in a column that counts in units of that size.
  fileprivate func scaled(
    _ column: Int, by unit: UInt64, _ name: StaticString
  ) throws(TraceError) -> UInt64 {
    let (bytes, isOver) = try number(column, name).multipliedReportingOverflow(by: unit)
    if isOver { throw wrong(column, name) }
    return bytes
  }

  /// The time in a column that counts from an epoch of its own.
  fileprivate func time(
    _ column: Int, unit: Int64, since epoch: UInt64
  ) throws(TraceError) -> Int64 {
    if epoch == 0 { return try time(column, unit: unit) }
    let ticks = try number(column, "time")
    // Traces whose times were made to start at zero stay as they are.
    let elapsed = ticks < epoch ? ticks : ticks - epoch
    let (product, isOver) = elapsed.multipliedReportingOverflow(by: UInt64(unit))
    guard !isOver, let time = Int64(exactly: product) else { throw wrong(column, "time") }
    return time
  }
}
