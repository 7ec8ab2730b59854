/// The form of a type's values in documents: it writes, reads and names them.
package struct JSONFormat<Value>: Sendable {
  /// The name of a value in messages and in the reference of a document: `a whole number`.
  package let name: String
  /// The name of several: `whole numbers`.
  package let plural: String
  /// True if a value may be `null`.
  package var isNullable = false
  /// The objects that a value consists of; none for a plain value.
  package var parts: [DocumentPart] = []
  /// The value as JSON.
  package let write: @Sendable (Value) -> JSON
  /// Reads a value.
  package let read: @Sendable (JSONNode) throws(ResultSetError) -> Value

  /// A format that reads with messages of its own.
  package init(
    _ name: String, plural: String, write: @escaping @Sendable (Value) -> JSON,
    read: @escaping @Sendable (JSONNode) throws(ResultSetError) -> Value
  ) {
    self.name = name
    self.plural = plural
    self.write = write
    self.read = read
  }

  /// A format of plain values; `parse` returns nil for what is not such a value.
  package init(
    _ name: String, plural: String, write: @escaping @Sendable (Value) -> JSON,
    parse: @escaping @Sendable (JSON) -> Value?
  ) {
    self.init(name, plural: plural, write: write) { node throws(ResultSetError) in
      guard let json = node.json, let value = parse(json) else { throw node.wrong(name) }
      return value
    }
  }

  /// The format of those values only that have a property, which `name` says.
  package func restricted(
    to name: String, where holds: @escaping @Sendable (Value) -> Bool
  ) -> JSONFormat {
    JSONFormat(name, plural: plural, write: write) { [read] node throws(ResultSetError) in
      let value = try read(node)
      if !holds(value) { throw node.wrong(name) }
      return value
    }
  }
}

/// A type whose values stand in documents.
package protocol JSONValue: Sendable {
  /// The form of the type's values.
  static var format: JSONFormat<Self> { get }
}

extension Int: JSONValue {
  package static let format = JSONFormat<Int>(
    "a whole number", plural: "whole numbers", write: JSON.integer
  ) {
    switch $0 {
    case .integer(let value): value
    // Other programs write `43780.0`.
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }
}

extension Double: JSONValue {
  /// In lists, null stands for what is no number.
  package static let format = JSONFormat<Double>(
    "a number", plural: "numbers", write: JSON.number
  ) { $0 == .null ? .nan : $0.double }
}

extension String: JSONValue {
  package static let format = JSONFormat<String>("a text", plural: "texts", write: JSON.string) {
    if case .string(let value) = $0 { value } else { nil }
  }
}

extension Bool: JSONValue {
  package static let format = JSONFormat<Bool>(
    "true or false", plural: "true or false", write: JSON.boolean
  ) { if case .boolean(let value) = $0 { value } else { nil } }
}

extension JSONValue where Self: RawRepresentable<String> & CaseIterable {
  package static var format: JSONFormat<Self> {
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    return JSONFormat("one of \(names)", plural: names, write: { .string($0.rawValue) }) {
      if case .string(let name) = $0 { Self(rawValue: name) } else { nil }
    }
  }
}

extension Optional: JSONValue where Wrapped: JSONValue {
  package static var format: JSONFormat<Self> {
    let format = Wrapped.format
    var optional = JSONFormat<Self>(
      format.name, plural: format.plural, write: { $0.map(format.write) ?? .null }
    ) { node throws(ResultSetError) in node.json == nil ? nil : try format.read(node) }
    optional.isNullable = true
    optional.parts = format.parts
    return optional
  }
}

extension Array: JSONValue where Element: JSONValue {
  package static var format: JSONFormat<Self> {
    let format = Element.format
    let name = "a list of \(format.plural)"
    var list = JSONFormat<Self>(name, plural: "lists of \(format.plural)") {
      .array($0.map(format.write))
    } read: { node throws(ResultSetError) in
      let elements = try node.elements()
      do throws(ResultSetError) {
        return try elements.map { element throws(ResultSetError) in try format.read(element) }
      } catch {
        // Messages name the list of a plain value.
        throw format.parts.isEmpty ? node.wrong(name) : error
      }
    }
    list.parts = format.parts
    return list
  }
}

extension ClosedRange: JSONValue where Bound: JSONValue {
  /// `[low, high]`.
  package static var format: JSONFormat<Self> {
    let ends = [Bound].format
    return JSONFormat("a pair of rising numbers", plural: "pairs of rising numbers") {
      ends.write([$0.lowerBound, $0.upperBound])
    } read: { node throws(ResultSetError) in
      guard let values = try? ends.read(node), values.count == 2, values[0] <= values[1] else {
        throw node.wrong("a pair of rising numbers")
      }
      return values[0]...values[1]
    }
  }
}

extension JSONFormat<Int> {
  /// The most that a document counts of anything: sums of counts then stay far from overflow.
  private static let mostCounted = 1 << 53

  /// A number of things.
  package static let count = Int.format.restricted(to: "a whole number from 0 to \(mostCounted)") {
    (0...mostCounted).contains($0)
  }

  /// A whole number that is not below `least`.
  package static func from(_ least: Int) -> JSONFormat {
    Int.format.restricted(to: "a whole number from \(least) on") { $0 >= least }
  }
}

extension JSONFormat<[Int]> {
  /// A number of things in each of several parts.
  package static let counts = [Int].format.restricted(
    to: "a list of counts, together \(JSONFormat<Int>.count.name)"
  ) { counts in
    var rest = JSONFormat<Int>.mostCounted
    return counts.allSatisfy { count in
      if !(0...rest).contains(count) { return false }
      rest -= count
      return true
    }
  }
}

extension JSONFormat<[JSON.Member]> {
  /// An object with any keys.
  package static let members = JSONFormat("an object", plural: "objects", write: JSON.object) {
    if case .object(let members) = $0 { members } else { nil }
  }
}

extension JSON {
  /// The value of a number, whole or not.
  package var double: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}
