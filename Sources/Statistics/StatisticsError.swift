/// The reason why data have no answer to a statistical question.
package enum StatisticsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Fewer values than the method can say anything about.
  case tooFew(_ what: String, count: Int, needed: Int, remedy: String)
  /// A value that is infinite, or not a number, or not of the kind that the method takes.
  case badValue(_ what: String, index: Int, value: Double, wanted: String)
  /// Two series that belong together value by value, and differ in length.
  case unequalCounts(_ what: String, first: Int, second: Int)

  /// One line: what, where, what to do.
  package var description: String {
    switch self {
    case .tooFew(let what, let count, let needed, let remedy):
      "\(count) \(what), and at least \(needed) are needed; \(remedy)"
    case .badValue(let what, let index, let value, let wanted):
      "\(what) \(index + 1) is \(value); \(wanted)"
    case .unequalCounts(let what, let first, let second):
      "\(first) \(what) on one side and \(second) on the other; each needs its partner"
    }
  }
}

extension StatisticsError {
  /// Lets values pass whose squares can be added up.
  static func checkFinite(
    _ values: [Double], _ what: String
  ) throws(StatisticsError) {
    if let index = values.firstIndex(where: { !(abs($0) < 1e150) }) {
      throw .badValue(
        what, index: index, value: values[index], wanted: "give finite numbers below 1e150")
    }
  }
}
