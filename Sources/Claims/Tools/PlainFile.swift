import Foundation

/// Files written and read without a store around them.
enum PlainFile {
  /// A file operation that failed.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ action: String, _ path: String) {
      description = "\(path): cannot \(action): \(String(cString: strerror(errno)))"
    }
  }

  /// Writes a temporary file and renames it, with syncs of file and folder where the bytes shall survive a
  /// power loss.
  static func writeAtomically(
    _ bytes: [UInt8], to path: String, temporary: String? = nil, syncs: Bool
  ) throws {
    let temporary = temporary ?? path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if file < 0 { throw Failure("create", temporary) }
    defer { close(file) }
    if write(file, bytes, bytes.count) != bytes.count { throw Failure("write", temporary) }
    if syncs, fsync(file) != 0 { throw Failure("sync", temporary) }
    if rename(temporary, path) != 0 { throw Failure("rename", temporary) }
    if syncs {
      let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
      if folder < 0 { throw Failure("open the folder of", path) }
      defer { close(folder) }
      if fsync(folder) != 0 { throw Failure("sync the folder of", path) }
    }
  }

  /// The bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw Failure("open", path) }
    defer { close(file) }
    var status = stat()
    if fstat(file, &status) != 0 { throw Failure("look at", path) }
    let size = Int(status.st_size)
    return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = Foundation.read(file, buffer.baseAddress, size)
      if count != size { throw Failure("read", path) }
    }
  }

  /// Asks the system to forget what it has cached of the files in a folder, once they are on the disk.
  static func forget(_ folder: String) {
    #if os(Linux)
      guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
      for case let path as String in paths {
        let file = open("\(folder)/\(path)", O_RDONLY | O_CLOEXEC)
        if file < 0 { continue }
        fsync(file)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
      }
    #endif
  }
}
