import Foundation

/// Standard error: everything that is not a result.
enum StandardError {
  /// Whether a person is watching.
  static let isTerminal = isatty(2) == 1

  /// Says something in one line, whatever names it holds, with the tool's name in front.
  static func say(_ message: String) { write("evict: \(message.printable)\n") }

  /// Writes text as it is.
  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
