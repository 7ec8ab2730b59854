import Foundation
import Traces

/// Records what a program asks the system for while it runs: the files that it opens, the blocks of them that
/// it reads and writes, or the pages of memory that it touches.
///
///     let recording = try ProgramRecorder.files(of: ["make", "-j1"])
///     try TraceWriter.write(recording.trace, to: "make.evtrace")
///
/// The program keeps its input, output and environment, and the programs that it starts are recorded with it
/// (but not their pages). Ctrl-C is the program's; its requests so far are then recorded.
public struct ProgramRecorder {
  /// The trace, and how the program ended.
  public struct Recording: Sendable {
    /// The trace.
    public let trace: Trace
    /// The program's exit status; nil when a signal ended it.
    public let status: Int32?
    /// `ended with status 3`, `was ended by signal 15`.
    public let ending: String
  }

  /// Records the files that a program opens, with strace, or the blocks that it reads and writes.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - blockBytes: Of a block, at least 1; nil records opened files.
  /// - Throws: `missing` for the program, `usage` without strace, `noRequests`, `io`.
  public static func files(
    of command: [String], blockBytes: Int? = nil
  ) throws(TraceError) -> Recording {
    try check(command, needs: "strace")
    let scratch = try ScratchFolder(in: NSTemporaryDirectory(), kind: "evict-record")
    defer { withExtendedLifetime(scratch) {} }
    let path = scratch.path + "/calls"
    let calls = blockBytes == nil ? FileAccessLog.calls : FileBlockLog.calls
    let ending = try ignoringInterrupts { () throws(TraceError) in
      try ChildProcess(
        ["strace"] + SystemCall.straceOptions + ["-e", calls, "-o", path, "--"] + command
      ).wait()
    }
    let log = SystemCallLog(path: path)
    let trace =
      if let blockBytes {
        try FileBlockLog.trace(of: log, name: command[0], blockBytes: blockBytes)
      } else {
        try FileAccessLog.trace(of: log, name: command[0])
      }
    return Recording(trace, ending)
  }

  /// Records the pages that a program refers to, in their order, with valgrind's lackey.
  ///
  /// Every instruction, load and store is a request: many million a second of the program's own time, which
  /// is a hundred times longer then.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - bytes: Of a page, a power of two.
  ///   - limit: Requests after which nothing more is recorded; the program runs on.
  /// - Throws: `missing` for the program, `usage` without valgrind, `noRequests`, `io`.
  public static func pages(
    of command: [String], bytes: Int = 4096, limit: Int? = nil
  ) throws(TraceError) -> Recording {
    try check(command, needs: "valgrind")
    _ = try TraceFormats.format("address:line=\(bytes)")
    let log = try ChildPipe()
    let number: Int32 = 9
    let options = ["--tool=lackey", "--trace-mem=yes", "--log-fd=\(number)", "-q", "--"]
    return try ignoringInterrupts { () throws(TraceError) in
      let child = try ChildProcess(
        ["valgrind"] + options + command, passing: [(log.writing, number)])
      log.closeWriting()
      let trace = Result { () throws(TraceError) in
        try TraceLoader.load(
          path: "/dev/fd/\(log.reading)", format: "address:line=\(bytes)", columns: .operations,
          limit: limit)
      }
      // A pipe that is not emptied would stop the program.
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { rest in
        while log.read(into: rest) > 0 {}
      }
      let ending = child.wait()
      return Recording(try trace.get(), ending)
    }
  }

  private static func check(_ command: [String], needs tool: String) throws(TraceError) {
    guard ChildProcess.isInstalled(tool) else {
      throw .usage(
        problem: "\(tool) is not installed",
        remedy: "install the package \(tool) (apt-get install \(tool))")
    }
    guard let program = command.first, ChildProcess.isInstalled(program) else {
      throw .missing(file: command.first ?? "")
    }
  }

  /// Leaves Ctrl-C to the program that runs meanwhile.
  private static func ignoringInterrupts<Value>(
    _ body: () throws(TraceError) -> Value
  ) throws(TraceError) -> Value {
    let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      signal(SIGINT, before.0)
      signal(SIGQUIT, before.1)
    }
    return try body()
  }
}

extension ProgramRecorder.Recording {
  init(_ trace: Trace, _ ending: ChildProcess.Exit) {
    self.trace = trace
    switch ending {
    case .exited(let status):
      self.status = status
      self.ending = "ended with status \(status)"
    case .signaled(let number):
      status = nil
      self.ending = "was ended by signal \(number)"
    }
  }
}
