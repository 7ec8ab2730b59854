/// A line of a document's reference: a member of an object.
package struct DocumentRow: Sendable {
  /// The key, with those of the groups around it: `operation.get`.
  package private(set) var key: String
  /// The kind of the value: `a whole number`.
  package var type: String
  /// The meaning, with its unit.
  package let help: String
  /// The case in which the member is missing or `null`; empty for never.
  package private(set) var absence: String
  /// The objects that the value consists of.
  package var parts: [DocumentPart]
  /// The way in which the value repeats; nil where it consists of objects, whose rows say it.
  let certainty: Certainty?
  /// True for a value that follows from others of its object, and is not read.
  var isDerived = false
  /// The value of a member that is left out.
  private(set) var usual: JSON?

  /// A line for a value of that format; without certainty for one that consists of objects.
  package init<Value>(
    _ key: String, _ format: JSONFormat<Value>, _ help: String, _ certainty: Certainty?
  ) {
    precondition(certainty != nil || !format.parts.isEmpty, "the certainty of \(key) is not said")
    self.key = key
    self.help = help
    self.certainty = certainty
    absence = format.isNullable ? "`null`" : ""
    type = format.name
    parts = format.parts
  }

  /// The line of a member that is left out where it has this value.
  func leftOut(for usual: JSON) -> DocumentRow {
    let isEmpty = usual == .null || usual == .array([])
    var row = self
    row.absence = "left out" + (isEmpty ? "" : " if \(usual.text)")
    row.usual = usual
    return row
  }

  func under(_ group: String) -> DocumentRow {
    var row = self
    row.key = "\(group).\(key)"
    return row
  }

  func only(_ owners: String) -> DocumentRow {
    var row = self
    row.absence = (["only \(owners)"] + (absence.isEmpty ? [] : [absence])).joined(separator: ", ")
    return row
  }
}

/// An object of a document with the lines of its members.
package struct DocumentPart: Sendable {
  /// The title in the reference.
  package let title: String
  /// Its members, those of objects inside left out.
  package let rows: [DocumentRow]

  /// This object and those inside, each once, the outer ones first.
  package var all: [DocumentPart] {
    var parts = [self]
    var next = 0
    while next < parts.count {
      for part in parts[next].rows.flatMap(\.parts)
      where !parts.contains(where: { $0.title == part.title }) {
        parts.append(part)
      }
      next += 1
    }
    return parts
  }

  /// The name of a type in words: `latency summary`.
  static func title(of type: Any.Type) -> String {
    "\(type)".reduce(into: "") { words, letter in
      words += letter.isUppercase && !words.isEmpty ? " \(letter)" : "\(letter)"
    }.lowercased()
  }

  /// The members as a Markdown table under the object's title.
  package var markdown: String {
    let lines = rows.map {
      "| `\($0.key)` | \($0.type) | \($0.help) | \($0.absence) | \($0.certainty?.rawValue ?? "") |"
    }
    return """
      ### \(title.prefix(1).uppercased() + title.dropFirst())

      | key | value | meaning | when absent | certainty |
      |---|---|---|---|---|
      \(lines.joined(separator: "\n"))

      """
  }
}

extension Documented {
  /// The reference of documents of this type: a table for each object in it, in Markdown.
  package static var reference: String {
    format.parts.flatMap(\.all).map(\.markdown).joined(separator: "\n")
  }
}
