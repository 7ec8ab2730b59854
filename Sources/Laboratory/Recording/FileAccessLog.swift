import Foundation
import Traces

/// The files that a program opened, as strace writes them down:
///
///     812 1700000000.123456 openat(AT_FDCWD</home/me>, "a.h", O_RDONLY) = 3</home/me/a.h>
///
/// A request is a successful open of a regular file, at the time at which it began: a get, or a set when the
/// file is opened for writing only or emptied. The key is the file's path without links. The size is that of
/// the file when the program has ended, 0 for one that is gone by then.
package struct FileAccessLog {
  /// What strace is asked for: whole lines of successful calls, descriptors with their paths.
  static let straceOptions = [
    "-f", "--seccomp-bpf", "-z", "-y", "-e", "trace=?open,openat,?openat2,?creat", "-e",
    "signal=none",
    "-q", "--absolute-timestamps=format:unix,precision:us",
  ]

  /// One open.
  package struct Access: Equatable {
    /// Microseconds.
    package var time: Int64
    /// As strace escapes it.
    package var path: Substring
    package var operation: TraceOperation

    package init(time: Int64, path: Substring, operation: TraceOperation) {
      self.time = time
      self.path = path
      self.operation = operation
    }
  }

  package let accesses: [Access]

  /// Reads the log's text.
  package init(_ log: String) {
    // A call is written down when it returns.
    accesses = log.split(separator: "\n").compactMap(FileAccessLog.access)
      .sorted { $0.time < $1.time }
  }

  /// The access that a line is, if it is one.
  package static func access(_ line: Substring) -> Access? {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, line.hasSuffix(">"),
      let result = parts[2].range(of: ") = ", options: .backwards),
      let start = parts[2][result.upperBound...].firstIndex(of: "<"),
      let time = microseconds(parts[1])
    else { return nil }
    let call = parts[2][..<result.lowerBound]
    let path = parts[2][parts[2].index(after: start)...].dropLast()
    let flags = call.range(of: "\", ", options: .backwards).map { call[$0.upperBound...] } ?? ""
    guard path.hasPrefix("/"), !flags.contains("O_DIRECTORY"), !flags.contains("O_PATH") else {
      return nil
    }
    if ["/dev/", "/proc/", "/sys/"].contains(where: path.hasPrefix) { return nil }
    let writes =
      call.hasPrefix("creat(") || flags.contains("O_WRONLY") || flags.contains("O_TRUNC")
    return Access(time: time, path: path, operation: writes ? .set : .get)
  }

  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let seconds = Int64(parts[0]), let rest = Int64(parts[1]) else {
      return nil
    }
    return seconds * 1_000_000 + rest
  }

  /// The trace of the accesses; directories, which some programs open as files, are left out.
  ///
  /// - Throws: `noRequests`.
  package func trace(name: String) throws(TraceError) -> Trace {
    var builder = TraceBuilder(name: name, format: "recording", keys: .text, columns: .all)
    var sizes: [Substring: UInt64?] = [:]
    for access in accesses {
      let size = sizes[access.path] ?? FileAccessLog.size(ofEscaped: access.path)
      sizes[access.path] = .some(size)
      guard let size else { continue }
      var path = String(access.path)
      let appended: TraceError? = path.withUTF8 { bytes in
        do throws(TraceError) {
          try builder.append(text: UnsafeRawBufferPointer(bytes))
          return nil
        } catch { return error }
      }
      if let appended { throw appended }
      builder.append(size: size)
      builder.append(time: (access.time - accesses[0].time) * 1_000)
      builder.append(operation: access.operation)
    }
    return try builder.finish()
  }

  /// A regular file's bytes, 0 if there is none; nil for anything else.
  private static func size(ofEscaped path: Substring) -> UInt64? {
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
