/// An object of a document, with its place for messages.
package struct JSONObject {
  package let json: JSON
  package let file: String
  package let path: String

  package init(_ json: JSON, file: String, path: String) {
    self.json = json
    self.file = file
    self.path = path
  }

  /// The root of a document that says of itself that it has this schema.
  package init(
    reading bytes: some Sequence<UInt8>, schema: String, file: String
  ) throws(ResultSetError) {
    do throws(JSONError) {
      json = try JSON(reading: bytes)
    } catch {
      throw .malformed(file: file, schema: schema, error)
    }
    let found: String? = if case .string(let text) = json["schema"] { text } else { nil }
    guard found == schema else { throw .schema(file: file, expected: schema, found: found) }
    self.file = file
    path = "the document"
  }

  package func has(_ key: String) -> Bool { json[key] != nil }

  package func wrong(_ key: String, _ expected: String) -> ResultSetError {
    .value(file: file, path: "“\(key)” of \(path)", expected: expected)
  }

  package func string(_ key: String) throws(ResultSetError) -> String {
    guard case .string(let value) = json[key] else { throw wrong(key, "a text") }
    return value
  }

  package func optionalString(_ key: String) throws(ResultSetError) -> String? {
    has(key) ? try string(key) : nil
  }

  package func integer(_ key: String) throws(ResultSetError) -> Int {
    guard case .integer(let value) = json[key] else { throw wrong(key, "a whole number") }
    return value
  }

  /// A whole number that is not below `least`.
  package func integer(_ key: String, from least: Int) throws(ResultSetError) -> Int {
    let value = try integer(key)
    if value < least { throw wrong(key, "a whole number from \(least) on") }
    return value
  }

  /// The most that a document counts of anything: sums of counts then stay far from overflow.
  static let mostCounted = 1 << 53

  /// How many there are of something.
  package func count(_ key: String) throws(ResultSetError) -> Int {
    let value = try integer(key)
    guard (0...JSONObject.mostCounted).contains(value) else { throw wrong(key, JSONObject.aCount) }
    return value
  }

  /// How many there are of something in each of several parts, and in all of them together.
  package func counts(_ key: String) throws(ResultSetError) -> [Int] {
    let values = try integers(key)
    var sum = 0
    for value in values {
      guard (0...JSONObject.mostCounted - sum).contains(value) else {
        throw wrong(key, "a list of counts, together \(JSONObject.aCount)")
      }
      sum += value
    }
    return values
  }

  private static let aCount = "a whole number from 0 to \(mostCounted)"

  package func optionalInteger(_ key: String) throws(ResultSetError) -> Int? {
    has(key) ? try integer(key) : nil
  }

  package func number(_ key: String) throws(ResultSetError) -> Double {
    guard let value = json[key]?.double else { throw wrong(key, "a number") }
    return value
  }

  func optionalNumber(_ key: String) throws(ResultSetError) -> Double? {
    has(key) ? try number(key) : nil
  }

  /// `[low, high]`.
  func optionalInterval(_ key: String) throws(ResultSetError) -> ClosedRange<Double>? {
    if !has(key) { return nil }
    let ends = try array(key)
    guard ends.count == 2, let low = ends[0].double, let high = ends[1].double, low <= high else {
      throw wrong(key, "a pair of rising numbers")
    }
    return low...high
  }

  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String
  ) throws(ResultSetError) -> Choice {
    guard let value = Choice(rawValue: try string(key)) else {
      throw wrong(key, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  package func members(_ key: String) throws(ResultSetError) -> [JSON.Member] {
    guard case .object(let members) = json[key] else { throw wrong(key, "an object") }
    return members
  }

  package func object(_ key: String) throws(ResultSetError) -> JSONObject {
    JSONObject(.object(try members(key)), file: file, path: "“\(key)”")
  }

  func optionalObject(_ key: String) throws(ResultSetError) -> JSONObject? {
    has(key) ? try object(key) : nil
  }

  package func array(_ key: String) throws(ResultSetError) -> [JSON] {
    guard case .array(let elements) = json[key] else { throw wrong(key, "a list") }
    return elements
  }

  /// The keys of the members, in their order.
  package var names: [String] {
    if case .object(let members) = json { members.map(\.key) } else { [] }
  }

  func strings(_ key: String) throws(ResultSetError) -> [String] {
    try array(key).map { element throws(ResultSetError) in
      guard case .string(let value) = element else { throw wrong(key, "a list of texts") }
      return value
    }
  }

  package func integers(_ key: String) throws(ResultSetError) -> [Int] {
    try array(key).map { element throws(ResultSetError) in
      guard case .integer(let value) = element else { throw wrong(key, "a list of whole numbers") }
      return value
    }
  }

  /// A list of `count` numbers; null stands for what is none.
  package func numbers(_ key: String, count: Int) throws(ResultSetError) -> [Double] {
    let elements = try array(key)
    if elements.count != count { throw wrong(key, "a list of \(count) numbers") }
    return try elements.map { element throws(ResultSetError) in
      switch element {
      case .number(let value): return value
      case .integer(let value): return Double(value)
      case .null: return .nan
      default: throw wrong(key, "a list of numbers")
      }
    }
  }

  package func objects(_ key: String) throws(ResultSetError) -> [JSONObject] {
    try array(key).enumerated().map { index, element in
      JSONObject(element, file: file, path: "entry \(index + 1) of “\(key)”")
    }
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
