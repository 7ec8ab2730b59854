/// Texts that come from outside, such as the names of traces, where a form gives some characters a meaning.
///
/// All of it goes by Unicode scalars, as readers of these forms do: what Swift takes for one character, such
/// as a line end of two scalars or a quote with an accent, is more to them.
extension String {
  /// The form in which HTML, SVG and XML expect a text or an attribute's value. Controls that XML does not
  /// allow become U+FFFD.
  package var markupEscaped: String {
    escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      case "\r": "&#13;"
      case "\n", "\t": nil
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String.isControl(scalar) ? "\u{FFFD}" : nil
      }
    }
  }

  /// In a cell of a Markdown table, or in its text.
  package var markdownEscaped: String {
    printable.escaping { "|*_`<\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }

  /// In a table of LaTeX, for every engine: characters with a meaning there, and signs that older engines do
  /// not have.
  package var latexEscaped: String {
    printable.escaping { scalar in
      switch scalar {
      case "\\": "\\textbackslash{}"
      case "~": "\\textasciitilde{}"
      case "^": "\\textasciicircum{}"
      case "&", "%", "$", "#", "_", "{", "}": "\\\(scalar)"
      // At the beginning of a row they would be read with the end of the one before.
      case "[", "*": "{\(scalar)}"
      case "≥": "$\\geq$"
      case "≤": "$\\leq$"
      case "<": "$<$"
      case ">": "$>$"
      case "×": "$\\times$"
      case "±": "$\\pm$"
      case "µ": "$\\mu$"
      case "−": "$-$"
      case "–": "--"
      case "…": "\\ldots{}"
      case "\u{A0}": "~"
      default: nil
      }
    }
  }

  /// A number in a table of LaTeX, where a hyphen is shorter than a minus.
  package var latexNumber: String {
    hasPrefix("-") ? "−\(dropFirst())".latexEscaped : latexEscaped
  }

  /// A field of comma-separated values, in quotes where it needs them (RFC 4180); controls other than line
  /// ends and tabs are question marks. A text that a spreadsheet would take for a formula has a `'` in front.
  package var csvField: String {
    if let first = unicodeScalars.first, unicodeScalars.count > 1,
      "=+-@".unicodeScalars.contains(first), Double(self) == nil
    {
      return "'\(self)".csvField
    }
    let isPlain = !unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
    let text = escaping { scalar in
      switch scalar {
      case "\"": "\"\""
      case "\n", "\r", "\t": nil
      default: String.isControl(scalar) ? "?" : nil
      }
    }
    return isPlain ? text : "\"\(text)\""
  }

  /// The message of a workflow command of GitHub Actions.
  package var workflowMessage: String {
    escaping { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String.isControl(scalar) ? "?" : nil
      }
    }
  }

  /// A property of such a command, among others.
  package var workflowProperty: String {
    workflowMessage.escaping { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }

  /// In a line of a terminal, where controls, line ends too, would do something.
  package var printable: String {
    let hasControls = unicodeScalars.contains { String.isControl($0) }
    return hasControls ? escaping { String.isControl($0) ? "?" : nil } : self
  }

  /// True for what does something instead of being shown, marks of the direction of writing among them, which show
  /// the text behind in another order.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar.properties.isBidiControl
    default: false
    }
  }

  private func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        text.append(contentsOf: other.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
