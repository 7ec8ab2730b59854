import Foundation

/// A file that appears whole or not at all: written beside its place under another name, flushed
/// to the disk, then renamed. Standard output (`-`) and devices are written as they are.
final class FileSink: ByteSink {
  private let path: String
  private let descriptor: Int32
  /// Where the bytes are until the file is whole; nil once it is, or when written as it is.
  private var temporary: String?
  private(set) var storedBytes = 0

  init(path: String) throws(TraceError) {
    self.path = path == "-" ? "standard output" : path
    if path == "-" {
      descriptor = 1
      return
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .folder(file: path) }
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      var name = Array((path + ".XXXXXX").utf8CString)
      descriptor = mkstemp(&name)
      if descriptor >= 0 {
        temporary = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        // mkstemp gives the file to its owner alone; a new file would obey the mask.
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, 0o666 & ~mask)
      }
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
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      throw .io(file: path, action: "write", byte: storedBytes, code: errno)
    }
    self.temporary = nil
    // The new name is on the disk when its folder is.
    let folder = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
