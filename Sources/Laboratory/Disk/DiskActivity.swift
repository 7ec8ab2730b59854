import Foundation

/// What the system knows of the disk and of this process's use of it.
enum DiskActivity {
  /// The bytes that this process has handed to the system to write, ever; nil where that is unknown.
  static var bytesWritten: Int? {
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
  static func files(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.map { "\(folder)/\($0)" }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// The bytes of disk that files take.
  static func allocation(of files: [String]) -> Int {
    files.reduce(0) { sum, path in
      var status = stat()
      return lstat(path, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }
}

/// Files kept open, so that what the system has of them in memory can be dropped again and again.
final class DroppedFiles {
  private var descriptors: [Int32] = []

  /// Whether this system can drop files from memory.
  static var isPossible: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// Writes the files to disk and drops them from memory.
  init(_ paths: [String]) {
    descriptors = paths.map { open($0, O_RDONLY | O_CLOEXEC) }.filter { $0 >= 0 }
    for file in descriptors { fsync(file) }
    drop()
  }

  deinit { for file in descriptors { close(file) } }

  /// Drops what is in memory of them.
  func drop() {
    #if os(Linux)
      for file in descriptors { posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) }
    #endif
  }
}
