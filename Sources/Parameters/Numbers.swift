extension Double {
  /// A share, as people read it: `45.98 %`.
  package var percent: String { String(printing: "%.2f %%", self * 100) }

  /// The number with that number of significant digits, without an exponent where that is readable.
  package func digits(_ count: Int) -> String {
    let size = abs(self)
    if size == 0 || !isFinite { return size == 0 ? "0" : "\(self)" }
    if size < 1e-4 || size >= 1e15 { return String(printing: "%.*e", count - 1, self) }
    let decimals = max(0, count - 1 - Int(log10(size).rounded(.down)))
    return String(printing: "%.*f", decimals, self)
  }
}
