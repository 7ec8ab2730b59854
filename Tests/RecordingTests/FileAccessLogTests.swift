import Foundation
import Recording
import Testing
import Traces

@Suite struct FileAccessLogTests {
  @Test func linesAreAccessesOrNothing() {
    func access(_ line: String) -> FileAccessLog.Access? { FileAccessLog.access(line[...]) }
    #expect(
      access(#"812   1700000000.123456 openat(AT_FDCWD</a>, "x, O_TRUNC", O_RDONLY) = 3</a/b c>"#)
        == .init(time: 1_700_000_000_123_456, path: "/a/b c", operation: .get))
    #expect(
      access(#"8 1.000001 openat(4</a>, "x", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</a/x>"#)
        == .init(time: 1_000_001, path: "/a/x", operation: .set))
    #expect(access(#"8 1.000001 creat("x", 0666) = 3</a/x>"#)?.operation == .set)
    #expect(access(#"8 1.0 openat2(4</a>, "x", {flags=O_RDWR}, 24) = 3</a/x>"#)?.operation == .get)
    for line in [
      "8 1.000001 +++ exited with 0 +++", "", #"8 1.0 open("x", O_RDONLY) = 3</dev/null>"#,
      #"8 1.0 openat(AT_FDCWD</>, "x", O_RDONLY|O_DIRECTORY) = 3</x>"#,
      #"8 1.0 open("x", O_RDONLY) = 3<pipe:[7]>"#, #"8 now open("x", O_RDONLY) = 3</x>"#,
      #"8 1.0 openat(AT_FDCWD</>, "x", O_PATH) = 3</x>"#, "8 1.0 openat(AT_FDCWD</x>",
    ] { #expect(access(line) == nil, "\(line)") }
  }

  @Test func traceIsInTheOrderOfBeginnings() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let file = "\(folder)/evict log \(UUID().uuidString)"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let trace = try withLog(
      """
      8 5.000009 open("x", O_RDONLY) = 3</gone/x>
      9 5.000001 open("x", O_RDONLY) = 3<\(file)>
      9 5.000010 open("x", O_RDONLY) = 3<\(folder)>
      9 5.000011 open("x", O_WRONLY) = 3<\(file)>
      """
    ) { try FileAccessLog.trace(of: $0, name: "t") }
    #expect(Array(trace.ids) == [0, 1, 0])
    #expect(trace.sizes.map(Array.init) == [3, 0, 3])
    #expect(trace.times.map(Array.init) == [0, 8_000, 10_000])
    #expect(trace.operations.map(Array.init) == [.get, .get, .set])
  }

  @Test func nothingOpenedIsAnError() {
    #expect(throws: TraceError.noRequests(file: "t")) {
      try withLog("") { try FileAccessLog.trace(of: $0, name: "t") }
    }
  }
}
