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
    guard let path, let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var checksum = XXHash64()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&bytes, 1, bytes.count, file), count > 0 {
      bytes.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return ferror(file) == 0 ? String(printing: "%016lx", checksum.finish()) : nil
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
