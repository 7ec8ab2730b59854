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

  /// The number of fields of a line behind those that ``split(_:)`` has found, which fill the room.
  @inline(__always)
  func fieldsBehind(in text: UnsafeRawBufferPointer) -> Int {
    let last = fields[fields.count &- 1]
    let end =
      last.baseAddress.unsafelyUnwrapped - text.baseAddress.unsafelyUnwrapped &+ last.count
    if end == text.count { return 0 }
    return delimiter == UInt8(ascii: " ")
      ? text.words(from: end) : text.count(of: delimiter, from: end)
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
  func place(of byte: UInt8, before end: UnsafeRawPointer) -> UnsafeRawPointer {
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

extension UnsafeRawBufferPointer {
  /// The number of words behind the white space from a place on.
  @inline(never)
  fileprivate func words(from start: Int) -> Int {
    let (rest, isSpace) = (self[start...], Self.isSpace)
    return zip(rest, rest.dropFirst()).count { isSpace($0) && !isSpace($1) }
  }

  /// The number of bytes from a place on that are equal to one, eight at a time.
  @inline(never)
  fileprivate func count(of byte: UInt8, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    let wanted = ones &* UInt64(byte)
    // A one for each byte that is equal.
    func equal(at place: Int) -> UInt64 {
      let differences = loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian ^ wanted
      return ~(((differences & low) &+ low) | differences | low) &>> 7
    }
    var number = 0
    var at = start
    while count - at >= 8 {
      // The sum of all bytes must fit into one.
      let end = Swift.min(count, at + 31 * 8)
      var sums: UInt64 = 0
      while end - at >= 8 {
        sums &+= equal(at: at)
        at += 8
      }
      number &+= Int(truncatingIfNeeded: (sums &* ones) &>> 56)
    }
    let rest = count - at
    if rest > 0, count >= 8 {
      // Without the bytes that are counted.
      let last = equal(at: count - 8) &>> UInt64(8 * (8 - rest))
      return number &+ Int(truncatingIfNeeded: (last &* ones) &>> 56)
    }
    for place in at..<count where self[place] == byte { number &+= 1 }
    return number
  }
}
