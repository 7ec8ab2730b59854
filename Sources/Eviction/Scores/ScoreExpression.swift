import Parameters

/// An expression over an object's attributes, as `hits/(age*size)`.
indirect enum ScoreExpression {
  case number(Double)
  case attribute(ScoreAttribute)
  case call(ScoreOperation, [ScoreExpression])
}

/// An attribute of a resident that a score reads.
@usableFromInline
enum ScoreAttribute: UInt8, CaseIterable, Sendable {
  /// Requests of this stay, at least 1.
  case frequency
  /// Those but the first.
  case hits
  /// Requests of any key since the object entered, from 1.
  case age
  /// Requests of any key since its last one, from 1.
  case lastUse
  /// Its size, 1 without sizes.
  case size
  /// Requests of its earlier stays, as far as its ghosts are remembered.
  case ghostFrequency

  var name: String { "\(self)" }

  /// True if it grows by 1 with each request, of whatever key.
  var isTime: Bool { self == .age || self == .lastUse }
}

/// A step of a score.
@usableFromInline
enum ScoreOperation: UInt8, BitwiseCopyable, Sendable {
  case push, load
  case negate, abs, sqrt, log, exp
  case add, subtract, multiply, divide, min, max
  case less, lessOrEqual, equal
  case choose

  /// The functions by the names that they have in an expression, and their numbers of arguments.
  static let functions: [String: (operation: ScoreOperation, count: Int)] = [
    "abs": (.abs, 1), "sqrt": (.sqrt, 1), "log": (.log, 1), "exp": (.exp, 1),
    "min": (.min, 2), "max": (.max, 2), "if": (.choose, 3),
  ]
}

extension ScoreExpression {
  /// The attributes that it reads.
  var attributes: Set<ScoreAttribute> {
    switch self {
    case .number: []
    case .attribute(let attribute): [attribute]
    case .call(_, let operands): Set(operands.flatMap(\.attributes))
    }
  }

  /// Its growth by each request of another key, or nil if that is not the same for all objects at all times.
  ///
  /// With it, the order of two objects changes only at their own requests.
  var growth: Double? {
    switch self {
    case .number: return 0
    case .attribute(let attribute): return attribute.isTime ? 1 : 0
    case .call(let operation, let operands):
      let growths = operands.map(\.growth)
      if growths.allSatisfy({ $0 == 0 }) { return 0 }
      guard let first = growths[0] else { return nil }
      switch operation {
      case .negate: return -first
      case .add: return growths[1].map { first + $0 }
      case .subtract: return growths[1].map { first - $0 }
      case .multiply:
        if case .number(let factor) = operands[0] { return growths[1].map { factor * $0 } }
        if case .number(let factor) = operands[1] { return first * factor }
        return nil
      case .divide:
        if case .number(let divisor) = operands[1] { return first / divisor }
        return nil
      default: return nil
      }
    }
  }
}

// MARK: - Parsing

/// The reason why a score cannot be read, and the number of the character where that shows, from 1.
struct ScoreError: Error {
  let message: String
  let place: Int

  /// The score as messages show it: of a long one the beginning.
  static func excerpt(of score: String) -> String {
    score.count > 80 ? score.prefix(80) + "…" : score
  }
}

/// Reads a score by descending from comparisons to sums, products, signs and names.
///
/// The text is bounded, as every step into an expression is a call: here, in the compiler of the program, and
/// where the expression is released.
struct ScoreParser {
  /// The largest number of characters.
  static let mostCharacters = 2_000
  /// The largest number of parentheses that are open at once.
  static let mostNested = 64

  private let text: [Character]
  private var next = 0
  /// The parentheses that are open.
  private var nested = 0

  /// Reads an expression.
  static func parse(_ text: String) throws(ScoreError) -> ScoreExpression {
    var parser = ScoreParser(text: Array(text))
    if parser.text.count > mostCharacters {
      throw parser.error(
        "a score has at most \(mostCharacters) characters, this has \(parser.text.count)",
        at: mostCharacters)
    }
    let expression = try parser.comparison()
    parser.skipSpaces()
    if parser.next < parser.text.count {
      throw parser.error("“\(parser.text[parser.next])” is not expected")
    }
    return expression
  }

