import ArgumentParser
import Experiments
import Parameters
import Requests
import Runner

extension [String] {
  /// The words of comma-separated lists, each once.
  var words: [String] {
    items.unique
  }

  private var items: [String] {
    flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The numbers of comma-separated lists, each once.
  ///
  /// - Throws: `ValidationError` where a comma looks like a thousands separator.
  func numberWords() throws(ValidationError) -> [String] {
    if let separator = ThousandsSeparator(in: items) { throw ValidationError("\(separator)") }
    return words
  }
}

/// A value on the command line that says its range when it is out of it.
protocol RangedArgument: ExpressibleByArgument {
  /// The name in help of such values.
  static var valueName: String { get }
  /// The values that are understood.
  static var range: String { get }
}

/// A whole number on the command line; `1e6` is understood.
struct Count: RangedArgument, CustomStringConvertible {
  static let valueName = "n"
  static let range = "a whole number, such as 1000 or 1e6"

  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Fraction(parsing: argument)?.wholeNumber else { return nil }
    self.value = value
  }

  var description: String { "\(value)" }

  var defaultValueDescription: String { description }
}

/// Whole numbers with commas between them on the command line: `1,2,3`.
struct Counts: RangedArgument {
  static let valueName = "n,…"
  static let range = "whole numbers, such as 42 or 1,2,3"

  let values: [Int]

  init(_ values: [Int]) { self.values = values }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let counts = words.compactMap(Count.init(argument:))
    if counts.count < words.count || ThousandsSeparator(in: words) != nil { return nil }
    values = counts.map(\.value)
  }

  var defaultValueDescription: String { values.map { "\($0)" }.joined(separator: ",") }
}

/// A time on the command line: seconds, or a number with a unit (`90`, `1.5h`, `250ms`).
struct TimeSpan: RangedArgument {
  static let valueName = "time"
  static let range = "seconds, or a time such as 250ms, 5min, 1.5h"

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

/// The windows of a run on the command line: `100` windows, or windows of `10min`.
struct WindowWidth: RangedArgument {
  static let valueName = "n|time"
  static let range = "1 to \(WindowCut.most) windows, or their time, such as 10min"

  let cut: WindowCut

  init?(argument: String) {
    if let count = Count(argument: argument) {
      guard (1...WindowCut.most).contains(count.value) else { return nil }
      cut = .count(count.value)
    } else if let time = TimeSpan(argument: argument), time.nanoseconds > 0 {
      cut = .time(time.nanoseconds)
    } else {
      return nil
    }
  }
}

/// The delay of a miss on the command line: `10ms` of the trace's clock, or `100requests`.
struct DelaySpan: RangedArgument {
  static let valueName = "time|nrequests"
  static let range = "a time, such as 10ms, or a number of requests, such as 100requests"

  let delay: MissDelay

  private static let suffix = "requests"

  init?(argument: String) {
    if argument.hasSuffix(DelaySpan.suffix) {
      guard let count = Count(argument: String(argument.dropLast(DelaySpan.suffix.count))),
        count.value >= 0
      else { return nil }
      delay = .requests(Int64(count.value))
    } else if let time = TimeSpan(argument: argument) {
      delay = .time(time.nanoseconds)
    } else {
      return nil
    }
  }
}

/// A fraction on the command line, above 0 and at most 1.
struct Rate: RangedArgument {
  static let valueName = "fraction"
  static let range = "more than 0 and at most 1, such as 0.01"

  let fraction: Double

  init?(argument: String) {
    guard let number = Fraction(parsing: argument), number.numerator > 0, number <= Fraction(1)
    else { return nil }
    fraction = number.double
  }
}

/// A number of bytes on the command line, above 0: `4096`, `4KiB`.
struct ByteSize: RangedArgument {
  static let valueName = "bytes"
  static let range = "1 or more, such as 4096 or 4KiB"

  let bytes: Int

  init?(argument: String) {
    guard let bytes = ByteCount.parse(argument), bytes > 0 else { return nil }
    self.bytes = bytes
  }
}
