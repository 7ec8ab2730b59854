import ArgumentParser
import Parameters
import Recording
import Traces

/// `evict trace record`: what a program asks for while it runs.
struct TraceRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the files, blocks of files or pages of memory that a program asks for.",
    usage: "evict trace record --output <file> [<options>] -- <command> ...",
    discussion: """
      Examples:
        evict trace record --output files.evtrace -- ls -l traces
        evict trace record --blocks 4KiB --output wc.evtrace -- wc traces/README.md

      Files need strace: a request is an open of a regular file, or with --blocks a block that a call read, \
      wrote or mapped. Pages need valgrind, under which a program runs a hundred times longer. Only \
      hashes of paths are kept. Exit code 1 when the program fails; the trace is written nevertheless. Ctrl-C is \
      the program's; SIGTERM and SIGHUP end it, and the trace says that it was cut off (exit code 130).
      """)

  @Option(help: ArgumentHelp("The file, .evtrace or .evtrace.zst.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp("Record blocks of this size instead of whole files.", valueName: "bytes")
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
    Interruption.install(leavesTerminal: true)
    Interruption.keepWork()
    let cancellation = Interruption.cancellation
    let recording: ProgramRecorder.Recording
    do throws(TraceError) {
      recording =
        pages
        ? try ProgramRecorder.pages(
          of: command, bytes: pageSize.flatMap { ByteCount.parse($0) } ?? 4096,
          limit: limit?.value, cancellation: cancellation)
        : try ProgramRecorder.files(
          of: command, blockBytes: blockBytes, cancellation: cancellation)
    } catch {
      if case .noRequests = error, cancellation.isCancelled {
        throw Stopped(description: "stopped; \(command[0]) had opened nothing")
      }
      throw error
    }
    try TraceWriter.write(recording.trace, to: output)
    let summary =
      "\(command[0]) \(recording.ending); \(output) holds \(recording.trace.requests) requests "
      + "for \(recording.trace.distinct) \(pages ? "pages" : blocks == nil ? "files" : "blocks")"
    if recording.trace.loss.isCutOff { throw Stopped(description: "stopped; \(summary)") }
    guard recording.status == 0 else { throw Failed(description: summary) }
    StandardError.say(summary)
  }
}
