import Foundation
import Traces

/// A file in which strace has written calls down, each when it returned.
package struct SystemCallLog {
  private let path: String
  private let window: Int

  /// The log in a file.
  ///
  /// - Parameter window: A call that returns more than that number of calls after it began comes when it
  ///   returns, as if it began then.
  package init(path: String, window: Int = 1 << 14) {
    precondition(window > 0, "a call is held")
    self.path = path
    self.window = window
  }

  /// Passes on the calls in the order in which they began.
  ///
  /// The log is read line by line; memory is that of twice the window, however long it is.
  ///
  /// - Throws: `io`, and what `body` throws.
  package func forEach(
    _ body: (SystemCall) throws(TraceError) -> Void
  ) throws(TraceError) {
    guard let file = fopen(path, "r") else {
      throw .io(file: path, action: "read", byte: 0, code: errno)
    }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer {
      free(line)
      fclose(file)
    }
    var waiting: [SystemCall] = []
    func passOn(_ count: Int) throws(TraceError) {
      waiting.sort { $0.time < $1.time }
      for call in waiting.prefix(count) { try body(call) }
      waiting.removeFirst(count)
    }
    while case let count = getline(&line, &capacity, file), count > 0 {
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      let text = String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
      guard let call = SystemCall(text[...]) else { continue }
      waiting.append(call)
      if waiting.count == 2 * window { try passOn(window) }
    }
    if ferror(file) != 0 { throw .io(file: path, action: "read", byte: 0, code: errno) }
    try passOn(waiting.count)
  }
}
