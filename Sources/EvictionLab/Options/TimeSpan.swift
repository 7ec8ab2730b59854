import ArgumentParser
import Parameters

/// A time on the command line: seconds, or a number with a unit (`90`, `1.5h`, `250ms`).
struct TimeSpan: ExpressibleByArgument {
  let nanoseconds: Int64

  private static let units: [(suffix: String, nanoseconds: Int)] = [
    ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]

  init?(argument: String) {
    let unit = TimeSpan.units.first { argument.hasSuffix($0.suffix) }
    let number = Fraction(parsing: argument.dropLast(unit?.suffix.count ?? 0))
    guard let number, number.numerator >= 0 else { return nil }
    nanoseconds = Int64(number.floor(of: unit?.nanoseconds ?? 1_000_000_000))
  }
}
