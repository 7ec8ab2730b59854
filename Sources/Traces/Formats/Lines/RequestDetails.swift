/// The details of a line's requests besides their keys.
struct RequestDetails {
  /// The columns that are wanted and that the format has: the only ones that are read.
  let columns: TraceColumns
  var size: UInt64 = 0
  var time: Int64 = 0
  var operation = TraceOperation.get
  var ttl: Int64 = 0
  /// The name of the class, where it stands in the line.
  var className = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Details of a format that has such columns.
  init(_ provided: TraceColumns, wanted: TraceColumns) {
    columns = wanted.intersection(provided)
  }

  /// True when a column is to be read.
  @inline(__always)
  func has(_ column: TraceColumns) -> Bool { columns.contains(column) }
}

extension TraceBuilder {
  /// Appends requests of one text key that are alike.
  @inline(__always)
  mutating func append(
    text: UnsafeRawBufferPointer, _ details: RequestDetails, count: UInt64 = 1
  ) throws(TraceError) {
    let before = requests
    if count == 1 {
      try append(text: text)
    } else {
      try append(text: text, count: count)
    }
    append(details, count: requests - before)
  }

  /// Appends what is known about the last `count` requests.
  @inline(__always)
  mutating func append(_ details: RequestDetails, count: Int) {
    if details.columns.isEmpty { return }
    for _ in 0..<count {
      if details.has(.sizes) { append(size: details.size) }
      if details.has(.times) { append(time: details.time) }
      if details.has(.operations) { append(operation: details.operation) }
      if details.has(.ttls) { append(ttl: details.ttl) }
    }
    if details.has(.classes), count > 0 {
      let name = String(decoding: details.className, as: UTF8.self)
      for _ in 0..<count { append(className: name) }
    }
  }
}
