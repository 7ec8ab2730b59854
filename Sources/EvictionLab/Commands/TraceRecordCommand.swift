import ArgumentParser
import Parameters
import Recording
import Traces

/// `evict trace record`: what a program asks for while it runs.
struct TraceRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the files, blocks of files or pages of memory that a program asks for.",
    usage: "evict trace record --output <file> [--blocks <bytes> | --pages] -- <command> ...",
    discussion: """
      Files need strace: a request is an open of a regular file, by the program or one that it starts; \
      its size is the whole file's. With --blocks a request is a block of a file that a call read, \
      wrote or mapped. Pages need valgrind: every instruction, load and store is a request, \
      and the program runs a hundred times longer.

      Only hashes of paths are kept. When the program fails, the trace is written all the same, and the \
      exit code is 1.

      Examples:
        evict trace record --output build.evtrace.zst -- make -j1
        evict trace record --blocks 4KiB --output build.evtrace.zst -- make -j1
        evict trace record --pages --output sort.evtrace -- sort words.txt
      """)

  @Option(help: ArgumentHelp("The file, .evtrace or .evtrace.zst.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp("Record blocks of so many bytes instead of whole files.", valueName: "bytes")
  )
  var blocks: String?

  @Flag(help: "Record pages of memory instead of files.")
  var pages = false

  @Option(help: ArgumentHelp("With --pages: bytes of a page.", valueName: "bytes"))
  var pageSize: String?

  @Option(help: ArgumentHelp("With --pages: record only the first references.", valueName: "n"))
  var limit: Count?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program and its arguments, behind --.", valueName: "command"))
  var command: [String]

  func validate() throws {
    if command.isEmpty { throw ValidationError("name a program to run, behind --") }
    let name = output.lowercased()
    if !name.hasSuffix(".evtrace"), !name.hasSuffix(".evtrace.zst") {
      throw ValidationError("--output is an .evtrace or .evtrace.zst file, not “\(output)”")
    }
    if !pages, pageSize != nil || limit != nil {
      throw ValidationError("--page-size and --limit go with --pages")
    }
    if pages, blocks != nil { throw ValidationError("--blocks and --pages don't go together") }
    if let blocks, blockBytes == nil {
      throw ValidationError("“\(blocks)” is no size of a block; write 4096 or 4KiB")
    }
    if let pageSize, ByteCount.parse(pageSize) == nil {
      throw ValidationError("“\(pageSize)” is no size of a page; write 4096 or 4KiB")
    }
  }

  private var blockBytes: Int? {
    blocks.flatMap { ByteCount.parse($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  func run() throws {
    try OutputFile.check(output, .trace)
    let recording =
      pages
      ? try ProgramRecorder.pages(
        of: command, bytes: pageSize.flatMap { ByteCount.parse($0) } ?? 4096, limit: limit?.value)
      : try ProgramRecorder.files(of: command, blockBytes: blockBytes)
    try TraceWriter.write(recording.trace, to: output)
    let summary =
      "\(command[0]) \(recording.ending); \(output) holds \(recording.trace.requests) requests "
      + "for \(recording.trace.distinct) \(pages ? "pages" : blocks == nil ? "files" : "blocks")"
    guard recording.status == 0 else { throw Failed(description: summary) }
    StandardError.say(summary)
  }
}
