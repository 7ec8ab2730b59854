import Parameters

/// A way in which traces are stored: one file in this folder, one line in ``TraceFormats``.
package protocol TraceFormat: Sendable {
  /// Name, summary and parameters.
  static var information: CatalogEntry { get }

  /// Returns how sure the format is that a file is its own.
  ///
  /// The content decides. The name may raise ``Recognition/possible`` to ``Recognition/named``, where the content
  /// fits; it speaks for itself only where the content is no text: ``TraceSample/recognition(ofBinary:)``.
  static func recognition(of sample: TraceSample) -> Recognition

  /// The specification by which a recognised file is read: the name, with parameters where the file's
  /// name or content tells them.
  static func specification(of sample: TraceSample) -> Specification

  /// The specification by which the format reads texts of a structure that it does not recognise by itself,
  /// once a user has filled in what is a column or a member here: `csv:key=1:delimiter=space`. Nil when it
  /// cannot.
  static func specification(for structure: TextStructure) -> String?

  /// The reason why no trace of the format has prompts, though it comes of a language model, and what to do; nil for
  /// other formats.
  static var prefixRefusal: String? { get }

  /// The ratio of prompts that those report who published the traces, and the command that counts so; nil where none is
  /// known.
  static var publishedRatio: String? { get }

  /// True for formats of binary data, which are what an unknown binary file may be.
  static var isBinary: Bool { get }

  /// A reader with these parameters. Throws `usage` when they don't fit together.
  init(_ arguments: Arguments) throws(TraceError)

  /// The kind of the trace's keys.
  var keys: KeyKind { get }

  /// Reads the whole input into a builder, or as much as the builder wants.
  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError)

  /// True for files that number their keys, so that no table of them is held where they are read block by block.
  static var numbersKeys: Bool { get }

  /// Reads a trace block by block. Requests that were read before the reading was stopped are handed over.
  func read(_ stream: StreamedInput, into blocks: TraceBlocks) throws(TraceError)

  /// The numbers of requests and keys that a file tells of itself, and a block of one request with such columns of it
  /// as are wanted; nil where they have to be counted.
  func told(
    of input: TraceInput, columns: TraceColumns
  ) throws(TraceError) -> (requests: Int, distinct: Int, block: TraceBlock)?
}

extension TraceFormat {
  /// The format without parameters.
  package static func specification(of sample: TraceSample) -> Specification {
    Specification(name: information.name)
  }

  /// None, unless a format says otherwise.
  package static func specification(for structure: TextStructure) -> String? { nil }

  /// None, unless a format says otherwise.
  package static var prefixRefusal: String? { nil }

  /// None, unless a format says otherwise.
  package static var publishedRatio: String? { nil }

  /// Text, unless a format says otherwise.
  package static var isBinary: Bool { false }

  /// Texts, unless a format says otherwise.
  package var keys: KeyKind { .text }

  /// False, unless a format says otherwise.
  package static var numbersKeys: Bool { false }

  /// Nothing, unless a format says otherwise.
  package func told(
    of input: TraceInput, columns: TraceColumns
  ) throws(TraceError) -> (requests: Int, distinct: Int, block: TraceBlock)? { nil }
}

/// A format without parameters.
protocol FixedFormat: TraceFormat {
  init()
}

extension FixedFormat {
  init(_ arguments: Arguments) { self.init() }
}

/// The certainty of a format that a file is its own.
package enum Recognition: Comparable, Sendable {
  /// It is not.
  case no
  /// It could be, as nearly anything could.
  case possible
  /// The content looks like it.
  case likely
  /// The content could be that of several formats, and the name says that it is this one's.
  case named
  /// The content can be nothing else; or it is no text, and the name says what it is.
  case certain
}
