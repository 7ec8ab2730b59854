import Parameters

/// The columns of a format of lines, by their names: those of its header, or those in its fixed order.
struct ColumnLayout: Sendable {
  /// The byte between two columns.
  var delimiter = UInt8(ascii: ",")
  /// The names in small letters, in the order that they have without a header.
  var columns: [String]
  /// The columns that are the key, with a colon between them.
  var key: [String]
  var size: String?
  /// Bytes of what sizes count in.
  var sizeUnit: UInt64 = 1
  var time: String?
  var notation = TimeNotation.number(of: .second)
  /// The column of the time to live, in seconds.
  var ttl: String?
  var className: String?

  /// The way in which times are written.
  enum TimeNotation: Sendable {
    /// Numbers of a unit, in nanoseconds.
    case number(of: Int64)
    /// `20160201164559`.
    case digits
  }
}

/// A format of lines in columns, with a header or without.
protocol ColumnFormat: TraceFormat {
  /// The columns.
  var layout: ColumnLayout { get }
}

extension ColumnLayout {
  /// True when the first line names the columns that are read.
  func isNamed(in sample: TraceSample) -> Bool {
    let header = sample.header(delimiter: delimiter)
    let needed = key + [size, time, ttl, className].compactMap { $0 }
    return needed.allSatisfy { header.number(of: $0) != nil }
  }
}

extension ColumnFormat {
  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    let layout = self.layout
    let sample = try input.sample()
    let isNamed = layout.isNamed(in: sample)
    let header = sample.header(delimiter: layout.delimiter)
    func number(_ name: String?) -> Int? {
      name.flatMap { isNamed ? header.number(of: $0) : layout.columns.firstIndex(of: $0) }
    }
    let key = layout.key.map { number($0) ?? 0 }
    let (size, time, ttl) = (number(layout.size), number(layout.time), number(layout.ttl))
    let className = number(layout.className)

    var provided: TraceColumns = []
    if size != nil { provided.insert(.sizes) }
    if time != nil { provided.insert(.times) }
    if ttl != nil { provided.insert(.ttls) }
    if className != nil { provided.insert(.classes) }
    var details = RequestDetails(provided, wanted: builder.wanted)
    let most = isNamed ? header.names.count : layout.columns.count
    var lines = FieldLines(input, delimiter: layout.delimiter, most: most)
    if isNamed, try !lines.next() { return }
    var text = KeyText()
    while !builder.isFull, try lines.next() {
      try lines.split(of: most)
      if let size, details.has(.sizes) {
        let (bytes, isOver) = try lines.size(size).multipliedReportingOverflow(by: layout.sizeUnit)
        if isOver || bytes > .largestObject { throw lines.wrong(size, "size") }
        details.size = bytes
      }
      if let time, details.has(.times) {
        details.time =
          switch layout.notation {
          case .number(let unit): try lines.time(time, unit: unit)
          case .digits: try lines.digitsTime(time)
          }
      }
      if let ttl, details.has(.ttls) { details.ttl = try lines.timeToLive(ttl, unit: .second) }
      if let className { details.className = lines[className] }
      if key.count == 1 {
        try builder.append(text: lines.key(key[0]), details)
        continue
      }
      text.clear()
      for (place, column) in key.enumerated() {
        if place > 0 { text.append(byte: UInt8(ascii: ":")) }
        text.append(try lines.key(column))
      }
      try builder.append(text: text.bytes, details)
    }
  }
}

extension FieldLines {
  fileprivate func digitsTime(_ column: Int) throws(TraceError) -> Int64 {
    guard let time = self[column].digitsTime else { throw wrong(column, "time") }
    return time
  }
}
