/// Finds the fields of lines, in place.
struct FieldSplitter: ~Copyable {
  /// The byte between two fields; several spaces delimit like one.
  let delimiter: UInt8
  /// The fields of the current line, as many as ``split(_:)`` has found.
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
      let stop = start.place(of: delimiter, before: end)
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
    guard let base = text.baseAddress else { return false }
    let last = fields.count - 1
    guard split(text) == fields.count else { return false }
    var end = base + text.count
    // There are no more fields than there should be, most of the time.
    if fields[last].baseAddress.unsafelyUnwrapped + fields[last].count == end { return true }
    let start = fields[wide].baseAddress.unsafelyUnwrapped
    for index in stride(from: last, to: wide, by: -1) {
      var first = end
      while (first - 1).load(as: UInt8.self) != delimiter { first -= 1 }
      fields[index] = UnsafeRawBufferPointer(start: first, count: end - first)
      end = first - 1
    }
    fields[wide] = UnsafeRawBufferPointer(start: start, count: end - start)
    return true
  }
}

extension UnsafeRawPointer {
  /// The next place of a byte, else `end`. Eight bytes at a time: fields are too short for a call of
  /// memchr, and where they end is hard to predict.
  @inline(__always)
  fileprivate func place(of byte: UInt8, before end: UnsafeRawPointer) -> UnsafeRawPointer {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let wanted = ones &* UInt64(byte)
    var at = self
    while end - at >= 8 {
      let differences = at.loadUnaligned(as: UInt64.self).littleEndian ^ wanted
      // The lowest bit set is that of the first byte that is equal.
      let equal = (differences &- ones) & ~differences & (ones &<< 7)
      if equal != 0 { return at + equal.trailingZeroBitCount &>> 3 }
      at += 8
    }
    while at < end, at.load(as: UInt8.self) != byte { at += 1 }
    return at
  }
}
