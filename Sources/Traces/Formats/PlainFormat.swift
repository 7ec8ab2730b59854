import Parameters

/// One key per line.
///
///     # what a comment looks like
///     user:17
///     user:4
///
/// A key is the line's bytes without white space at its ends; it is text even when it looks like
/// a number. Blank lines, lines that begin with `#`, and a lone `*` (which ends a phase in the
/// LIRS authors' traces) are no requests. By itself a text is read so only where its lines are tokens
/// (``TextStructure``); when the format is named, any text is.
struct PlainFormat: FixedFormat {
  static let information = CatalogEntry(
    name: "plain", summary: "text, one key per line; blank lines, # lines and a lone * are skipped")

  static func recognition(of sample: TraceSample) -> Recognition {
    sample.structure?.kind == .keys && !sample.isOpenLine ? .possible : .no
  }

  /// True when a line without white space at its ends is a key.
  @inline(__always)
  private static func isRequest(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first != UInt8(ascii: "#") else { return false }
    return line.count > 1 || first != UInt8(ascii: "*")
  }

  /// True when a text is read as one key where it stands on a line of its own.
  static func isKey(_ text: UnsafeRawBufferPointer) -> Bool {
    isRequest(text) && text.trimmed.count == text.count && text.count < TraceInput.longestLine
      && text.place(of: 0x0A, from: 0) == nil && text.place(of: 0, from: 0) == nil
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var number = 0
    while !builder.isFull,
      let block = try input.nextLines(from: number + 1, longest: TraceInput.longestDocument)
    {
      let holdsZero = block.place(of: 0, from: 0) != nil
      var lines = LineCursor(block)
      while let line = lines.line() {
        number += 1
        let key = line.trimmed
        guard Self.isRequest(key) else { continue }
        if holdsZero, key.place(of: 0, from: 0) != nil {
          throw input.malformed(
            line: number, "the line holds a zero byte", "is this a text file? name its format")
        }
        try builder.append(text: key)
      }
    }
  }
}
