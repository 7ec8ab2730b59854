/// Numbers of bytes as users write them: `512`, `64KiB`, `1.5GB`.
public enum ByteCount {
  /// The units, by their suffix.
  public static let units: [(suffix: String, bytes: Int)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("PiB", 1 << 50),
    ("kB", 1_000), ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000), ("B", 1),
  ]

  /// The bytes that `text` stands for, rounded down; nil if it names no unit or no number.
  public static func parse(withUnit text: some StringProtocol) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    return Fraction(parsing: text.dropLast(unit.suffix.utf8.count))?.floor(of: unit.bytes)
  }

  /// The number as people read it, in decimal units: `4.0 GB`.
  package static func text(_ bytes: Int) -> String {
    let decimal = units.filter { !$0.suffix.contains("i") && $0.suffix != "KB" }
    let unit = decimal.filter { $0.bytes <= Swift.max(bytes, 1) }.max { $0.bytes < $1.bytes }
    guard let unit else { return "\(bytes) B" }
    return "\((Double(bytes) / Double(unit.bytes)).digits(2)) \(unit.suffix)"
  }

  /// The number in MiB without the unit, four digits where it is not whole: `64`, `265.9`.
  package static func mebibytes(_ bytes: Int) -> String {
    bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20)" : (Double(bytes) / 1_048_576).digits(4)
  }

  /// The bytes that `text` stands for: a whole number, or any number with a unit.
  public static func parse(_ text: some StringProtocol) -> Int? {
    parse(withUnit: text) ?? Fraction(parsing: text)?.wholeNumber
  }
}
