import CInline
import Parameters
import Traces

/// The judge's side of a ``CandidateProcess``: starts it, talks to it, and ends it.
final class CandidateChild {
  private let child: ChildProcess
  private let channel: Int32
  private let complaints: ChildPipe
  private let limit: Duration
  private let deadline: ContinuousClock.Instant
  private var hasEnded = false

  /// The microseconds after which the time is looked at while nothing comes.
  private static let pause = 50_000

  /// Starts a process for a task.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - limit: The time that it may take.
  ///   - isSandboxed: True for a sandbox.
  /// - Throws: `TraceError` where it cannot be started.
  init(
    _ task: CandidateProcess.Task, limit: Duration, isSandboxed: Bool
  ) throws(TraceError) {
    var ends: [Int32] = [-1, -1]
    if evl_make_channel(&ends) != 0 {
      throw .io(file: "a channel", action: "make", byte: 0, code: errno)
    }
    channel = ends[0]
    var pause = timeval(tv_sec: 0, tv_usec: Self.pause)
    setsockopt(
      channel, SOL_SOCKET, SO_RCVTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
    self.limit = limit
    complaints = try ChildPipe()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(null)
      close(ends[1])
    }
    let limits = CandidateProcess.Limits(
      isSandboxed: isSandboxed, seconds: Int(limit.seconds.rounded(.up)) + 1)
    do throws(TraceError) {
      child = try ChildProcess(
        [Self.program, CandidateProcess.word] + limits.words + task.words,
        passing: [
          (null, 0), (null, 1), (complaints.writing, 2), (ends[1], CandidateProcess.channel),
        ],
        environment: [
          "PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=\(task.folder ?? "/")",
          // A crash is named by its signal; a backtrace would start another program.
          "SWIFT_BACKTRACE=enable=no",
        ])
    } catch {
      close(channel)
      throw error
    }
    complaints.closeWriting()
    deadline = .now + limit
  }

  deinit {
    if !hasEnded { _ = end() }
    close(channel)
  }

  /// The program that this process runs.
  private static let program = "/proc/self/exe"

  /// Sends a message; false where the other end is closed.
  func send<Element: BitwiseCopyable>(_ message: [Element]) -> Bool {
    message.withUnsafeBytes { evl_send(channel, $0.baseAddress, $0.count) == $0.count }
  }

  /// Waits for a message.
  ///
  /// - Returns: The elements in `buffer` that have come; nil where none comes any more, or not in time.
  func receive<Element: BitwiseCopyable>(
    into buffer: UnsafeMutableBufferPointer<Element>
  ) -> Int? {
    while true {
      let bytes = buffer.count * MemoryLayout<Element>.stride
      let count = recv(channel, buffer.baseAddress, bytes, 0)
      if count > 0 { return count / MemoryLayout<Element>.stride }
      if count == 0 || (errno != EAGAIN && errno != EINTR) || .now > deadline { return nil }
    }
  }

  /// The next message as a text.
  func text() -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 14) { buffer in
      receive(into: buffer).map { String(decoding: buffer[..<$0], as: UTF8.self) }
    }
  }

  /// Ends the process, unless it has ended by itself, and says in words what went wrong; nil for nothing.
  func end() -> String? {
    hasEnded = true
    let isLate = ContinuousClock.now > deadline
    if isLate { child.kill() }
    shutdown(channel, CInt(SHUT_RDWR))
    // A process that has done its task ends at once, and one that does not is ended.
    let exit = child.wait(within: .seconds(1))
    let line = lastComplaint
    if isLate { return ScoreRun.tooSlow(limit) }
    switch exit {
    case .exited(0): return nil
    case .exited(64), .exited(70), .exited(127): return line
    case .exited(let code):
      return "called exit(\(code))" + (line.isEmpty ? "" : ": \(line)")
    case .signaled(SIGXCPU): return ScoreRun.tooSlow(limit)
    case .signaled(let signal):
      return "crashed (signal \(signal))" + (line.isEmpty ? "" : ": \(line)")
    }
  }

  /// The end of a process that does its task without messages.
  func wait() -> (problem: String?, complaints: String) {
    var none: [UInt8] = [0]
    none.withUnsafeMutableBufferPointer { while receive(into: $0) != nil {} }
    let text = allComplaints
    return (end(), text)
  }

  private lazy var allComplaints: String = {
    _ = fcntl(complaints.reading, F_SETFL, O_NONBLOCK)
    return complaints.text()
  }()

  /// The last line that it has printed as an error, a trap's without the place in this program.
  private var lastComplaint: String {
    let line = allComplaints.split(separator: "\n").last ?? ""
    return String(line.split(separator: "Fatal error: ").last ?? "")
  }
}

extension CandidateProcess.Task {
  /// The folder in which it writes; nil for none.
  fileprivate var folder: String? { if case .compile(let folder) = self { folder } else { nil } }
}
