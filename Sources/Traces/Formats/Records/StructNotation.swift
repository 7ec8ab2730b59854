/// Records written as Python's `struct` module writes them: `<IIIHHQQ`.
///
/// The first character is the order of bytes and the sizes: `<` little-endian, `>` and `!`
/// big-endian, `=` little-endian, all with standard sizes and nothing between the fields; `@`, or
/// none of them, as a C compiler on a 64-bit Unix machine lays the fields out. Then come fields:
///
///     b B        1 byte, with and without sign        f d   4 and 8 bytes of floating point
///     h H        2 bytes                              ?     1 byte
///     i I  l L   4 bytes (l L: 8 with @)              c     a letter
///     q Q        8 bytes                              s     text, its count the bytes
///     n N        8 bytes, only with @                 x     a byte that is no field
///
/// A count before a letter repeats it, so `3I` is three fields, but `16s` one. Blanks are skipped.
/// https://docs.python.org/3/library/struct.html
struct StructNotation {
  /// Bytes of a record.
  private(set) var size = 0
  private(set) var fields: [RecordField] = []

  /// Throws `usage`, which says what is wrong and where.
  init(_ text: String) throws(TraceError) {
    var letters = Array(text.unicodeScalars)[...]
    let order = letters.first.flatMap { "<>!=@".unicodeScalars.contains($0) ? $0 : nil }
    if order != nil { letters.removeFirst() }
    let isNative = order == nil || order == "@"
    let isBigEndian = order == ">" || order == "!"
    var repeats: Int?
    for (index, letter) in zip(letters.indices, letters) {
      func refusal(_ problem: String) -> TraceError {
        Self.refusal(text, "\(problem) at character \(index + 1)")
      }
      if letter == " " && repeats == nil { continue }
      if let digit = Int("\(letter)"), (0...9).contains(digit) {
        let count = (repeats ?? 0) * 10 + digit
        guard count <= TraceInput.longestLine else { throw refusal("a count that is too large") }
        repeats = count
        continue
      }
      let count = repeats ?? 1
      repeats = nil
      guard let (kind, width) = Self.meaning(of: letter, isNative: isNative) else {
        throw refusal("no field is called '\(letter)',")
      }
      if isNative { size = size.rounded(upTo: width) }
      guard size + count * width <= TraceInput.longestLine else {
        throw refusal("a record of more than 1 MiB")
      }
      switch kind {
      case .padding: size += count
      case .text where count == 0: throw refusal("a text of no bytes")
      case .text:
        fields.append(RecordField(offset: size, kind: .text(bytes: count)))
        size += count
      case .number(let kind):
        for _ in 0..<count {
          fields.append(RecordField(offset: size, kind: kind, isBigEndian: isBigEndian))
          size += width
        }
      }
    }
    if let repeats { throw Self.refusal(text, "nothing follows the count \(repeats)") }
    if fields.isEmpty { throw Self.refusal(text, "there is no field") }
  }

  private enum Meaning {
    case padding
    case text
    case number(RecordField.Kind)
  }

  /// The meaning of a letter, and the bytes that one of its kind takes.
  private static func meaning(
    of letter: Unicode.Scalar, isNative: Bool
  ) -> (Meaning, Int)? {
    switch letter {
    case "x": (.padding, 1)
    case "s": (.text, 1)
    case "c": (.number(.character), 1)
    case "b": (.number(.signed(bytes: 1)), 1)
    case "B", "?": (.number(.unsigned(bytes: 1)), 1)
    case "h": (.number(.signed(bytes: 2)), 2)
    case "H": (.number(.unsigned(bytes: 2)), 2)
    case "i": (.number(.signed(bytes: 4)), 4)
    case "I": (.number(.unsigned(bytes: 4)), 4)
    case "l": (.number(.signed(bytes: isNative ? 8 : 4)), isNative ? 8 : 4)
    case "L": (.number(.unsigned(bytes: isNative ? 8 : 4)), isNative ? 8 : 4)
    case "q": (.number(.signed(bytes: 8)), 8)
    case "Q": (.number(.unsigned(bytes: 8)), 8)
    case "n" where isNative: (.number(.signed(bytes: 8)), 8)
    case "N" where isNative: (.number(.unsigned(bytes: 8)), 8)
    case "f": (.number(.float), 4)
    case "d": (.number(.double), 8)
    default: nil
    }
  }

  private static func refusal(_ text: String, _ problem: String) -> TraceError {
    .usage(
      problem: "binary:format=\(text): \(problem)",
      remedy: "write Python's struct notation, fields b B h H i I l L q Q f d c s ? and x, "
        + "for instance <IIIHHQQ")
  }
}
