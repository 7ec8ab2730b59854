import Foundation

/// Paths of files as strace writes them down.
package enum FilePath {
  /// Returns true if it may be a file of a disk: no pipe, socket or device, and nothing that the system makes
  /// up.
  static func isRecorded(_ path: Substring) -> Bool {
    path.hasPrefix("/") && !["/dev/", "/proc/", "/sys/"].contains(where: path.hasPrefix)
  }

  /// A regular file's bytes now, 0 if there is none; nil for anything else.
  static func size(ofEscaped path: Substring) -> UInt64? {
    var status = stat()
    guard stat(unescaped(path), &status) == 0 else { return 0 }
    return status.st_mode & S_IFMT == S_IFREG ? UInt64(status.st_size) : nil
  }

  /// A path without strace's escapes, which are C's: `\n`, `\"`, octal numbers.
  package static func unescaped(_ path: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    let letters: [UInt8: UInt8] = [
      UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
      UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B,
    ]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
      rest = rest.dropFirst(max(digits.count, 1))
      let number = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
      bytes.append(digits.isEmpty ? letters[next] ?? next : UInt8(truncatingIfNeeded: number))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
