import Results
import Traces

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> [UInt8] { try WholeFile.read(path) }

  /// A results document.
  static func results(of path: String) throws -> ResultSet {
    try ResultSet(reading: bytes(of: path), file: path)
  }
}
