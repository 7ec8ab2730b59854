/// The way in which a field's value repeats when the same run is made again.
package enum Certainty: String, Sendable, CaseIterable {
  /// To the last digit, on every machine: a difference is real.
  case exact
  /// Nearly: it is estimated from a sample, or counted among other things.
  case estimated
  /// Not at all: a clock, the scheduler or the machine decides.
  case timed
  /// It is words or facts about the run, which are not compared.
  case descriptive
}

/// A value of which an object of a document consists.
package struct DocumentFigure: Sendable {
  /// The keys that lead to it: `disk.recovery.lost`, `windows.hits`, `groups[0].name`.
  package let path: String
  /// The value; `null` where the object has none.
  package let value: JSON
  /// The way in which it repeats.
  package let certainty: Certainty
  /// True if it follows from others, and was not read.
  package let isDerived: Bool

  /// The path in words: `disk recovery lost`, `hit tokens`.
  package var name: String {
    path.reduce(into: "") { words, letter in
      words += letter.isUppercase ? " \(letter.lowercased())" : letter == "." ? " " : "\(letter)"
    }
  }
}

extension Documented {
  /// The values that an object of this type consists of, in the order of the fields. A member that is left out counts
  /// with its usual value.
  package static func figures(of object: JSON) -> [DocumentFigure] {
    DocumentRow.figures(of: object, fields.flatMap(\.rows), under: "")
  }

  /// The values that it consists of, in the order of the fields.
  package var figures: [DocumentFigure] { Self.figures(of: json) }
}

extension DocumentRow {
  /// The values of an object with these rows.
  fileprivate static func figures(
    of object: JSON, _ rows: [DocumentRow], under path: String
  ) -> [DocumentFigure] {
    let named = Set(rows.map(\.key))
    return rows.flatMap { row -> [DocumentFigure] in
      if row.key.last != "*" {
        return row.figures(of: object.member(at: row.key), at: path + row.key)
      }
      // Members of any name, in the object itself or in a group.
      let group = row.key.dropLast()
      let holder = group.isEmpty ? object : object.member(at: String(group.dropLast()))
      guard case .object(let members)? = holder else { return [] }
      return members.filter { !named.contains(group + $0.key) }
        .flatMap { row.figures(of: $0.value, at: path + group + $0.key) }
    }
  }

  private func figures(of value: JSON?, at path: String) -> [DocumentFigure] {
    if let certainty {
      return [
        DocumentFigure(
          path: path, value: value ?? usual ?? .null, certainty: certainty, isDerived: isDerived)
      ]
    }
    let rows = parts.first?.rows ?? []
    switch value {
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        Self.figures(of: element, rows, under: "\(path)[\(index)].")
      }
    default: return Self.figures(of: value ?? .null, rows, under: "\(path).")
    }
  }
}

extension JSON {
  /// The value at keys with points between them.
  fileprivate func member(at path: String) -> JSON? {
    path.split(separator: ".").reduce(self) { $0?[String($1)] }
  }
}