  private init(text: [Character]) { self.text = text }

  private func error(_ message: String, at place: Int? = nil) -> ScoreError {
    ScoreError(message: message, place: (place ?? next) + 1)
  }

  private mutating func skipSpaces() {
    while next < text.count, text[next] == " " { next += 1 }
  }

  /// Takes a symbol, if it is next.
  private mutating func take(_ symbol: String) -> Bool {
    skipSpaces()
    guard text[next...].starts(with: symbol) else { return false }
    next += symbol.count
    return true
  }

  private mutating func expect(_ symbol: String) throws(ScoreError) {
    if !take(symbol) {
      throw error("“\(symbol)” is missing")
    }
  }

  /// Opens a parenthesis, if one is next.
  private mutating func open() throws(ScoreError) -> Bool {
    guard take("(") else { return false }
    nested += 1
    if nested > Self.mostNested {
      throw error("a score nests at most \(Self.mostNested) parentheses", at: next - 1)
    }
    return true
  }

  private mutating func close() throws(ScoreError) {
    try expect(")")
    nested -= 1
  }

  private mutating func comparison() throws(ScoreError) -> ScoreExpression {
    let left = try sum()
    if take("<=") { return .call(.lessOrEqual, [left, try sum()]) }
    if take(">=") { return .call(.lessOrEqual, [try sum(), left]) }
    if take("==") { return .call(.equal, [left, try sum()]) }
    if take("<") { return .call(.less, [left, try sum()]) }
    if take(">") { return .call(.less, [try sum(), left]) }
    return left
  }

  private mutating func sum() throws(ScoreError) -> ScoreExpression {
    var result = try product()
    while true {
      if take("+") {
        result = .call(.add, [result, try product()])
      } else if take("-") {
        result = .call(.subtract, [result, try product()])
      } else {
        return result
      }
    }
  }

  private mutating func product() throws(ScoreError) -> ScoreExpression {
    var result = try sign()
    while true {
      if take("*") {
        result = .call(.multiply, [result, try sign()])
      } else if take("/") {
        result = .call(.divide, [result, try sign()])
      } else {
        return result
      }
    }
  }

  private mutating func sign() throws(ScoreError) -> ScoreExpression {
    var isNegative = false
    while take("-") { isNegative.toggle() }
    let result = try primary()
    return isNegative ? .call(.negate, [result]) : result
  }

  private mutating func primary() throws(ScoreError) -> ScoreExpression {
    if try open() {
      let result = try comparison()
      try close()
      return result
    }
    skipSpaces()
    let start = next
    guard next < text.count else { throw error("the expression ends too early") }
    if text[next].isNumber || text[next] == "." { return try number() }
    while next < text.count, text[next].isLetter { next += 1 }
    let name = String(text[start..<next])
    if name.isEmpty { throw error("“\(text[next])” is not expected") }
    if let attribute = ScoreAttribute.allCases.first(where: { $0.name == name }) {
      return .attribute(attribute)
    }
    guard let function = ScoreOperation.functions[name] else {
      let known = ScoreAttribute.allCases.map(\.name) + ScoreOperation.functions.keys.sorted()
      throw error("“\(name)” is unknown; \(known.remedy(for: name))", at: start)
    }
    if try !open() { throw error("“(” is missing") }
    var operands = [try comparison()]
    while take(",") { operands.append(try comparison()) }
    if operands.count != function.count {
      throw error("“\(name)” takes \(function.count), not \(operands.count)", at: start)
    }
    try close()
    return .call(function.operation, operands)
  }

  private mutating func number() throws(ScoreError) -> ScoreExpression {
    let start = next
    while next < text.count, text[next].isNumber || text[next] == "." { next += 1 }
    if next < text.count, text[next] == "e" {
      next += 1
      if next < text.count, text[next] == "-" || text[next] == "+" { next += 1 }
      while next < text.count, text[next].isNumber { next += 1 }
    }
    guard let value = Double(String(text[start..<next])) else {
      throw error("“\(String(text[start..<next]))” is no number", at: start)
    }
    return .number(value)
  }
}
