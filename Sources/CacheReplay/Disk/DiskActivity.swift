import DiskTier
import Foundation

/// The system's counts of the disk and of this process's use of it.
package enum DiskActivity {
  /// The bytes that this process has handed to the system to write, ever; nil where that is unknown.
  package static var bytesWritten: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar: ") }
    return line.flatMap { Int($0.dropFirst("wchar: ".count)) }
  }

  /// The size of a file; 0 if there is none.
  static func size(ofFile path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// All files under a folder.
  package static func files(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.map { "\(folder)/\($0)" }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// The bytes of disk that files take.
  package static func allocation(of files: [String]) -> Int {
    files.reduce(0) { sum, path in
      var status = stat()
      return lstat(path, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }
}

/// A file kept open, so that what the system has of it in memory can be dropped again and again.
package final class DroppedFile {
  private let path: String
  private let descriptor: Int32

  /// True if this system can drop files from memory.
  static var isPossible: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Writes the file to disk and drops it from memory.
  ///
  /// Throws when that cannot be done: what is read of the file then would come from memory.
  package init(_ path: String) throws(DiskCacheError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 || fsync(descriptor) < 0 { throw failure(errno) }
    try drop()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Drops what is in memory of it.
  func drop() throws(DiskCacheError) {
    #if os(Linux)
      let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      if code != 0 { throw failure(code) }
    #endif
  }

  private func failure(_ code: Int32) -> DiskCacheError {
    .store(.io(path: path, action: "drop a file from memory", code: code))
  }
}
