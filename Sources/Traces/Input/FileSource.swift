import Parameters

/// A file, or standard input, read as a stream.
final class FileSource: ByteSource {
  let path: String
  private let descriptor: Int32
  private(set) var consumedBytes = 0
  let totalBytes: Int?
  /// Asked before bytes are waited for; true ends the reading with `cancelled`.
  private let isStopped: (() -> Bool)?

  /// Opens the file, or takes standard input when the path is `-`.
  ///
  /// Refuses the file that standard output is written to (`>> FILE`), as `cat` does.
  init(path: String, isStopped: (() -> Bool)? = nil) throws(TraceError) {
    self.path = path == "-" ? "standard input" : path
    self.isStopped = isStopped
    if path == "-" {
      descriptor = 0
    } else {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 {
        let code = errno
        if code == ENOENT || code == ENOTDIR { throw .missing(file: path) }
        throw .io(file: path, action: "open", byte: 0, code: code)
      }
    }
    var status = stat()
    let known = fstat(descriptor, &status) == 0
    let type = status.st_mode & S_IFMT
    if known, type == S_IFDIR {
      if path != "-" { close(descriptor) }
      throw .folder(file: path)
    }
    var output = stat()
    if known, type == S_IFREG, fstat(1, &output) == 0,
      (output.st_dev, output.st_ino) == (status.st_dev, status.st_ino)
    {
      if path != "-" { close(descriptor) }
      throw .usage(
        problem: "\(self.path) is the file that standard output is written to",
        remedy: "send the output elsewhere")
    }
    // Standard input may have been read in part.
    let place = path == "-" ? max(0, Int(lseek(descriptor, 0, SEEK_CUR))) : 0
    totalBytes = known && type == S_IFREG ? max(0, Int(status.st_size) - place) : nil
  }

  deinit {
    if descriptor != 0 { close(descriptor) }
  }

  /// Within a file whose size is known.
  package func skip(_ count: Int) -> Bool {
    guard descriptor != 0, let totalBytes, count <= totalBytes - consumedBytes,
      lseek(descriptor, off_t(count), SEEK_CUR) >= 0
    else { return false }
    consumedBytes += count
    return true
  }

  /// Waits for bytes, in short spells where the reading may be stopped.
  private func waitForBytes() throws(TraceError) {
    guard let isStopped else { return }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    repeat {
      if isStopped() { throw .cancelled(file: path) }
    } while poll(&waiting, 1, 50) == 0
  }

  /// Refuses the end of a file that was longer when it was opened: what was read is its first part.
  private func checkEnd() throws(TraceError) {
    guard let totalBytes, consumedBytes < totalBytes else { return }
    throw .malformed(
      file: path, place: .byte(consumedBytes),
      problem: "the file ends here, and had \(totalBytes) bytes when it was opened",
      remedy: "read it again when nothing writes to it")
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(TraceError) -> Int {
    while true {
      try waitForBytes()
      let count = systemRead(descriptor, target.baseAddress, target.count)
      if count >= 0 {
        consumedBytes += count
        if count == 0, target.count > 0 { try checkEnd() }
        return count
      }
      let code = errno
      if code != EINTR {
        throw .io(file: path, action: "read", byte: consumedBytes, code: code)
      }
    }
  }
}
