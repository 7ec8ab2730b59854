extension Trace {
  /// The most bytes that all requests together may ask for: sums of them never overflow.
  static let mostBytes = UInt64(Int64.max)

  /// The bytes of all distinct keys, each with the size of its first request.
  ///
  /// O(requests); nil for a trace without sizes; at most `Int.max`.
  package var distinctBytes: Int? {
    guard let sizes else { return nil }
    var next = 0
    var total = 0
    for (index, id) in ids.enumerated() where id == next {
      let (sum, overflows) = total.addingReportingOverflow(Int(clamping: sizes[index]))
      total = overflows ? .max : sum
      next += 1
    }
    return total
  }

  /// The mean size of an object, each with the size of its first request; nil without sizes.
  package var meanObjectSize: Double? {
    distinctBytes.map { Double($0) / Double(max(1, distinct)) }
  }

  /// The time from the first request to the last, in nanoseconds; nil without times.
  package var duration: Int64? {
    guard let times, let first = times.first, let last = times.last else { return nil }
    let (difference, isOver) = last.subtractingReportingOverflow(first)
    return isOver ? nil : difference
  }
}

extension UInt64 {
  /// The sum, or the largest number where it is more than that.
  @inline(__always)
  func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

extension UnsafeBufferPointer<UInt64> {
  /// The sum of the numbers and a first one, saturating. O(n).
  func total(from first: UInt64 = 0) -> UInt64 {
    var sum = first
    for value in self { sum = sum.addingSaturating(value) }
    return sum
  }
}
