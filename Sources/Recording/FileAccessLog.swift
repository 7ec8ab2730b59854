import Foundation
import Traces

/// The files that a program opened, as strace writes them down:
///
///     812 1700000000.123456 openat(AT_FDCWD</home/me>, "a.h", O_RDONLY) = 3</home/me/a.h>
///
/// A request is a successful open of a regular file, at the time at which it began: a get, or a set when the
/// file is opened for writing only or emptied. The key is the file's path without links. The size is that of
/// the file when the program has ended, 0 for one that is gone by then.
package enum FileAccessLog {
  /// The calls that strace shall report.
  static let calls = "trace=?open,openat,?openat2,?creat"

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

  /// The access that a line is, if it is one.
  package static func access(_ line: Substring) -> Access? {
    SystemCall(line).flatMap(access)
  }

  private static func access(_ call: SystemCall) -> Access? {
    guard let opened = call.opened, FilePath.isRecorded(opened.path) else { return nil }
    let flags =
      call.arguments
      .range(of: "\", ", options: .backwards).map { call.arguments[$0.upperBound...] } ?? ""
    if flags.contains("O_DIRECTORY") || flags.contains("O_PATH") { return nil }
    let writes = call.name == "creat" || flags.contains("O_WRONLY") || flags.contains("O_TRUNC")
    return Access(time: call.time, path: opened.path, operation: writes ? .set : .get)
  }

  /// The trace of a log's accesses; directories, which some programs open as files, are left out.
  /// Memory is that of the trace and of the paths.
  ///
  /// - Throws: `noRequests`, `io`.
  package static func trace(of log: SystemCallLog, name: String) throws(TraceError) -> Trace {
    var paths: [String] = []
    var places: [String: Int] = [:]
    // The log is read while the program runs, and sizes are known when it has ended.
    var accesses: [(time: Int64, place: Int, operation: TraceOperation)] = []
    try log.forEach { (call) throws(TraceError) in
      guard let access = access(call) else { return }
      let path = String(access.path)
      let place = places[path] ?? paths.count
      if place == paths.count {
        paths.append(path)
        places[path] = place
      }
      accesses.append((access.time, place, access.operation))
    }
    var builder = TraceBuilder(name: name, format: "recording", keys: .text, columns: .all)
    let sizes = paths.map { FilePath.size(ofEscaped: $0[...]) }
    for access in accesses {
      guard let size = sizes[access.place] else { continue }
      try builder.append(text: paths[access.place])
      builder.append(size: size)
      builder.append(time: (access.time - accesses[0].time) * 1_000)
      builder.append(operation: access.operation)
    }
    return try builder.finish()
  }
}

extension TraceBuilder {
  /// Appends a request of a text key.
  mutating func append(text: String) throws(TraceError) {
    var text = text
    let failure: TraceError? = text.withUTF8 { bytes in
      do throws(TraceError) {
        try append(text: UnsafeRawBufferPointer(bytes))
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }
}
