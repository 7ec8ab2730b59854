import Parameters

/// A file that appears whole or not at all: written beside its place under another name, flushed
/// to the disk, then renamed. One that is there keeps its permissions, and a link to it stays a link.
///
/// The other name is the place's with `.unfinished` (``NeighbouringFile``); what a killed run left there, which bears an ``UnfinishedMark``,
/// is removed by the next. The whole file bears a ``WrittenMark``.
/// Standard output (`-`) and devices are written as they are.
final class FileSink: ByteSink {
  /// The name in messages.
  private let path: String
  /// The path of the file itself: the target of a link.
  private let place: String
  private let descriptor: Int32
  /// The file that holds the bytes until the file is whole; nil once it is, or when written as it is.
  private var temporary: String?
  /// The mode of the file once it is whole.
  private let mode: mode_t
  private(set) var storedBytes = 0

  init(path: String) throws(TraceError) {
    self.path = path == "-" ? "standard output" : path
    let place = Self.target(of: path)
    self.place = place
    if path == "-" {
      descriptor = 1
      mode = 0
      return
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw .folder(file: path) }
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      mode = 0
    } else {
      let own: mode_t
      (descriptor, temporary, own) = Self.make(beside: place)
      mode = isThere ? status.st_mode & 0o7777 : own
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
    WrittenMark.set(descriptor)
    guard fsync(descriptor) == 0, fchmod(descriptor, mode) == 0, rename(temporary, place) == 0
    else {
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

  /// Makes a file, locked and marked for as long as it is written.
  ///
  /// - Returns: The file, its name and the mode of a new file: the usual name, unless another run is writing under it,
  ///   or it is not this tool's; -1 and nil where it cannot be made, and `errno` says why.
  private static func make(beside place: String) -> (Int32, String?, mode_t) {
    let usual = NeighbouringFile.path(beside: place, suffix: UnfinishedMark.suffix)
    #if os(Linux)
      // Without a name until it is locked (O_TMPFILE): a run that is killed before leaves nothing.
      let unnamed = open(folder(of: place), O_WRONLY | O_DIRECTORY | 0o2000_0000 | O_CLOEXEC, 0o666)
      if unnamed >= 0 {
        flock(unnamed, LOCK_EX | LOCK_NB)
        let mode = UnfinishedMark.set(unnamed)
        removeLeft(usual)
        let itself = "/proc/self/fd/\(unnamed)"
        if linkat(AT_FDCWD, itself, AT_FDCWD, usual, AT_SYMLINK_FOLLOW) == 0 {
          return (unnamed, usual, mode)
        }
        close(unnamed)
      }
    #endif
    while true {
      let name = NeighbouringFile.path(
        beside: place, suffix: "." + String(UInt32.random(in: 0 ... .max), radix: 36))
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 {
        if errno == EEXIST { continue }
        return (-1, nil, 0)
      }
      // It gets the usual name once it is locked: others take it for one in use from the start.
      flock(descriptor, LOCK_EX | LOCK_NB)
      let mode = UnfinishedMark.set(descriptor)
      removeLeft(usual)
      guard link(name, usual) == 0 else { return (descriptor, name, mode) }
      unlink(name)
      return (descriptor, usual, mode)
    }
  }

  /// Removes a file that a run left, and that is not being written any more.
  private static func removeLeft(_ name: String) {
    let left = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if left < 0 { return }
    defer { close(left) }
    guard UnfinishedMark.isSet(left), flock(left, LOCK_EX | LOCK_NB) == 0 else { return }
    // It may have been finished meanwhile, and the name be another file's.
    var file = stat()
    var named = stat()
    guard fstat(left, &file) == 0, lstat(name, &named) == 0 else { return }
    if (file.st_dev, file.st_ino) == (named.st_dev, named.st_ino) { unlink(name) }
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
      let count = systemWrite(descriptor, rest.baseAddress, rest.count)
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
