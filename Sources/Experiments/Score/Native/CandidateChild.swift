import CInline
import Parameters
import Rendering
import Traces

/// The judge's side of a ``CandidateProcess``: starts it, talks to it, and ends it.
///
/// Texts of the process are cut, and have question marks for what would do something on a terminal.
final class CandidateChild {
  /// True once it was ended because its time was over.
  private(set) var isLate = false
  private let child: ChildProcess
  private let channel: Int32
  private let complaints: ChildPipe
  private var said = CandidateOutput()
  private let limit: Duration
  private let deadline: ContinuousClock.Instant
  private let cancellation: Cancellation
  private var hasEnded = false
  /// The channel, and the complaints until they end.
  private var polled: [pollfd]

  /// The milliseconds after which the time is looked at while nothing comes.
  private static let pause: Int32 = 50

  /// Starts a process for a task.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - limits: The time that it may take, the sandbox, and a request to stop.
  /// - Throws: `TraceError` where it cannot be started.
  init(_ task: CandidateProcess.Task, _ limits: CandidateLimits) throws(TraceError) {
    var ends: [Int32] = [-1, -1]
    if evl_make_channel(&ends) != 0 {
      throw .io(file: "a channel", action: "make", byte: 0, code: errno)
    }
    channel = ends[0]
    // One that sends without reading must not make the judge wait.
    _ = fcntl(channel, F_SETFL, O_NONBLOCK)
    limit = limits.time
    cancellation = limits.cancellation
    complaints = try ChildPipe()
    _ = fcntl(complaints.reading, F_SETFL, O_NONBLOCK)
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      close(null)
      close(ends[1])
    }
    let own = CandidateProcess.Limits(
      isSandboxed: limits.isSandboxed, seconds: Int(limit.seconds.rounded(.up)) + 1)
    do throws(TraceError) {
      child = try ChildProcess(
        [Self.program, CandidateProcess.word] + own.words + task.words,
        passing: [
          (null, 0), (null, 1), (complaints.writing, 2), (ends[1], CandidateProcess.channel),
        ],
        environment: [
          "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=\(task.folder ?? "/")",
          // A crash is named by its signal; a backtrace would start another program.
          "SWIFT_BACKTRACE=enable=no",
          // Libraries for Python that would start threads, which it cannot have.
          "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1",
        ], leadsGroup: true)
    } catch {
      close(channel)
      throw error
    }
    complaints.closeWriting()
    deadline = .now + limit
    polled = [channel, complaints.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  deinit {
    if !hasEnded { _ = end() }
    close(channel)
  }

  /// The program that this process runs.
  private static let program = "/proc/self/exe"

  /// Sends a message; false where the other end is closed, or so full that it cannot have read what came before.
  func send<Element: BitwiseCopyable>(_ message: [Element]) -> Bool {
    message.withUnsafeBytes { evl_send(channel, $0.baseAddress, $0.count) == $0.count }
  }

  /// Waits for a message.
  ///
  /// - Returns: The elements in `buffer` that have come; nil where none comes any more, or not in time.
  func receive<Element: BitwiseCopyable>(
    into buffer: UnsafeMutableBufferPointer<Element>
  ) -> Int? {
    let bytes = buffer.count * MemoryLayout<Element>.stride
    while .now < deadline && !cancellation.isCancelled {
      poll(&polled, 2, Self.pause)
      drain()
      if polled[0].revents == 0 { continue }
      let count = recv(channel, buffer.baseAddress, bytes, Int32(MSG_DONTWAIT))
      if count > 0 { return count / MemoryLayout<Element>.stride }
      if count == 0 || (errno != EAGAIN && errno != EINTR) { return nil }
    }
    return nil
  }

  /// Takes some of what it has printed as errors, so that it never waits for a reader.
  private func drain() {
    if polled[1].fd < 0 || polled[1].revents == 0 { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      let count = complaints.read(into: buffer)
      if count > 0 { said.append(buffer[..<count]) }
      // poll() passes over negative numbers.
      if count == 0 { polled[1].fd = -1 }
    }
  }

  /// The next message as a text.
  func text() -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 12) { buffer in
      receive(into: buffer).map { CandidateOutput.line(buffer[..<$0]) }
    }
  }

  /// Ends the process, unless it has ended by itself, and says in words what went wrong; nil for nothing.
  func end() -> String? {
    hasEnded = true
    isLate = .now >= deadline
    if isLate || cancellation.isCancelled { child.kill() }
    shutdown(channel, CInt(SHUT_RDWR))
    // A process that has done its task ends at once, and one that does not is ended.
    let patience = ContinuousClock.now + .seconds(1)
    polled[0].fd = -1
    while polled[1].fd >= 0 && .now < patience {
      poll(&polled, 2, Self.pause)
      drain()
    }
    let exit = child.wait(within: patience - .now)
    let line = said.lastLine
    if isLate { return ScoreRun.tooSlow(limit) }
    switch exit {
    case .exited(0): return nil
    case .exited(64), .exited(70),
      .exited(127) where !line.isEmpty:
      return line
    case .exited(let code):
      return "called exit(\(code))" + (line.isEmpty ? "" : ": \(line)")
    case .signaled(SIGXCPU):
      isLate = true
      return ScoreRun.tooSlow(limit)
    case .signaled(let signal):
      return "crashed (signal \(signal))" + (line.isEmpty ? "" : ": \(line)")
    }
  }

  /// The end of a process that does its task without messages, and what it has printed as errors.
  func wait() -> (problem: String?, complaints: [String]) {
    var none: [UInt8] = [0]
    none.withUnsafeMutableBufferPointer { while receive(into: $0) != nil {} }
    let problem = end()
    return (problem, said.lines)
  }
}

/// The limits of a candidate's processes, as the judge sets them.
package struct CandidateLimits: Sendable {
  /// The time that a process may take.
  package var time: Duration
  /// False to run it with all that this program may do.
  package var isSandboxed: Bool
  /// Ends the process.
  package var cancellation: Cancellation

  package init(
    time: Duration, isSandboxed: Bool = true, cancellation: Cancellation = Cancellation()
  ) {
    self.time = time
    self.isSandboxed = isSandboxed
    self.cancellation = cancellation
  }

  /// The same with the time that the conformance suite may take, and a compiler.
  var patient: CandidateLimits {
    var limits = self
    limits.time = .seconds(60)
    return limits
  }
}

/// The output of a candidate: its beginning and its end.
struct CandidateOutput {
  private var first: [UInt8] = []
  private var last: [UInt8] = []

  /// The bytes that are kept of each.
  private static let kept = 1 << 13
  /// The characters that are kept of a line.
  private static let longest = 400

  mutating func append(_ bytes: some Collection<UInt8>) {
    let room = Self.kept - first.count
    first += bytes.prefix(room)
    last = (last + bytes.dropFirst(room)).suffix(Self.kept)
  }

  /// One line of a text, as a terminal and a document can have it.
  static func line(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self).printable
    return text.count > longest ? text.prefix(longest) + "…" : text
  }

  /// The lines that are not empty.
  var lines: [String] {
    (first + last).split(separator: UInt8(ascii: "\n")).map { Self.line($0) }
  }

  /// The last line, a trap's without the place in this program.
  var lastLine: String { (lines.last ?? "").lastLine }
}

extension CandidateProcess.Task {
  /// The folder in which it writes; nil for none.
  fileprivate var folder: String? { if case .compile(let folder) = self { folder } else { nil } }
}
