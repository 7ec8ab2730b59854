/// The lines of a text file, one after the other, without their ends; blank ones are left out.
///
///     var lines = TextLines(input)
///     while !builder.isFull, try lines.next() {
///       guard … lines.text … else { throw lines.malformed("not so", "do this") }
///     }
struct TextLines: ~Copyable {
  /// More requests than any line stands for; a larger count is damage.
  static let mostRequests: UInt64 = 1 << 20

  private let input: TraceInput
  private let longest: Int
  private var cursor: LineCursor?

  /// The number of the current line, from 1.
  private(set) var number = 0
  /// The current line; valid until the next one.
  private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The lines of a file, each of at most `longest` bytes.
  init(_ input: TraceInput, longest: Int = TraceInput.longestLine) {
    self.input = input
    self.longest = longest
  }

  /// Goes to the next line that isn't blank; false at the end.
  @inline(__always)
  mutating func next() throws(TraceError) -> Bool {
    while true {
      guard let line = cursor?.line() else {
        guard let block = try input.nextLines(from: number + 1, longest: longest) else {
          return false
        }
        cursor = LineCursor(block)
        continue
      }
      number &+= 1
      text = line.trimmed
      if !text.isEmpty { return true }
    }
  }

  /// The error that a text of the current line isn't what it should be.
  func wrong(_ text: UnsafeRawBufferPointer, _ name: StaticString) -> TraceError {
    malformed("'\(text.excerpt)' is no \(name)")
  }

  /// The advice for a damaged line.
  static let usualRemedy = "correct the line or name another format"

  /// The error that the current line is damaged.
  func malformed(
    _ problem: String, _ remedy: String = TextLines.usualRemedy
  ) -> TraceError {
    input.malformed(line: number, problem, remedy)
  }

  /// The error that the current line is no whole object of JSON, which the first line of a document in several lines cannot
  /// be.
  func noObject() -> TraceError {
    let isBegun = text.first == UInt8(ascii: "{") && text.last != UInt8(ascii: "}")
    return number == 1 && isBegun
      ? malformed(
        "JSON that does not end on its line",
        "if it is whole, write it in one line, for instance by jq -c .")
      : malformed("not one JSON object")
  }
}

extension TraceSample {
  /// This recognition where the sample is text whose lines are a format's: of a format that the name names, half of
  /// them are enough.
  func recognised(
    as recognition: Recognition, whereLines test: (UnsafeRawBufferPointer) -> Bool?
  ) -> Recognition {
    isText(damaged: recognition == .named ? 2 : 4, whoseLines: test) ? recognition : .no
  }

  /// True when the sample is text whose first lines are a format's, except for a quarter of them at most:
  /// a damaged file is better refused by the format that most of it is in, which says where. A last
  /// line that does not end may be cut off, and does not speak against the format.
  ///
  /// - Parameters:
  ///   - part: One line of this number may be damaged.
  ///   - test: whether a line, not blank, is one of the format's; nil for a remark, which
  ///     speaks neither for the format nor against it.
  func isText(
    damaged part: Int = 4, whoseLines test: (UnsafeRawBufferPointer) -> Bool?
  ) -> Bool {
    guard isText else { return false }
    var (passed, failed) = (0, 0)
    for line in lines(64) {
      let verdict = line.withUnsafeBytes { bytes -> Bool? in
        let text = bytes.trimmed
        return text.isEmpty ? nil : test(text)
      }
      switch verdict {
      case true?: passed += 1
      case false? where isWhole && line.endIndex == head.endIndex: break
      case false?:
        // The names of columns are no damage.
        if passed + failed == 0, hasColumnNames { return false }
        failed += 1
      case nil: break
      }
    }
    return passed > 0 && failed * (part - 1) <= passed
  }

  /// The first line that is not blank, as far as the first 4 KiB hold it, without white space at its ends.
  var firstLine: ArraySlice<UInt8> {
    let isSpace = UnsafeRawBufferPointer.isSpace
    let line = head.prefix(4096).drop(while: isSpace).prefix { $0 != 0x0A }
    let start = line.firstIndex { !isSpace($0) } ?? line.endIndex
    return line[start..<((line.lastIndex { !isSpace($0) } ?? start - 1) + 1)]
  }
}
