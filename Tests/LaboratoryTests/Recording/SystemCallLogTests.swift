import Foundation
import Laboratory
import Testing
import Traces

/// A log of strace in a file that is gone when its owner is.
final class LogFile {
  let text: String
  let log: SystemCallLog
  private let file: URL

  init(_ text: String) throws {
    self.text = text
    file = FileManager.default.temporaryDirectory.appending(path: "log \(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    log = SystemCallLog(path: file.path)
  }

  deinit { try? FileManager.default.removeItem(at: file) }
}

@Suite struct SystemCallLogTests {
  /// When the calls of a log of such calls began, in microseconds, in the order in which they are
  /// passed on.
  private func order(_ times: some Sequence<Int>) throws -> [Int64] {
    let lines = times.map { "8 0.\("\($0 + 1_000_000)".dropFirst()) write(3</a>, 0) = 1" }
    var order: [Int64] = []
    let file = try LogFile(lines.joined(separator: "\n"))
    try FileBlockLog.forEachAccess(in: file.log) { order.append($0.time) }
    return order
  }

  @Test func callsComeInTheOrderOfTheirBeginnings() throws {
    #expect(try order([5, 3, 4, 1]) == [1, 3, 4, 5])
    #expect(try order([]) == [])
  }

  /// Of a log of any length only so many calls are held.
  @Test func whatReturnsMuchLaterComesWhenItReturns() throws {
    let window = SystemCallLog.window
    // Call 0 returns just in time, call 1 after three windows.
    let times = Array(2..<window) + [0] + Array(window..<3 * window) + [1]
    let order = try order(times)
    #expect(order.count == times.count && order.first == 0)
    #expect(order.firstIndex(of: 1).map { $0 >= window } == true)
    #expect(order.filter { $0 != 1 } == order.filter { $0 != 1 }.sorted())
  }

  @Test func missingLogIsSaid() {
    #expect(throws: TraceError.io(file: "/no/log", action: "read", byte: 0, code: ENOENT)) {
      try FileAccessLog.trace(of: SystemCallLog(path: "/no/log"), name: "t")
    }
  }
}
