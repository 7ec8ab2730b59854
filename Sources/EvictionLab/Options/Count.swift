import ArgumentParser
import Parameters

/// A whole number on the command line; `1e6` is understood.
struct Count: ExpressibleByArgument, CustomStringConvertible {
  let value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Fraction(parsing: argument)?.wholeNumber else { return nil }
    self.value = value
  }

  var description: String { "\(value)" }

  var defaultValueDescription: String { description }
}
