import CInline
import Foundation
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
    return count == 0 ? nil : bytes.prefix(count).map { String(format: "%02x", $0) }.joined()
  }

  private static var checksum: String? {
    #if os(Linux)
      let path: String? = "/proc/self/exe"
    #else
      let path = Bundle.main.executablePath
    #endif
    guard let path,
      let file = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
    else { return nil }
    return String(format: "%016lx", file.withUnsafeBytes(XXHash64.checksum))
  }
}
