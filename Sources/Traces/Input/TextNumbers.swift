extension UnsafeRawBufferPointer {
  /// The whole number that the bytes are, or nil when they are anything else or too large.
  @inline(__always)
  var wholeNumber: UInt64? {
    if isEmpty { return nil }
    var value: UInt64 = 0
    // 19 digits always fit.
    if count < 20 {
      for byte in self {
        let digit = byte &- 0x30
        if digit > 9 { return nil }
        value = value &* 10 &+ UInt64(digit)
      }
      return value
    }
    for byte in self {
      let digit = byte &- 0x30
      let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
      let (sum, isPast) = tens.addingReportingOverflow(UInt64(digit))
      if digit > 9 || isOver || isPast { return nil }
      value = sum
    }
    return value
  }

  /// The whole number that the bytes are, as an object's size: at most a pebibyte, so that a
  /// damaged number is told from a large object. Nil when they are anything else.
  @inline(__always)
  var objectSize: UInt64? {
    guard let size = wholeNumber, size <= .largestObject else { return nil }
    return size
  }

  /// The nanoseconds of a decimal number, with or without sign and fraction, of `unit`
  /// nanoseconds each; what is finer is cut off. Nil when the bytes are anything else or the
  /// result does not fit.
  func duration(unit: Int64) -> Int64? {
    if let whole = wholeNumber {
      let (product, isOver) = whole.multipliedReportingOverflow(by: UInt64(unit))
      return isOver ? nil : Int64(exactly: product)
    }
    return fractionalDuration(unit: unit)
  }

  private func fractionalDuration(unit: Int64) -> Int64? {
    let isNegative = first == UInt8(ascii: "-")
    let start = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    let point = firstIndex(of: UInt8(ascii: ".")) ?? count
    guard point >= start,
      let whole = UnsafeRawBufferPointer(rebasing: self[start..<point]).wholeNumber,
      let signed = Int64(exactly: whole)
    else { return nil }
    let (product, isOver) = signed.multipliedReportingOverflow(by: unit)
    var fraction: Int64 = 0
    var scale = unit
    for byte in self[Swift.min(point + 1, count)...] {
      guard byte &- 0x30 < 10 else { return nil }
      scale /= 10
      fraction += Int64(byte &- 0x30) * scale
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

extension UInt64 {
  /// The most bytes of an object; a larger number is damage.
  static let largestObject: UInt64 = 1 << 50
}
