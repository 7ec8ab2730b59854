import Foundation

/// The system calls that the store makes, so that tests can make them fail, record them, or stop.
///
/// Every call returns a negative `errno` when it fails, and may be interrupted or do less than it was asked:
/// ``FileArea`` deals with that.
package protocol FileSystem: Sendable {
  /// Opens a file; one that `O_EXCL` makes has exactly the permissions `mode`, whatever the umask.
  func open(_ path: String, _ flags: Int32, mode: mode_t) -> Int32
  func read(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int
  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  func sync(_ file: Int32) -> Int32
  func close(_ file: Int32)
  /// Takes or gives up an advisory lock, as `flock` does.
  func lock(_ file: Int32, _ operation: Int32) -> Int32
  func rename(_ path: String, to newPath: String) -> Int32
  func remove(_ path: String) -> Int32
  /// Makes a folder with exactly the permissions `mode`, whatever the umask.
  func makeFolder(_ path: String, mode: mode_t) -> Int32
  func removeFolder(_ path: String) -> Int32
  /// The bytes of an open file.
  func size(_ file: Int32) -> Int
  /// Returns the time at which the file at a path was last modified, in nanoseconds since 1970.
  func modified(_ path: String) -> Int64
  /// The kind of what is at a path, links not followed; nil if there is nothing, or it can't be seen.
  func kind(_ path: String) -> FileKind?
  /// Appends the names in a folder, without `.` and `..`; a link to a folder does not count as one.
  func list(_ folder: String, into names: inout [String]) -> Int32
  /// Finds out what is at a path, links followed.
  func look(at path: String, _ status: inout FileStatus) -> Int32
  /// Finds out what an open file is.
  func look(at file: Int32, _ status: inout FileStatus) -> Int32
  /// Sees to it that the first `size` bytes of a file have their space on the disk.
  func allocate(_ file: Int32, _ size: Int) -> Int32
}

/// The identity, the size and the latest change of a file or folder.
package struct FileStatus: Equatable, Sendable {
  var device: UInt64 = 0
  var node: UInt64 = 0
  var size = 0
  /// The time of the latest change, in nanoseconds since 1970: of a folder, also when a name in it came or left.
  var changed: Int64 = 0

  package init() {}

  func isSameFile(as other: FileStatus) -> Bool { device == other.device && node == other.node }
}

/// The kinds of things in a folder that a store tells apart.
package enum FileKind: Sendable { case file, folder, other }

extension FileSystem {
  /// Opens an existing file, or a folder, again after each interruption.
  func open(_ path: String, _ flags: Int32) -> Int32 {
    retrying { open(path, flags, mode: 0) }
  }

  /// Makes a new file, again after each interruption.
  func make(_ path: String, mode: mode_t) -> Int32 {
    retrying { open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode) }
  }

  /// Writes all bytes; returns 0 or a negative `errno`.
  func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = write(file, UnsafeRawBufferPointer(rebasing: bytes[done...]))
      if count == -Int(EINTR) { continue }
      if count <= 0 { return count == 0 ? -EIO : Int32(count) }
      done += count
    }
    return 0
  }

  /// Repeats a call for as long as it is interrupted.
  func retrying<Code: SignedInteger>(_ call: () -> Code) -> Code {
    while true {
      let code = call()
      if code != -Code(EINTR) { return code }
    }
  }
}

/// The real system calls.
package struct SystemFiles: FileSystem {
  package init() {}

  package func open(_ path: String, _ flags: Int32, mode: mode_t) -> Int32 {
    let file = Foundation.open(path, flags | O_CLOEXEC, mode)
    if file < 0 { return -errno }
    if flags & O_EXCL != 0 && fchmod(file, mode) < 0 {
      let code = errno
      close(file)
      return -code
    }
    return file
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

  package func makeFolder(_ path: String, mode: mode_t) -> Int32 {
    if mkdir(path, mode) < 0 { return -errno }
    let folder = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if folder < 0 { return -errno }
    defer { close(folder) }
    return fchmod(folder, mode) < 0 ? -errno : 0
  }

  package func removeFolder(_ path: String) -> Int32 { rmdir(path) < 0 ? -errno : 0 }

  package func size(_ file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) < 0 ? -Int(errno) : Int(status.st_size)
  }

  package func modified(_ path: String) -> Int64 {
    var status = stat()
    guard lstat(path, &status) == 0 else { return -Int64(errno) }
    #if canImport(Darwin)
      return Self.nanoseconds(status.st_mtimespec)
    #else
      return Self.nanoseconds(status.st_mtim)
    #endif
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package func look(at path: String, _ status: inout FileStatus) -> Int32 {
    var found = stat()
    guard stat(path, &found) == 0 else { return -errno }
    status = Self.status(found)
    return 0
  }

  package func look(at file: Int32, _ status: inout FileStatus) -> Int32 {
    var found = stat()
    guard fstat(file, &found) == 0 else { return -errno }
    status = Self.status(found)
    return 0
  }

  private static func status(_ found: stat) -> FileStatus {
    var status = FileStatus()
    status.device = UInt64(truncatingIfNeeded: found.st_dev)
    status.node = UInt64(found.st_ino)
    status.size = Int(found.st_size)
    #if canImport(Darwin)
      status.changed = nanoseconds(found.st_ctimespec)
    #else
      status.changed = nanoseconds(found.st_ctim)
    #endif
    return status
  }

  package func allocate(_ file: Int32, _ size: Int) -> Int32 {
    #if canImport(Darwin)
      var space = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(max(size - self.size(file), 0)), fst_bytesalloc: 0)
      if fcntl(file, F_PREALLOCATE, &space) < 0 { return -errno }
      return ftruncate(file, off_t(size)) < 0 ? -errno : 0
    #else
      return -posix_fallocate(file, 0, off_t(size))
    #endif
  }

  package func kind(_ path: String) -> FileKind? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  package func list(_ folder: String, into names: inout [String]) -> Int32 {
    let file = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if file < 0 { return -errno }
    guard let listing = fdopendir(file) else {
      let code = errno
      close(file)
      return -code
    }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return 0
  }
}
