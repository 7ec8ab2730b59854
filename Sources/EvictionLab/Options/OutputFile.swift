import Foundation
import Results
import Traces

/// A file that a command will write.
enum OutputFile {
  /// Refuses a path that could not be written, before the work is done in vain; `-` is standard
  /// output.
  static func check(_ path: String) throws(TraceError) {
    if path == "-" { return }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw .folder(file: path) }
      if status.st_mode & S_IFMT != S_IFREG { return }
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if access(folder, F_OK) != 0 { throw .missing(file: folder) }
    if access(folder, W_OK) != 0 {
      throw .io(file: path, action: "create", byte: 0, code: errno)
    }
  }
}

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> [UInt8] { try WholeFile.read(path) }

  /// A results document.
  static func results(of path: String) throws -> ResultSet {
    try ResultSet(reading: bytes(of: path), file: path)
  }
}
