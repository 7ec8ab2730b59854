/// A type whose values stand in documents as objects.
///
/// Its fields are declared once: they write a value, read it, and explain it here and in the document's reference.
package protocol Documented: JSONValue, Equatable {
  /// A value of which nothing is known yet.
  init()
  /// The members of the object, in their order.
  static var fields: [Field<Self>] { get }
  /// Checks what no field can tell alone, when all of them are read.
  mutating func finish(reading object: JSONNode) throws(ResultSetError)
}

extension Documented {
  package func finish(reading object: JSONNode) throws(ResultSetError) {}

  /// The object.
  package var json: JSON { .object(Self.fields.flatMap { $0.write(self) }) }

  /// A value of which the facts are known that `fill` sets.
  package init<Failure>(_ fill: (inout Self) throws(Failure) -> Void) throws(Failure) {
    self.init()
    try fill(&self)
  }

  /// Reads an object.
  package init(_ object: JSONNode) throws(ResultSetError) {
    self.init()
    for field in Self.fields { try field.read(&self, object) }
    try finish(reading: object)
  }

  package static var format: JSONFormat<Self> {
    let title = DocumentPart.title(of: self)
    var format = JSONFormat<Self>(
      "an object: \(title)", plural: "objects: \(title)", write: \.json
    ) { node throws(ResultSetError) in
      guard case .object = node.json else { throw node.wrong("an object") }
      return try Self(node)
    }
    format.parts = [DocumentPart(title: title, rows: fields.flatMap(\.rows))]
    return format
  }
}

/// A member of an object in a document, or several.
///
/// Its certainty is left out where its value consists of objects, whose fields say it.
package struct Field<Owner>: Sendable {
  /// The lines of the reference.
  package let rows: [DocumentRow]
  /// The members that an owner has for it.
  package let write: @Sendable (Owner) -> [JSON.Member]
  /// Takes over the value from an object.
  package let read: @Sendable (inout Owner, JSONNode) throws(ResultSetError) -> Void

  /// A field that reads and writes in its own way.
  package init(
    rows: [DocumentRow], write: @escaping @Sendable (Owner) -> [JSON.Member],
    read: @escaping @Sendable (inout Owner, JSONNode) throws(ResultSetError) -> Void = { _, _ in }
  ) {
    self.rows = rows
    self.write = write
    self.read = read
  }

  /// A member that is always written; an optional value is `null` where it is nil.
  package init<Value>(
    _ key: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ help: String,
    _ certainty: Certainty? = nil, as format: JSONFormat<Value>
  ) {
    self.init(rows: [DocumentRow(key, format, help, certainty)]) {
      [JSON.Member(key, format.write($0[keyPath: path]))]
    } read: { owner, object throws(ResultSetError) in
      owner[keyPath: path] = try format.read(object[key])
    }
  }

  /// A member in the format of its type.
  package init<Value: JSONValue>(
    _ key: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ help: String,
    _ certainty: Certainty? = nil
  ) {
    self.init(key, path, help, certainty, as: Value.format)
  }

  /// A member that is left out where it has the value with which an owner begins.
  package static func omittable<Value: JSONValue & Equatable>(
    _ key: String, _ path: WritableKeyPath<Owner, Value> & Sendable, _ help: String,
    _ certainty: Certainty? = nil
  ) -> Field where Owner: Documented {
    let (format, usual) = (Value.format, Owner()[keyPath: path])
    let row = DocumentRow(key, format, help, certainty).leftOut(for: format.write(usual))
    return Field(rows: [row]) { owner in
      let value = owner[keyPath: path]
      return value == usual ? [] : [JSON.Member(key, format.write(value))]
    } read: { owner, object throws(ResultSetError) in
      owner[keyPath: path] = object[key].json == nil ? usual : try format.read(object[key])
    }
  }

  /// A member that follows from others: written, and not read.
  package static func derived<Value: JSONValue>(
    _ key: String, _ path: KeyPath<Owner, Value> & Sendable, _ help: String,
    _ certainty: Certainty? = nil
  ) -> Field {
    var row = DocumentRow(key, Value.format, help, certainty)
    row.isDerived = true
    return Field(rows: [row]) { [JSON.Member(key, Value.format.write($0[keyPath: path]))] }
  }

  /// A member that is the same in all documents.
  package static func constant<Value: JSONValue>(
    _ key: String, _ value: Value, _ help: String
  ) -> Field {
    let member = JSON.Member(key, Value.format.write(value))
    let help = "\(help): `\(member.value.text)`"
    return Field(rows: [DocumentRow(key, Value.format, help, .descriptive)]) { _ in [member] }
  }

  /// An object of members that no type of their own holds.
  package static func group(_ key: String, _ fields: Field...) -> Field {
    Field(rows: fields.flatMap(\.rows).map { $0.under(key) }) { owner in
      [JSON.Member(key, .object(fields.flatMap { $0.write(owner) }))]
    } read: { owner, object throws(ResultSetError) in
      guard case .object = object[key].json else { throw object[key].wrong("an object") }
      for field in fields { try field.read(&owner, object[key]) }
    }
  }

  /// Members that only some owners have.
  package static func only(
    _ owners: String, if condition: @escaping @Sendable (Owner) -> Bool, _ fields: Field...
  ) -> Field {
    Field(rows: fields.flatMap(\.rows).map { $0.only(owners) }) { owner in
      condition(owner) ? fields.flatMap { $0.write(owner) } : []
    } read: { owner, object throws(ResultSetError) in
      for field in fields { try field.read(&owner, object) }
    }
  }

  /// The members of a part among those of its owner; if only some have it, it is there if its first
  /// member is, be it null.
  package static func spread<Part: Documented>(
    only owners: String? = nil, _ path: WritableKeyPath<Owner, Part?> & Sendable
  ) -> Field {
    let rows = Part.fields.flatMap(\.rows)
    return Field(rows: owners.map { owners in rows.map { $0.only(owners) } } ?? rows) { owner in
      owner[keyPath: path].map { part in Part.fields.flatMap { $0.write(part) } } ?? []
    } read: { owner, object throws(ResultSetError) in
      let isMissing = owners != nil && !object.keys.contains(rows[0].key)
      owner[keyPath: path] = isMissing ? nil : try Part(object)
    }
  }

  /// All members but one, each a part under its name.
  package static func others<Part: Sendable, Value: JSONValue>(
    than other: String, _ path: WritableKeyPath<Owner, [Part]> & Sendable, of blank: Part,
    name: WritableKeyPath<Part, String> & Sendable,
    value: WritableKeyPath<Part, Value> & Sendable, _ help: String, _ certainty: Certainty
  ) -> Field {
    let format = Value.format
    return Field(rows: [DocumentRow("*", format, help, certainty)]) {
      $0[keyPath: path].map { JSON.Member($0[keyPath: name], format.write($0[keyPath: value])) }
    } read: { owner, object throws(ResultSetError) in
      owner[keyPath: path] = []
      for key in object.keys where key != other {
        var part = blank
        part[keyPath: value] = try format.read(object[key])
        part[keyPath: name] = key
        owner[keyPath: path].append(part)
      }
    }
  }
}
