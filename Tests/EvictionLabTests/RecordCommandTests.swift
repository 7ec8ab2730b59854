import Foundation
import Testing
import Traces

/// `evict trace record` with the real tools, where they are installed.
@Suite struct RecordCommandTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  private static func has(_ tool: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(tool)")
  }

  private func load(_ file: String) throws -> Trace {
    try TraceLoader.load(path: shell.folder.appendingPathComponent(file).path, columns: .all)
  }

  @Test(.enabled(if: has("strace")))
  func filesOfAProgramAndItsChildrenAreRecorded() async throws {
    let script = "cat tiny.txt; cat tiny.txt > copy; cat copy"
    let outcome = try await shell.run(
      "LC_ALL=C evict trace record --output t.evtrace.zst -- sh -c '\(script)'")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("a\nb\n"), "\(outcome)")
    let trace = try load("t.evtrace.zst")
    #expect(
      outcome.errors
        == "evict: sh ended with status 0; t.evtrace.zst holds \(trace.requests) requests "
        + "for \(trace.distinct) files\n")
    // Sizes are those at the end: tiny.txt is read twice, its copy written and read.
    let tiny = try #require(trace.sizes?.filter { $0 == 16 })
    #expect(tiny.count == 4)
    #expect(trace.operations?.filter { $0 == .set }.count == 1)
  }

  @Test(.enabled(if: has("strace")))
  func blocksOfFilesAreRecorded() async throws {
    let script = "cat tiny.txt > copy; cat tiny.txt >> copy; cat < copy"
    let outcome = try await shell.run(
      "LC_ALL=C evict trace record --blocks 8 --output t.evtrace -- sh -c '\(script)'")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("a\nb\n"), "\(outcome)")
    #expect(outcome.errors.contains(" blocks\n"))
    let trace = try load("t.evtrace")
    // The copy has four blocks of 8 bytes, each written once.
    #expect(trace.operations?.filter { $0 == .write }.count == 4)
    #expect(trace.sizes.map { Set($0) } == [8])
  }

  @Test(.enabled(if: has("strace")))
  func failureOfTheProgramIsReported() async throws {
    let outcome = try await shell.run("evict trace record --output t.evtrace -- sh -c 'exit 3'")
    #expect(outcome.code == 1)
    #expect(outcome.errors.hasPrefix("evict: sh ended with status 3; t.evtrace holds "))
    let killed = try await shell.run(
      "evict trace record --output t.evtrace -- sh -c 'kill -9 $$' 2>&1 | tail -1")
    #expect(killed.output.hasPrefix("evict: sh was ended by signal 9; t.evtrace holds "))
  }

  @Test(.enabled(if: has("valgrind")))
  func pagesOfAProgramAreRecorded() async throws {
    let outcome = try await shell.run(
      "evict trace record --pages --limit 5000 --output t.evtrace -- cat tiny.txt")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("a\nb\n"), "\(outcome)")
    #expect(
      outcome.errors.hasPrefix("evict: cat ended with status 0; t.evtrace holds 5000 requests"))
    let trace = try load("t.evtrace")
    #expect(trace.requests == 5000 && (2...1000).contains(trace.distinct))
    #expect(trace.operations?.contains(.write) == true)
  }

  static let wrong: [(line: String, code: Int32, message: String)] = [
    ("--output t.evtrace -- nope", 66, "nope: no such file; check the path"),
    ("--output nope/t.evtrace -- true", 66, "nope/: no such folder; make it first"),
    (
      "--output t.txt -- true", 64,
      "--output is an .evtrace or .evtrace.zst file, not “t.txt”; see evict trace record --help"
    ),
    (
      "--limit 5 --output t.evtrace -- true", 64,
      "--page-size and --limit go with --pages; see evict trace record --help"
    ),
    (
      "--pages --blocks 4KiB --output t.evtrace -- true", 64,
      "--blocks and --pages don't go together; see evict trace record --help"
    ),
    (
      "--blocks 0 --output t.evtrace -- true", 64,
      "“0” is no size of a block; write 4096 or 4KiB; see evict trace record --help"
    ),
    (
      "--blocks x --output t.evtrace -- true", 64,
      "“x” is no size of a block; write 4096 or 4KiB; see evict trace record --help"
    ),
    (
      "--pages --page-size x --output t.evtrace -- true", 64,
      "“x” is no size of a page; write 4096 or 4KiB; see evict trace record --help"
    ),
  ]

  @Test(.enabled(if: has("strace")), arguments: wrong)
  func oneLineSaysWhatIsWrong(_ wrong: (line: String, code: Int32, message: String)) async throws {
    let outcome = try await shell.run("evict trace record \(wrong.line)")
    #expect(outcome == Outcome(output: "", errors: "evict: \(wrong.message)\n", code: wrong.code))
    #expect(try shell.files() == ["tiny.txt"])
  }

  @Test(arguments: [("", "strace"), ("--pages", "valgrind")])
  func missingToolIsNamedWithItsPackage(_ option: String, _ tool: String) async throws {
    let evict = Shell.products.appendingPathComponent("evict").path
    let outcome = try await shell.run(
      "PATH=/nowhere \(evict) trace record \(option) --output t.evtrace -- /bin/true")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors == "evict: \(tool) is not installed; install the package \(tool) "
        + "(apt-get install \(tool))\n")
  }
}
