extension FieldSplitter {
  /// Finds the fields of a line as ``split(_:)`` does, where those in quotes or brackets may hold delimiters;
  /// they are without their marks.
  ///
  /// A quote within quotes is doubled or behind a backslash. Text between a closing mark and the next delimiter
  /// is passed over; a mark that is not closed reaches to the end of the line.
  @inline(__always)
  func splitQuoted(_ text: UnsafeRawBufferPointer) -> Int {
    guard var start = text.baseAddress else { return 0 }
    let end = start + text.count
    let mergesRuns = delimiter == UInt8(ascii: " ")
    var found = 0
    while found < fields.count {
      if mergesRuns {
        while start < end, start.load(as: UInt8.self) == delimiter { start += 1 }
        if start == end { break }
      }
      let mark = start < end ? start.load(as: UInt8.self) : 0
      let isMarked = mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "[")
      var stop = start
      if isMarked {
        start += 1
        stop =
          mark == UInt8(ascii: "[")
          ? start.place(of: UInt8(ascii: "]"), before: end) : start.closingQuote(before: end)
      } else {
        stop = start.place(of: delimiter, before: end)
      }
      fields[found] = UnsafeRawBufferPointer(start: start, count: stop - start)
      found &+= 1
      if isMarked { stop = stop.place(of: delimiter, before: end) }
      if stop == end { break }
      start = stop + 1
    }
    return found
  }
}

extension UnsafeRawPointer {
  /// The next quote that is neither doubled nor behind a backslash, else `end`.
  fileprivate func closingQuote(before end: UnsafeRawPointer) -> UnsafeRawPointer {
    var start = self
    while true {
      let quote = start.place(of: UInt8(ascii: "\""), before: end)
      if quote == end { return end }
      if quote > start, (quote - 1).load(as: UInt8.self) == UInt8(ascii: "\\") {
        start = quote + 1
      } else if quote + 1 < end, (quote + 1).load(as: UInt8.self) == UInt8(ascii: "\"") {
        start = quote + 2
      } else {
        return quote
      }
    }
  }
}
