import Foundation
import Traces

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      var isFolder: ObjCBool = false
      if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
        throw .missing(file: path)
      }
      if isFolder.boolValue { throw .folder(file: path) }
      throw .io(file: path, action: "read", byte: 0, code: EIO)
    }
  }
}
