import Traces

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> [UInt8] { try WholeFile.read(path) }
}
