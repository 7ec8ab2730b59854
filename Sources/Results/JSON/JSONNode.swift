/// A value of a document with its place, which messages name; none where a member is missing or `null`.
package struct JSONNode: Sendable {
  /// The value.
  package let json: JSON?
  /// The name of the document in messages.
  private let file: String
  /// The name of the value in messages on its members: `entry 2 of “results”`.
  private let path: String
  /// The name, in messages, of the object that the value is a member of; nil for elements of lists.
  private let owner: String?

  private init(_ json: JSON?, file: String, path: String, owner: String? = nil) {
    self.json = json
    self.file = file
    self.path = path
    self.owner = owner
  }

  /// The root of a document that names this schema, or the other one.
  package init(
    reading bytes: some Sequence<UInt8>, schema: String, or other: String? = nil, file: String
  ) throws(ResultSetError) {
    let bytes = Array(bytes)
    let json: JSON
    do throws(JSONError) {
      json = try JSON(reading: bytes)
    } catch {
      let isMerged = bytes.split(separator: 0x0A).contains { $0.starts(with: "<<<<<<<".utf8) }
      if isMerged { throw .conflict(file: file) }
      throw .malformed(file: file, schema: schema, error)
    }
    let found: String? = if case .string(let text) = json["schema"] { text } else { nil }
    guard let found, found == schema || found == other else {
      throw .schema(file: file, expected: schema, found: found)
    }
    self.init(json, file: file, path: "the document")
  }

  /// A line of a file whose first line names the schema, or a document without one, by its name in messages.
  package init(
    line: some Sequence<UInt8>, file: String, name: String = "the line"
  ) throws(ResultSetError) {
    do throws(JSONError) {
      self.init(try JSON(reading: line), file: file, path: name)
    } catch {
      throw .malformed(file: file, schema: "JSON", error)
    }
  }

  /// A member of an object.
  package subscript(key: String) -> JSONNode {
    JSONNode(json?[key], file: file, path: "“\(key)”", owner: path)
  }

  /// The keys of the members, in their order.
  package var keys: [String] {
    if case .object(let members) = json { members.map(\.key) } else { [] }
  }

  /// The elements of a list.
  package func elements() throws(ResultSetError) -> [JSONNode] {
    guard case .array(let elements) = json else { throw wrong("a list") }
    return elements.enumerated().map { index, element in
      JSONNode(element, file: file, path: "entry \(index + 1) of \(path)")
    }
  }

  /// A member's value.
  package func value<Value: JSONValue>(_ key: String) throws(ResultSetError) -> Value {
    try Value.format.read(self[key])
  }

  /// The error that the value is none of those expected, or is not there.
  package func wrong(_ expected: String) -> ResultSetError {
    let path = path + (owner.map { " of \($0)" } ?? "")
    return json == nil
      ? .absent(file: file, path: path) : .value(file: file, path: path, expected: expected)
  }
}
