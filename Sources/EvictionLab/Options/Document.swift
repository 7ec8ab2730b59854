import Laboratory
import Traces

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> [UInt8] { try WholeFile.read(path) }

  /// A results document, with the bounds among this program's policies.
  static func results(of path: String) throws -> ResultSet {
    try results(bytes(of: path), file: path)
  }

  /// A results document from the bytes of a file.
  static func results(_ bytes: [UInt8], file: String) throws(ResultSetError) -> ResultSet {
    var results = try ResultSet(reading: bytes, file: file)
    results.bounds = EvictionLabCommand.bounds
    return results
  }
}
