/// Numbers for people: commas between thousands, true minus signs, and no line break before a sign. Programs read
/// the exact values beside them.
extension String {
  /// The sentence with ``withThousands``, and with percentages that stay on one line.
  var readable: String { withThousands.replacing(" %", with: "\u{A0}%") }

  /// The text with commas in its whole numbers of five digits and more: `155,307 requests`.
  ///
  /// Numbers within words, such as those of a file's name, stay as they are.
  package var withThousands: String {
    // Most texts have no such number.
    if firstRange(of: /\d{5}/) == nil { return self }
    return replacing(/(^|[\s(−±<])(\d{5,})(?=(?:\.\d+)?[.,;:)]*(?:$|[\s%]))/) { match in
      match.output.1 + String(match.output.2).groupedDigits
    }
  }

  /// A number's text with commas in its whole part: `1,123,327`, `12,345.6`. Other texts, and numbers of four
  /// digits, stay as they are.
  var groupedNumber: String {
    let sign = prefix { $0 == "-" || $0 == "−" }
    let whole = dropFirst(sign.count).prefix { ("0"..."9").contains($0) }
    let rest = dropFirst(sign.count + whole.count)
    guard whole.count > 4, rest.isEmpty || rest.first == "." else { return self }
    return sign + String(whole).groupedDigits + rest
  }

  /// A number's text with a true minus sign: `−12.5`. Other texts stay as they are.
  var withMinus: String {
    guard first == "-", let next = dropFirst().first, ("0"..."9").contains(next) else {
      return self
    }
    return "−" + dropFirst()
  }

  private var groupedDigits: String {
    enumerated().map { index, digit in
      (index > 0 && (count - index).isMultiple(of: 3) ? "," : "") + String(digit)
    }.joined()
  }
}
