extension UnsafeRawBufferPointer {
  /// The whole number that the bytes are, or nil when they are anything else or too large.
  @inline(__always)
  var wholeNumber: UInt64? {
    if isEmpty { return nil }
    var value: UInt64 = 0
    for byte in self {
      let digit = byte &- 0x30
      let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isPast) = tens.addingReportingOverflow(UInt64(digit))
      if digit > 9 || isOver || isPast { return nil }
      value = sum
    }
    return value
  }

  /// The nanoseconds of a decimal number, with or without sign and fraction, of so many
  /// nanoseconds a unit; what is finer is cut off. Nil when the bytes are anything else or the
  /// result does not fit.
  func duration(unit: Int64) -> Int64? {
    if let whole = wholeNumber {
      let (product, isOver) = whole.multipliedReportingOverflow(by: UInt64(unit))
      return isOver ? nil : Int64(exactly: product)
    }
    return fractionalDuration(unit: unit)
  }

  private func fractionalDuration(unit: Int64) -> Int64? {
    var digits = self[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let text = parts.first,
      let whole = UnsafeRawBufferPointer(rebasing: text).wholeNumber,
      let signed = Int64(exactly: whole)
    else { return nil }
    let (product, isOver) = signed.multipliedReportingOverflow(by: unit)
    var fraction: Int64 = 0
    if parts.count == 2 {
      var scale = unit
      for byte in parts[1] {
        guard byte &- 0x30 < 10 else { return nil }
        scale /= 10
        fraction += Int64(byte &- 0x30) * scale
      }
    }
    let (sum, isPast) = product.addingReportingOverflow(fraction)
    return isOver || isPast ? nil : isNegative ? -sum : sum
  }

  /// The bytes as a message quotes them: no control characters, at most 40 of them.
  var excerpt: String {
    let text = prefix(40).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
    return String(decoding: text, as: UTF8.self) + (count > 40 ? "…" : "")
  }
}
