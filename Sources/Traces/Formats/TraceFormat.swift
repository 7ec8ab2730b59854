import Parameters

/// A way in which traces are stored: one file in this folder, one line in ``TraceFormats``.
public protocol TraceFormat: Sendable {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// How sure the format is that a file is its own.
  static func recognition(of sample: TraceSample) -> Recognition

  /// How a file that the format recognised is read: its name, with parameters where the file's
  /// name or content tells them.
  static func specification(of sample: TraceSample) -> Specification

  /// True for formats of binary data, which are what an unknown binary file may be.
  static var isBinary: Bool { get }

  /// A reader with these parameters. Throws `usage` when they don't fit together.
  init(_ arguments: Arguments) throws(TraceError)

  /// What the trace's keys are.
  var keys: KeyKind { get }

  /// Reads the whole input into a builder, or as much as the builder wants.
  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError)
}

extension TraceFormat {
  /// The format without parameters.
  public static func specification(of sample: TraceSample) -> Specification {
    Specification(name: information.name)
  }

  /// Text, unless a format says otherwise.
  public static var isBinary: Bool { false }
}

/// What the keys of a trace are.
public enum KeyKind: Sendable {
  /// Numbers, identified by their value.
  case integer
  /// Texts, identified by their bytes and never parsed as numbers.
  case text
}

/// How sure a format is that a file is its own.
public enum Recognition: Int, Comparable, Sendable {
  /// It is not.
  case no
  /// It could be, as nearly anything could.
  case possible
  /// The content looks like it.
  case likely
  /// The name says so, and the content doesn't contradict; or the content can be nothing else.
  case certain

  /// The less sure comes first.
  public static func < (left: Recognition, right: Recognition) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What detection sees of a file: its name and its first bytes, unpacked.
public struct TraceSample: Sendable {
  /// The name without folder and without the suffix of its compression, in lower case.
  public let name: String
  /// The first bytes, at most 64 KiB.
  public let head: [UInt8]
  /// True when `head` is the whole content.
  public let isWhole: Bool

  /// True when the name holds a word, set off by anything but letters and digits; for data that
  /// may be binary: the name then tells what nothing in the data does.
  func isBinary(named word: String) -> Bool {
    mayBeBinary && Self.words(of: name).contains(word)
  }

  /// True when the first bytes are no text, or so few that they may look like one by chance.
  var mayBeBinary: Bool { !isText || isOpenLine }

  /// True when the whole content is one line without an end, which may be a part of anything.
  var isOpenLine: Bool { isWhole && !head.isEmpty && !head.contains(0x0A) }

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
  public func lines(_ limit: Int) -> [ArraySlice<UInt8>] {
    var lines = head.split(
      separator: 0x0A, maxSplits: limit, omittingEmptySubsequences: false)
    // What stands after the last newline is whole only at the end of the content.
    if lines.count > limit || !isWhole { lines.removeLast() }
    return lines.map { $0.last == 0x0D ? $0.dropLast() : $0 }
  }

  /// True when the first bytes hold nothing that texts don't: no control characters but tabs,
  /// form feeds and line ends.
  public var isText: Bool {
    !head.contains { ($0 < 0x20 && !(0x09...0x0D).contains($0)) || $0 == 0x7F }
  }
}
