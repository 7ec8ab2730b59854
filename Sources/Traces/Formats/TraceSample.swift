/// The name and the first bytes of a file, unpacked, by which its format is recognised.
package struct TraceSample: Sendable {
  /// The name without folder and without the suffix of its compression, in lower case.
  package let name: String
  /// The first bytes, at most 64 KiB; those of a text without its mark of the order of bytes.
  package let head: [UInt8]
  /// True when `head` is the whole content.
  package let isWhole: Bool
  /// True when the first bytes hold nothing that texts don't: no control characters but tabs,
  /// form feeds and line ends.
  package let isText: Bool
  /// The lines that are whole, without line ends. Every format of lines asks.
  private let wholeLines: [ArraySlice<UInt8>]
  /// The structure of the lines; nil where they are no text.
  private(set) var structure: TextStructure?
  /// The first lines taken as CSV, whose delimiter they tell; nil where they are no text. Every format of lines asks.
  private var header: CSVHeader?

  package init(name: String, head: [UInt8], isWhole: Bool) {
    self.name = name
    self.isWhole = isWhole
    isText = !head.contains { ($0 < 0x20 && !(0x09...0x0D).contains($0)) || $0 == 0x7F }
    self.head =
      isText && head.starts(with: TraceInput.byteOrderMark)
      ? Array(head.dropFirst(TraceInput.byteOrderMark.count)) : head
    var lines = self.head.split(separator: 0x0A, omittingEmptySubsequences: false)
    // What stands after the last newline is whole only at the end of the content.
    if !isWhole { lines.removeLast() }
    wholeLines = lines.map { $0.last == 0x0D ? $0.dropLast() : $0 }
    if isText {
      structure = TextStructure(self)
      header = CSVHeader(self, delimiter: nil)
    }
  }

  /// True when the first line has the names of columns.
  var hasColumnNames: Bool { header.map { $0.isHeader == true && $0.hasKnownNames } ?? false }

  /// The first lines taken as CSV of this delimiter, or of the one that they tell.
  func header(delimiter: UInt8? = nil) -> CSVHeader {
    if let header, delimiter == nil || delimiter == header.delimiter { return header }
    return CSVHeader(self, delimiter: delimiter)
  }

  /// The recognition of binary data by a name that names its format, as nothing in it does: certain where the content
  /// is no text, and only possible where it is so short that it may look like one by chance.
  func recognition(ofBinary isNamed: Bool) -> Recognition {
    !isNamed ? .no : !isText ? .certain : isOpenLine ? .possible : .no
  }

  /// True when the name holds a word, set off by anything but letters and digits.
  func isNamed(_ word: String) -> Bool { Self.words(of: name).contains(word) }

  /// The sample of a file of another name.
  func named(_ name: String) -> TraceSample {
    TraceSample(name: name, head: head, isWhole: isWhole)
  }

  /// True when the whole content is one line without an end, which may be a part of anything.
  var isOpenLine: Bool { isWhole && !head.isEmpty && !head.contains(0x0A) }

  /// True when the first bytes are UTF-16's mark of the order of bytes.
  var isUTF16: Bool { head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) }

  /// The words of a name.
  static func words(of name: String) -> [String] {
    name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// A file's name as ``name`` has it.
  static func stem(of name: String) -> String {
    let name = name.lowercased()
    let suffix = Compression.allCases.map(\.suffix).first { name.hasSuffix($0) }
    return suffix.map { String(name.dropLast($0.count)) } ?? name
  }

  /// The first lines that are whole, at most `limit`; without line ends.
  package func lines(_ limit: Int) -> [ArraySlice<UInt8>] { Array(wholeLines.prefix(limit)) }
}

extension TraceInput {
  /// The name and the first bytes; they stay to be read.
  package func sample() throws(TraceError) -> TraceSample {
    let (head, isWhole) = try head(64 << 10)
    return TraceSample(
      name: TraceSample.stem(of: file.split(separator: "/").last.map(String.init) ?? file),
      head: head, isWhole: isWhole)
  }
}
