/// The reason why a file was read in its format.
public enum FormatReason: String, CaseIterable, Sendable {
  /// The caller named the format.
  case given
  /// The content tells it, whatever the file is called.
  case content
  /// The file's name chose among the formats that the content fits; or the content is binary data, in which nothing
  /// says what it is.
  case name
}

extension Trace {
  /// The reason for the format as a part of a sentence; nil where the trace was not read.
  package var formatReason: String? {
    formatReasons.isEmpty ? nil : formatReasons.map(\.description).joined(separator: " and ")
  }
}

extension FormatReason: CustomStringConvertible {
  /// A part of a sentence: `told by its content`.
  public var description: String {
    switch self {
    case .given: "as given"
    case .content: "told by its content"
    case .name: "told by its name"
    }
  }
}
