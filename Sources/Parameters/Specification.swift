/// A name with its parameters, as users write it: `slru:protected=0.8:probation=fixed`.
public struct Specification: Sendable, Equatable {
  /// The name of a policy, a format or a generator.
  public let name: String
  /// The parameters as given, in their order, not yet checked.
  public let given: [(key: String, text: String)]

  /// Names something without parameters.
  public init(name: String) {
    self.name = name
    given = []
  }

  /// Parses `name:key=value:…`, and `plugin:path:key=value:…`, whose name is `plugin:path`.
  ///
  /// - Throws: ``SpecificationError`` when a parameter has no value or is given twice.
  public init(parsing text: String) throws(SpecificationError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let words = parts[0] == "plugin" ? min(2, parts.count) : 1
    name = parts.prefix(words).joined(separator: ":")
    var given: [(key: String, text: String)] = []
    for part in parts.dropFirst(words) {
      guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
        throw .malformed(specification: text, part: String(part))
      }
      let key = String(part[..<equals])
      if given.contains(where: { $0.key == key }) {
        throw .repeated(specification: text, parameter: key)
      }
      given.append((key, String(part[part.index(after: equals)...])))
    }
    self.given = given
  }

  /// The same without the given ones among `parameters`.
  public func without(_ parameters: [Parameter]) -> Specification {
    Specification(
      name: name, given: given.filter { part in !parameters.contains { $0.name == part.key } })
  }

  /// Names something with parameters: those of `values` that are not nil, as they describe themselves.
  public init(name: String, values: KeyValuePairs<String, (any CustomStringConvertible)?>) {
    self.init(name: name, given: values.compactMap { key, value in value.map { (key, "\($0)") } })
  }

  init(name: String, given: [(key: String, text: String)]) {
    self.name = name
    self.given = given
  }

  /// The given parameters, typed and checked against their declarations.
  ///
  /// - Throws: ``SpecificationError`` for an unknown parameter or a value out of range.
  public func arguments(for parameters: [Parameter]) throws(SpecificationError) -> Arguments {
    var values: [String: Parameter.Value] = [:]
    for (key, text) in given {
      guard let parameter = parameters.first(where: { $0.name == key }) else {
        throw .unknown(name: name, parameter: key, known: parameters.map(\.name))
      }
      guard let value = parameter.parse(text) else {
        throw .outOfRange(name: name, parameter: parameter, text: text)
      }
      values[key] = value
    }
    return Arguments(parameters: parameters, given: values, name: name)
  }

  /// Compares name and parameters, order included.
  public static func == (left: Specification, right: Specification) -> Bool {
    left.name == right.name && left.given.elementsEqual(right.given, by: ==)
  }
}

extension Specification: ExpressibleByStringLiteral {
  /// Parses a literal, which a programmer has written correctly.
  public init(stringLiteral text: String) {
    do throws(SpecificationError) {
      self = try Specification(parsing: text)
    } catch { preconditionFailure("\(error)") }
  }
}

extension Specification: CustomStringConvertible {
  /// The notation it was parsed from.
  public var description: String {
    ([name] + given.map { "\($0.key)=\($0.text)" }).joined(separator: ":")
  }
}

/// The fault of a specification.
public enum SpecificationError: Error, Equatable {
  /// A part is not `key=value`.
  case malformed(specification: String, part: String)
  /// A parameter stands twice.
  case repeated(specification: String, parameter: String)
  /// No such parameter.
  case unknown(name: String, parameter: String, known: [String])
  /// The value is of the wrong type or outside the range.
  case outOfRange(name: String, parameter: Parameter, text: String)

  /// Compares the messages.
  public static func == (left: SpecificationError, right: SpecificationError) -> Bool {
    left.description == right.description
  }
}

extension SpecificationError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .malformed(let specification, let part):
      "“\(specification)”: “\(part)” is no parameter; write name:key=value"
    case .repeated(let specification, let parameter):
      "“\(specification)”: \(parameter) is given twice; keep one"
    case .unknown(let name, let parameter, let known):
      "\(name) has no parameter “\(parameter)”; "
        + (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")
    case .outOfRange(let name, let parameter, let text):
      "\(name): \(parameter.name)=\(text) is out of range; "
        + "give \(parameter.kind.article)\(parameter.kind.range)"
    }
  }
}

extension Parameter.Kind {
  /// The article before the range of numbers that need a word.
  fileprivate var article: String {
    switch self {
    case .integer: "a whole number "
    case .bytes: "bytes (64KiB), "
    default: ""
    }
  }
}

/// Parameter values by name: those given, and the defaults for the rest.
///
/// Asking for a parameter that is not declared, or as another type, is a programmer's mistake and
/// traps.
public struct Arguments: Sendable {
  let parameters: [Parameter]

  /// Only what was given, typed.
  public let given: [String: Parameter.Value]

  /// The name of what they are for, as its specification has it; empty where there is none.
  package let name: String

  /// Values for `parameters`; what is not in `given` has its default.
  public init(parameters: [Parameter], given: [String: Parameter.Value] = [:]) {
    self.init(parameters: parameters, given: given, name: "")
  }

  package init(parameters: [Parameter], given: [String: Parameter.Value] = [:], name: String) {
    self.parameters = parameters
    self.given = given
    self.name = name
  }

  /// The value of a parameter, given or default; nil where neither exists.
  public func value(_ name: String) -> Parameter.Value? {
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      preconditionFailure("the parameter \(name) is not declared")
    }
    return given[name] ?? parameter.defaultValue
  }

  /// The value of a whole number, or a number of bytes, that has a default.
  public func integer(_ name: String) -> Int {
    guard case .integer(let value) = value(name) else { wrongType(name, "an integer") }
    return value
  }

  /// The value of a fraction that has a default.
  public func fraction(_ name: String) -> Fraction {
    guard case .fraction(let value) = value(name) else { wrongType(name, "a fraction") }
    return value
  }

  /// The value of a choice or text that has a default.
  public func text(_ name: String) -> String {
    guard case .text(let value) = value(name) else { wrongType(name, "a text") }
    return value
  }

  /// The value of a flag that has a default.
  public func flag(_ name: String) -> Bool {
    guard case .flag(let value) = value(name) else { wrongType(name, "a flag") }
    return value
  }

  private func wrongType(_ name: String, _ type: String) -> Never {
    preconditionFailure("the parameter \(name) is not \(type) with a default")
  }
}

extension String {
  /// The parts between its commas, except for commas in parentheses.
  package var listItems: [String] {
    var items = [""]
    var depth = 0
    for character in self {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      if character == "," && depth <= 0 {
        items.append("")
      } else {
        items[items.count - 1].append(character)
      }
    }
    return items
  }
}
