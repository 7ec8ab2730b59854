extension JSON {
  /// The value on one line: `{"a": 1, "b": [2, 3]}`.
  ///
  /// Doubles are written in the fewest digits that read back as the same number; those that JSON
  /// cannot express (infinite, not a number) become `null`.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The value for people: a text without its quotes.
  package var plainText: String { if case .string(let value) = self { value } else { text } }

  /// The value as a document: the members of the outermost object, and the elements of an array
  /// among them, stand on lines of their own, so that documents are read and compared line by line.
  package var document: String {
    guard case .object(let members) = self else { return text + "\n" }
    let lines = members.map { member in
      var line = "  "
      JSON.string(member.key).write(to: &line)
      line += ": "
      if case .array(let elements) = member.value, !elements.isEmpty {
        line += "[\n"
        line += elements.map { "    " + $0.text }.joined(separator: ",\n")
        line += "\n  ]"
      } else {
        member.value.write(to: &line)
      }
      return line
    }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? value.description : "null"
    case .string(let value): JSON.write(quoted: value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        JSON.write(quoted: member.key, to: &text)
        text += ": "
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(quoted value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
