import CInline
import Foundation
import Parameters
import Synchronization
import Traces

/// Records what a program asks the system for while it runs: the files that it opens, the blocks of them that
/// it reads and writes, or the pages of memory that it touches.
///
///     let recording = try ProgramRecorder.files(of: ["make", "-j1"])
///     try TraceWriter.write(recording.trace, to: "make.evtrace")
///
/// The program keeps its input, output and environment, and the programs that it starts are recorded with it
/// (but not their pages). Ctrl-C is the program's; its requests so far are then recorded. A cancellation ends the
/// program and all that it started, and the trace's `loss` says so.
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
  ///   - cancellation: Ends the program.
  /// - Throws: `missing` for the program, `usage` without strace, `noRequests`, `io`.
  public static func files(
    of command: [String], blockBytes: Int? = nil, cancellation: Cancellation = Cancellation()
  ) throws(TraceError) -> Recording {
    try check(command, needs: "strace")
    let calls = blockBytes == nil ? FileAccessLog.calls : FileBlockLog.calls
    return try record(
      cancellation,
      running: { ["strace"] + SystemCall.straceOptions + ["-e", calls, "-o", $0, "--"] + command },
      reading: { (path) throws(TraceError) in
        let log = SystemCallLog(path: path)
        return if let blockBytes {
          try FileBlockLog.trace(of: log, name: command[0], blockBytes: blockBytes)
        } else {
          try FileAccessLog.trace(of: log, name: command[0])
        }
      })
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
  ///   - cancellation: Ends the program.
  /// - Throws: `missing` for the program, `usage` without valgrind, `noRequests`, `io`.
  public static func pages(
    of command: [String], bytes: Int = 4096, limit: Int? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(TraceError) -> Recording {
    try check(command, needs: "valgrind")
    _ = try TraceFormats.format("address:line=\(bytes)")
    return try record(
      cancellation,
      running: {
        ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=\($0)", "-q", "--"] + command
      },
      reading: { (path) throws(TraceError) in
        try TraceLoader.load(
          path: path, format: "address:line=\(bytes)", columns: .operations, limit: limit)
      })
  }

  /// Runs a program under a tool that writes a log of it, and makes a trace of the log while it is written: it takes no
  /// room on a disk, which might be full.
  ///
  /// - Parameters:
  ///   - running: Returns the command line, given the path of the log.
  ///   - reading: Reads the log, which ends with the program.
  private static func record(
    _ cancellation: Cancellation, running command: (String) -> [String],
    reading read: (String) throws(TraceError) -> Trace
  ) throws(TraceError) -> Recording {
    nonisolated(unsafe) let log = try ChildPipe()
    return try ignoringInterrupts { () throws(TraceError) in
      // The tool opens the pipe, as none of the programs under it may inherit it.
      let child = try ChildProcess(command("/proc/\(getpid())/fd/\(log.writing)"))
      let end = Mutex<(exit: ChildProcess.Exit, loss: RecordingLoss)?>(nil)
      let hasEnded = DispatchGroup()
      hasEnded.enter()
      WorkThread.start {
        let exit = child.wait(endingAllAt: cancellation)
        end.withLock { $0 = (exit, RecordingLoss(isCutOff: cancellation.isCancelled)) }
        log.closeWriting()
        hasEnded.leave()
      }
      let trace = Result { () throws(TraceError) in try read("/dev/fd/\(log.reading)") }
      // A pipe that is not emptied would stop the program.
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { rest in
        while log.read(into: rest) > 0 {}
      }
      hasEnded.wait()
      guard let (exit, loss) = end.withLock({ $0 }) else { preconditionFailure("it has ended") }
      return Recording(try trace.get().lacking(loss), exit)
    }
  }

  private static func check(_ command: [String], needs tool: String) throws(TraceError) {
    guard ChildProcess.isInstalled(tool) else {
      throw .usage(
        problem: "\(tool) is not installed",
        remedy: "install the package \(tool) (apt-get install \(tool))")
    }
    guard let program = command.first, ChildProcess.isInstalled(program) else {
      let program = command.first ?? ""
      if program.contains("/"), access(program, F_OK) == 0 {
        throw .io(file: program, action: "run", byte: 0, code: EACCES)
      }
      throw .missing(file: program)
    }
  }

  /// Leaves Ctrl-C to the program that runs meanwhile; a handler of the caller's stays.
  private static func ignoringInterrupts<Value>(
    _ body: () throws(TraceError) -> Value
  ) throws(TraceError) -> Value {
    let ignored = [SIGINT, SIGQUIT].filter { evl_signal_is_default($0) != 0 }
    for number in ignored { signal(number, SIG_IGN) }
    defer { for number in ignored { signal(number, SIG_DFL) } }
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
