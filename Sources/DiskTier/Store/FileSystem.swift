import Foundation

/// The system calls that the store makes, so that tests can make them fail, record them, or stop.
///
/// Every call returns a negative `errno` when it fails, and may be interrupted or do less than it was asked:
/// ``FileArea`` deals with that.
package protocol FileSystem: Sendable {
  func open(_ path: String, _ flags: Int32) -> Int32
  func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int
  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  func sync(_ file: Int32) -> Int32
  func close(_ file: Int32)
  /// Takes or gives up an advisory lock, as `flock` does.
  func lock(_ file: Int32, _ operation: Int32) -> Int32
  func rename(_ path: String, to newPath: String) -> Int32
  func remove(_ path: String) -> Int32
  func makeFolder(_ path: String) -> Int32
  func removeFolder(_ path: String) -> Int32
  /// The bytes of an open file.
  func size(_ file: Int32) -> Int
  /// When the file at a path was last modified, in nanoseconds since 1970.
  func modified(_ path: String) -> Int64
  /// The names in a folder, without `.` and `..`; nil if it can't be read.
  func names(in folder: String) -> [String]?
}

/// The real system calls.
package struct SystemFiles: FileSystem {
  package init() {}

  package func open(_ path: String, _ flags: Int32) -> Int32 {
    let file = Foundation.open(path, flags | O_CLOEXEC, 0o644)
    return file < 0 ? -errno : file
  }

  package func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = Foundation.read(file, buffer.baseAddress, buffer.count)
    return count < 0 ? -Int(errno) : count
  }

  package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    let count = Foundation.write(file, bytes.baseAddress, bytes.count)
    return count < 0 ? -Int(errno) : count
  }

  package func sync(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      // On Darwin fsync leaves the data in the disk's own cache.
      return fcntl(file, F_FULLFSYNC) < 0 ? -errno : 0
    #else
      return fsync(file) < 0 ? -errno : 0
    #endif
  }

  package func close(_ file: Int32) { _ = Foundation.close(file) }

  package func lock(_ file: Int32, _ operation: Int32) -> Int32 {
    flock(file, operation) < 0 ? -errno : 0
  }

  package func rename(_ path: String, to newPath: String) -> Int32 {
    Foundation.rename(path, newPath) < 0 ? -errno : 0
  }

  package func remove(_ path: String) -> Int32 { unlink(path) < 0 ? -errno : 0 }

  package func makeFolder(_ path: String) -> Int32 { mkdir(path, 0o755) < 0 ? -errno : 0 }

  package func removeFolder(_ path: String) -> Int32 { rmdir(path) < 0 ? -errno : 0 }

  package func size(_ file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) < 0 ? -Int(errno) : Int(status.st_size)
  }

  package func modified(_ path: String) -> Int64 {
    var status = stat()
    guard lstat(path, &status) == 0 else { return -Int64(errno) }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package func names(in folder: String) -> [String]? {
    guard let listing = opendir(folder) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
