import Foundation
import Traces

/// A file that grows as it is downloaded, and is found again by the next attempt.
final class PartialFile: @unchecked Sendable {
  let path: String
  private let descriptor: Int32
  /// The mode of the file once it is whole.
  private let mode: mode_t
  private(set) var size: Int

  /// Opens the file that an earlier download left, or makes it, for this download alone.
  init(path: String) throws(TraceError) {
    self.path = path
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let made = open(path, flags | O_CREAT | O_EXCL, 0o666)
    let isThere = made < 0 && errno == EEXIST
    descriptor = isThere ? open(path, flags) : made
    if descriptor < 0 {
      // A link, a folder, or a pipe.
      if isThere, [ELOOP, EISDIR, ENXIO].contains(errno) { throw PartialFile.foreign(path) }
      throw .io(file: path, action: "create", byte: 0, code: errno)
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      close(descriptor)
      throw .usage(
        problem: "\(path) is in use by another download",
        remedy: "wait for it, or give another --folder")
    }
    if isThere, !UnfinishedMark.isSet(descriptor) {
      close(descriptor)
      throw PartialFile.foreign(path)
    }
    let own = UnfinishedMark.set(descriptor)
    mode = isThere ? 0o644 : own
    // The open file's: another download may just have taken its path away.
    size = Int(lseek(descriptor, 0, SEEK_END))
  }

  private static func foreign(_ path: String) -> TraceError {
    .usage(
      problem: "\(path) is there and no download of this tool",
      remedy: "move it away, or give another --folder")
  }

  /// Ends the work on the file, which stays if it holds anything. To be called once, when nothing writes
  /// any more.
  func finish() {
    if size == 0 { remove() }
    close(descriptor)
  }

  /// A regular file's bytes; nil if there is none.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    try bytes.write(to: descriptor, file: path, place: &size)
  }

  /// Begins again.
  func truncate() throws(TraceError) {
    guard ftruncate(descriptor, 0) == 0 else {
      throw .io(file: path, action: "write", byte: 0, code: errno)
    }
    size = 0
  }

  func remove() { unlink(path) }

  /// Gives the file its name, once its bytes are on the disk.
  func rename(to name: String) throws(TraceError) {
    WrittenMark.set(descriptor)
    guard fsync(descriptor) == 0, fchmod(descriptor, mode) == 0, Foundation.rename(path, name) == 0
    else {
      throw .io(file: name, action: "write", byte: size, code: errno)
    }
  }
}
