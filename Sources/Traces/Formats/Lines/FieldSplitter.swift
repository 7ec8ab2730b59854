/// Finds the fields of lines, in place.
struct FieldSplitter: ~Copyable {
  /// What stands between two fields; several spaces delimit like one.
  let delimiter: UInt8
  /// Where the fields of the current line are, as many as ``split(_:)`` has found.
  let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>

  /// A splitter that finds at most the first `most` fields of a line.
  init(delimiter: UInt8, most: Int) {
    self.delimiter = delimiter
    fields = .allocate(capacity: most)
    fields.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  deinit { fields.deallocate() }

  /// Finds the fields of a line and returns how many, at most those that matter.
  @inline(__always)
  func split(_ text: UnsafeRawBufferPointer) -> Int {
    guard var start = text.baseAddress else { return 0 }
    let end = start + text.count
    let delimiter = self.delimiter
    let mergesRuns = delimiter == UInt8(ascii: " ")
    var found = 0
    while found < fields.count {
      if mergesRuns {
        while start < end, start.load(as: UInt8.self) == delimiter { start += 1 }
        if start == end { break }
      }
      var stop = start
      while stop < end, stop.load(as: UInt8.self) != delimiter { stop += 1 }
      fields[found] = UnsafeRawBufferPointer(start: start, count: stop - start)
      found &+= 1
      if stop == end { break }
      start = stop + 1
    }
    return found
  }

  /// Finds as many fields as there is room for, of which the one at `wide` may hold delimiters;
  /// false when there are too few.
  @inline(__always)
  func split(_ text: UnsafeRawBufferPointer, wide: Int) -> Bool {
    guard var start = text.baseAddress else { return false }
    var end = start + text.count
    for index in 0..<wide {
      var stop = start
      while stop < end, stop.load(as: UInt8.self) != delimiter { stop += 1 }
      if stop == end { return false }
      fields[index] = UnsafeRawBufferPointer(start: start, count: stop - start)
      start = stop + 1
    }
    var index = fields.count - 1
    while index > wide {
      var first = end
      while first > start, (first - 1).load(as: UInt8.self) != delimiter { first -= 1 }
      if first == start { return false }
      fields[index] = UnsafeRawBufferPointer(start: first, count: end - first)
      end = first - 1
      index -= 1
    }
    fields[wide] = UnsafeRawBufferPointer(start: start, count: end - start)
    return true
  }
}
