import Foundation

/// A file that appears whole or not at all: written beside its place under another name, flushed
/// to the disk, then renamed. One that is there keeps its permissions, and a link to it stays a link.
/// Standard output (`-`) and devices are written as they are.
final class FileSink: ByteSink {
  /// The name in messages.
  private let path: String
  /// The path of the file itself: the target of a link.
  private let place: String
  private let descriptor: Int32
  /// The file that holds the bytes until the file is whole; nil once it is, or when written as it is.
  private var temporary: String?
  private(set) var storedBytes = 0

  init(path: String) throws(TraceError) {
    self.path = path == "-" ? "standard output" : path
    let place = Self.target(of: path)
    self.place = place
    if path == "-" {
      descriptor = 1
      return
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .folder(file: path) }
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      (descriptor, temporary) = Self.make(beside: place, mode: isThere ? 0o600 : 0o666)
      if descriptor >= 0, isThere { fchmod(descriptor, status.st_mode & 0o7777) }
    }
    if descriptor < 0 {
      let code = errno
      if code == ENOENT || code == ENOTDIR { throw .missing(file: Self.folder(of: path)) }
      throw .io(file: path, action: "create", byte: 0, code: code)
    }
  }

  deinit {
    if descriptor > 1 { close(descriptor) }
    if let temporary { unlink(temporary) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    try bytes.write(to: descriptor, file: path, place: &storedBytes)
  }

  func finish() throws(TraceError) {
    guard let temporary else { return }
    guard fsync(descriptor) == 0, rename(temporary, place) == 0 else {
      throw .io(file: path, action: "write", byte: storedBytes, code: errno)
    }
    self.temporary = nil
    // The new name is on the disk when its folder is.
    let folder = open(Self.folder(of: place), O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Makes a file under a name that nothing has; the system takes what the mask forbids off the mode.
  ///
  /// - Returns: The file and its name; -1 and nil where it cannot be made, and `errno` says why.
  private static func make(beside place: String, mode: mode_t) -> (Int32, String?) {
    while true {
      let name = place + "." + String(UInt32.random(in: 0 ... .max), radix: 36)
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST { return (-1, nil) }
    }
  }

  /// The target of links; the path itself where nothing is there.
  private static func target(of path: String) -> String {
    guard let target = realpath(path, nil) else { return path }
    defer { free(target) }
    return String(cString: target)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension UnsafeRawBufferPointer {
  /// Writes all the bytes to an open file.
  ///
  /// - Parameters:
  ///   - file: its name in an error.
  ///   - place: the bytes of the file before these; moves on with each that is written.
  /// - Throws: `io`.
  package func write(
    to descriptor: Int32, file: String, place: inout Int
  ) throws(TraceError) {
    var rest = self
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        throw .io(file: file, action: "write", byte: place, code: code)
      }
      place += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
