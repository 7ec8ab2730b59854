import Foundation
import Recording
import Testing
import Traces

/// Runs `body` on a log of strace in a file, which is gone afterwards.
func withLog<Result>(
  _ text: String, window: Int = 100, _ body: (SystemCallLog) throws -> Result
) throws -> Result {
  let file = FileManager.default.temporaryDirectory.appending(path: "log \(UUID().uuidString)")
  try Data(text.utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  return try body(SystemCallLog(path: file.path, window: window))
}

@Suite struct SystemCallLogTests {
  /// Returns the times at which the calls of such a log began, in microseconds, in the order in which they are
  /// passed on.
  private func order(_ times: some Sequence<Int>, window: Int = 100) throws -> [Int64] {
    let lines = times.map { "8 0.\("\($0 + 1_000_000)".dropFirst()) write(3</a>, 0) = 1" }
    var order: [Int64] = []
    try withLog(lines.joined(separator: "\n"), window: window) { log in
      try FileBlockLog.forEachAccess(in: log) { order.append($0.time) }
    }
    return order
  }

  @Test func callsComeInTheOrderOfTheirBeginnings() throws {
    #expect(try order([5, 3, 4, 1]) == [1, 3, 4, 5])
    #expect(try order([]) == [])
  }

  /// Of a log of any length only so many calls are held.
  @Test func whatReturnsMuchLaterComesWhenItReturns() throws {
    let window = 50
    // Call 0 returns just in time, call 1 after three windows.
    let times = Array(2..<window) + [0] + Array(window..<3 * window) + [1]
    let order = try order(times, window: window)
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
