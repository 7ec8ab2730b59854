import Foundation

extension Double {
  /// A share, as people read it: `45.98 %`.
  package var percent: String { String(format: "%.2f %%", self * 100) }

  /// The number with that number of significant digits, without an exponent where that is readable.
  package func digits(_ count: Int) -> String {
    let size = abs(self)
    if size == 0 || !isFinite { return size == 0 ? "0" : "\(self)" }
    if size < 1e-4 || size >= 1e15 { return String(format: "%.*e", count - 1, self) }
    let decimals = max(0, count - 1 - Int(Foundation.log10(size).rounded(.down)))
    return String(format: "%.*f", decimals, self)
  }
}
