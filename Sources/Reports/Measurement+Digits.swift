import Foundation
import Results

extension Double {
  /// The number with the digits that its uncertainty leaves: the last one is of the size of half of the
  /// interval, and one remains however wide that is.
  ///
  /// - Parameters:
  ///   - halfWidth: Half of the interval's width; nil where it is not known, and no digit is dropped.
  ///   - decimals: The most digits behind the point; of a number that would lose all but one there, two remain.
  func text(knownTo halfWidth: Double?, decimals: Int) -> String {
    let isSmall = decimals > 0 && self > 0 && self < 0.1
    let decimals = isSmall ? max(decimals, 1 - Int(log10(self).rounded(.down))) : decimals
    guard let halfWidth, halfWidth > 0, halfWidth.isFinite, self > 0, isFinite else {
      return String(format: "%.*f", decimals, self)
    }
    let place = Int(min(log10(halfWidth), log10(self)).rounded(.down))
    if place < 0 { return String(format: "%.*f", min(-place, decimals), self) }
    let step = pow(10, Double(place))
    return String(format: "%.0f", (self / step).rounded() * step)
  }
}

extension Measurement {
  /// The throughput in millions of requests a second, with the digits that its repetitions leave.
  var throughputText: String {
    let halfWidth = replay?.repetitions?["requestsPerSecond"]?.halfWidth
    return (requestsPerSecond / 1e6).text(knownTo: halfWidth.map { $0 / 1e6 }, decimals: 2)
  }
}
