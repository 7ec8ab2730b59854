import CInline
import Parameters

/// The program that this process runs.
enum Executable {
  /// Hexadecimal digits that another build has not: those that the linker wrote into the program, else the
  /// checksum of its file; nil where it cannot be read.
  ///
  /// It is looked up once, when it is first needed.
  static let identity: String? = linkerIdentity ?? checksum

  private static var linkerIdentity: String? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = evl_linker_identity(&bytes, bytes.count)
    return count == 0 ? nil : bytes.prefix(count).map { String(printing: "%02x", $0) }.joined()
  }

  private static var checksum: String? {
    guard let path else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size > 0,
      let bytes = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0),
      bytes != MAP_FAILED
    else { return nil }
    defer { munmap(bytes, Int(status.st_size)) }
    let sum = XXHash64.checksum(
      of: UnsafeRawBufferPointer(start: bytes, count: Int(status.st_size)))
    return String(printing: "%016lx", sum)
  }

  private static var path: String? {
    #if os(Linux)
      return "/proc/self/exe"
    #else
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var path = [CChar](repeating: 0, count: Int(size))
      return _NSGetExecutablePath(&path, &size) == 0 ? String(cString: path) : nil
    #endif
  }
}
