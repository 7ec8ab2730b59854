// The system's C library: what imports this module needs no Foundation for it.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif

extension String {
  /// Numbers as C's `printf` writes them, in the C locale.
  package init(printing format: String, _ arguments: any CVarArg...) {
    var bytes = [CChar](repeating: 0, count: 64)
    while true {
      let count = withVaList(arguments) { vsnprintf(&bytes, bytes.count, format, $0) }
      if count < bytes.count { break }
      bytes = [CChar](repeating: 0, count: Int(count) + 1)
    }
    self.init(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

// For types whose own methods bear these names.

/// The C library's `read`.
package func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

/// The C library's `write`.
package func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}

/// The C library's `kill`.
package func systemKill(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }

/// Texts in which the system tells of itself.
package enum SystemFacts {
  /// The first value of each name in a file of lines such as `name: value`, without spaces and quotes around it; none
  /// of a file that cannot be read.
  package static func read(_ path: String, separator: Character) -> [String: String] {
    guard let file = fopen(path, "r") else { return [:] }
    defer { fclose(file) }
    var facts: [String: String] = [:]
    var line = [CChar](repeating: 0, count: 4096)
    while let text = fgets(&line, Int32(line.count), file) {
      let parts = String(cString: text).split(separator: separator, maxSplits: 1)
      if parts.count < 2 { continue }
      let words = parts.map { trimmed($0) }
      facts[words[0]] = facts[words[0]] ?? words[1]
    }
    return facts
  }

  private static func trimmed(_ text: Substring) -> String {
    func isAround(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
    return String(text.drop(while: isAround).reversed().drop(while: isAround).reversed())
  }
}
