import Parameters

/// One key per line.
///
///     # what a comment looks like
///     user:17
///     user:4
///
/// A key is the line's bytes without white space at its ends; it is text even when it looks like
/// a number. Blank lines, lines that begin with `#`, and a lone `*` (which ends a phase in the
/// LIRS authors' traces) are no requests.
struct PlainFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "plain", summary: "text, one key per line; blank lines, # lines and a lone * are skipped")

  let keys = KeyKind.text

  init(_ arguments: Arguments) {}

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.isText ? .possible : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var number = 0
    while !builder.isFull, let block = try input.nextLines(from: number + 1) {
      let holdsZero = block.place(of: 0, from: 0) != nil
      var lines = LineCursor(block)
      while let line = lines.line() {
        number += 1
        let key = line.trimmed
        guard let first = key.first, first != UInt8(ascii: "#") else { continue }
        if first == UInt8(ascii: "*"), key.count == 1 { continue }
        if holdsZero, key.place(of: 0, from: 0) != nil {
          throw .malformed(
            file: input.file, place: .line(number), problem: "the line holds a zero byte",
            remedy: "is this a text file? name its format")
        }
        try builder.append(text: key)
      }
    }
  }
}
