extension Trace {
  /// The most bytes that all requests together may ask for: sums of them never overflow.
  static let mostBytes = UInt64(Int64.max)
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
