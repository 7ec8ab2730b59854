/// A JSON value whose objects keep the order of their keys and whose numbers keep their precision.
package enum JSON: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number without point and exponent.
  case integer(Int)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in order.
  case array([JSON])
  /// Named values in order.
  case object([Member])

  /// A named value of an object.
  package struct Member: Sendable, Equatable {
    /// The key.
    package let key: String
    /// The value after the colon.
    package let value: JSON

    /// A named value.
    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }
}

extension JSON {
  /// The value of an object's member; nil if there is none, or if it is `null`.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self,
      let member = members.first(where: { $0.key == key }), member.value != .null
    else { return nil }
    return member.value
  }

  /// A value, or `null`.
  package static func optional(_ value: (some JSONValue)?) -> JSON {
    value.map { type(of: $0).format.write($0) } ?? .null
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object with its members in the literal's order.
  package init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}

extension JSON: ExpressibleByStringLiteral {
  /// A text.
  package init(stringLiteral value: String) { self = .string(value) }
}
