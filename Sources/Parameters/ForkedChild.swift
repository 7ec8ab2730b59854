import CInline

/// A piece of work in a child of this process, so that what it breaks breaks nothing here: it may trap, call `exit()`,
/// never return, or write where it must not.
///
///     let report = ForkedChild(patience: 60).run { life in
///       life.mark("the first step")
///       return bytes(of: firstStep())
///     }
///     guard case .finished(let bytes) = report.end else { fail("\(report)") }
///
/// The child has all that is in memory, and of the threads its own alone. It must not use Dispatch or tasks.
package struct ForkedChild: Sendable {
  /// The seconds that may pass between two signs of life.
  package var patience: Double
  /// The bytes that the work may take beyond what this process has; nil for no limit. Darwin limits none.
  package var memoryLimit: Int?
  /// Takes what the child prints.
  package var output: @Sendable ([UInt8]) -> Void

  package init(
    patience: Double, memoryLimit: Int? = nil,
    output: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) {
    self.patience = patience
    self.memoryLimit = memoryLimit
    self.output = output
  }

  /// The end of the work.
  package enum End: Sendable, Equatable {
    /// It has returned these bytes.
    case finished([UInt8])
    /// A signal has ended it.
    case crashed(signal: Int)
    /// It has called `exit()`.
    case exited(code: Int)
    /// It gave no sign of life for that many seconds.
    case hung(seconds: Double)
    /// It needed more memory than it may have, or than there is.
    case outOfMemory
    /// The parent wanted no more of it.
    case stopped
    /// The system starts no child, for the reason of that number.
    case notStarted(code: Int32)
  }

  /// A child that has ended.
  package struct Report: Sendable, CustomStringConvertible {
    package let end: End
    /// The last mark of the work.
    package let mark: String
    /// The work that it has said to be done.
    package let done: Int
    /// The last line that it has printed, in which a trap says its reason.
    package let lastLine: String

    /// The end in words, and the last line.
    package var description: String {
      let words =
        switch end {
        case .finished: "finished"
        case .crashed(let signal): "crashed (signal \(signal))"
        case .exited(let code): "called exit(\(code))"
        case .hung(let seconds): "did not return within \(Int(seconds.rounded(.up))) seconds"
        case .outOfMemory: "ran out of memory"
        case .stopped: "was stopped"
        case .notStarted(let code): "cannot start a process: \(String(cString: strerror(code)))"
        }
      return lastLine.isEmpty ? words : "\(words): \(lastLine)"
    }
  }

  /// Runs `work` in a child, and waits for it. The child has ended when this returns.
  ///
  /// - Parameters:
  ///   - watching: Called now and then with the work that is done and the last mark; returning false ends the child.
  ///   - work: Returns the answer. Its errors are a part of that.
  package func run(
    watching: (_ done: Int, _ mark: () -> String) -> Bool = { _, _ in true },
    _ work: (SignsOfLife) -> [UInt8]
  ) -> Report {
    func attempt() -> Report {
      let child = begin(work)
      while true {
        if let report = child.look(watching) { return report }
        RunningChild.wait(forNewsOf: [child])
      }
    }
    let report = attempt()
    // Another thread may have been at work all the same.
    if case .hung = report.end, report.mark.isEmpty, report.done == 0 { return attempt() }
    return report
  }

  /// Begins `work` in a child.
  ///
  /// No other thread may be at work meanwhile: what it holds at that moment stays locked in the child, be it a lock of the
  /// system's or of Swift's own.
  package func begin(_ work: (SignsOfLife) -> [UInt8]) -> RunningChild {
    RunningChild(self, work)
  }

  /// The stack of the work, of which the system gives what is used.
  fileprivate static let stackBytes = 64 << 20
}

/// A child at work, to be looked at until it has ended.
package final class RunningChild {
  private let kind: ForkedChild
  private let life: UnsafeMutablePointer<evl_life>?
  private var answer = Pipe()
  private var printed = Pipe()
  /// Its number; that of no process before it is started, and after it was waited for.
  private var child: pid_t = -1
  private var failure: Int32 = 0
  private var bytes: [UInt8] = []
  private var tail: [UInt8] = []
  /// The signs seen, and the seconds since the last one.
  private var (signs, waited) = (UInt32(0), 0.0)
  private var last = evl_monotonic_nanoseconds()

  fileprivate init(_ kind: ForkedChild, _ work: (SignsOfLife) -> [UInt8]) {
    self.kind = kind
    life = evl_map_life()
    guard let life, answer.isOpen, printed.isOpen else {
      failure = errno
      return
    }
    let (answerEnd, outputEnd) = (answer.writing, printed.writing)
    child = withoutActuallyEscaping(work) { work in
      var work = ChildWork(
        work: work, life: life, answer: answerEnd, memoryLimit: kind.memoryLimit)
      return withUnsafeMutablePointer(to: &work) { work in
        evl_fork_child(
          { context in
            guard let context else { _exit(1) }
            context.assumingMemoryBound(to: ChildWork.self).pointee.run()
          }, work, ForkedChild.stackBytes, life, answerEnd, outputEnd)
      }
    }
    if child < 0 { failure = errno }
    answer.endWriting()
    printed.endWriting()
  }

  deinit {
    if child > 0 { evl_end_child(child) }
    answer.end()
    printed.end()
    if let life { evl_unmap_life(life) }
  }

  /// Waits until one of them may have something to say, or some milliseconds.
  package static func wait(forNewsOf children: [RunningChild]) {
    var descriptors = children.flatMap { [$0.answer, $0.printed] }.filter(\.isOpen).map {
      pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0)
    }
    // One whose ends are closed ends a moment later.
    let isEnding = children.contains { !$0.answer.isOpen && !$0.printed.isOpen }
    _ = poll(&descriptors, nfds_t(descriptors.count), isEnding ? 1 : 20)
  }

  /// Reads what it has written, and ends it if it gives no sign of life, or is wanted no more.
  ///
  /// - Parameter watching: Called with the work that is done and the last mark; returning false ends it.
  /// - Returns: The report of one that has ended; nil before.
  package func look(
    _ watching: (_ done: Int, _ mark: () -> String) -> Bool = { _, _ in true }
  ) -> ForkedChild.Report? {
    guard child > 0, let life else {
      return ForkedChild.Report(
        end: .notStarted(code: failure), mark: "", done: 0, lastLine: "")
    }
    let hasEnded = evl_child_has_ended(child) != 0
    let new = answer.take()
    bytes += new
    let words = printed.take()
    if !words.isEmpty {
      kind.output(words)
      tail = (tail + words).suffix(1 << 12)
    }
    if hasEnded && new.isEmpty { return end(life, nil) }
    let now = evl_monotonic_nanoseconds()
    // Time in which this process was stopped does not count.
    waited += min(Double(now - last) / 1e9, 0.1)
    last = now
    let signsNow = evl_signs_of_life(life)
    if signsNow != signs || !new.isEmpty { (signs, waited) = (signsNow, 0) }
    let seen = SignsOfLife(life)
    if !watching(seen.done, { seen.lastMark }) { return end(life, .stopped) }
    if waited > kind.patience { return end(life, .hung(seconds: kind.patience)) }
    return nil
  }

  /// Ends it, unless it has ended by itself, and says how.
  private func end(
    _ life: UnsafeMutablePointer<evl_life>, _ given: ForkedChild.End?
  ) -> ForkedChild.Report {
    let status = Int(evl_end_child(child))
    child = -1
    let end: ForkedChild.End =
      given
      ?? {
        switch evl_end_of_life(life) {
        case UInt32(EVL_FINISHED): .finished(bytes)
        case UInt32(EVL_OUT_OF_MEMORY): .outOfMemory
        // The system ends what takes the memory of all.
        case _ where status == 256 + Int(SIGKILL): .outOfMemory
        case _ where status > 256: .crashed(signal: status - 256)
        default: .exited(code: status)
        }
      }()
    let signs = SignsOfLife(life)
    return ForkedChild.Report(
      end: end, mark: signs.lastMark, done: signs.done,
      lastLine: String(decoding: tail, as: UTF8.self).lastLine)
  }
}

/// The signs that the work of a ``ForkedChild`` gives.
package struct SignsOfLife {
  /// Those of this process, if it is such a child.
  package private(set) nonisolated(unsafe) static var ofThisProcess: SignsOfLife? = nil
  /// Called with each mark: looks for damage that the step before has done.
  package nonisolated(unsafe) static var inspection: (() -> Void)? = nil

  private let life: UnsafeMutablePointer<evl_life>

  fileprivate init(_ life: UnsafeMutablePointer<evl_life>) { self.life = life }

  /// Says how much is done: a sign of life.
  package func show(done: Int = 0) { evl_show_life(life, Int64(done)) }

  /// Says what is done next: no sign of life, as it is what may last too long.
  ///
  /// - Parameters:
  ///   - text: The text, which is cut at some 2000 bytes.
  ///   - place: The bytes of the mark before that stay.
  /// - Returns: The bytes of the mark.
  @discardableResult
  package func mark(_ text: String, after place: Int = 0) -> Int {
    SignsOfLife.inspection?()
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        Int(evl_write_mark(life, UInt32(place), $0.baseAddress, $0.count))
      }
    }
  }

  /// The work that is done, as far as it was said.
  fileprivate var done: Int { Int(evl_done_in_life(life)) }

  /// The last mark. The child may have written over it.
  fileprivate var lastMark: String {
    let bytes = UnsafeRawBufferPointer(start: evl_mark_in_life(life), count: Int(EVL_MARK_BYTES))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Ends this process, which has no memory left.
  func endOutOfMemory() -> Never { evl_end_life(life, UInt32(EVL_OUT_OF_MEMORY)) }

  /// Ends this process, whose answer is written.
  fileprivate func endFinished() -> Never { evl_end_life(life, UInt32(EVL_FINISHED)) }

  fileprivate func beginProcess() { SignsOfLife.ofThisProcess = self }
}

/// The work of a child, on its thread.
private struct ChildWork {
  let work: (SignsOfLife) -> [UInt8]
  let life: UnsafeMutablePointer<evl_life>
  let answer: Int32
  let memoryLimit: Int?

  func run() -> Never {
    let signs = SignsOfLife(life)
    signs.beginProcess()
    evl_on_memory_exhaustion { SignsOfLife.ofThisProcess?.endOutOfMemory() }
    if let memoryLimit { evl_limit_memory(UInt64(memoryLimit)) }
    let bytes = work(signs)
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = write(answer, bytes.baseAddress! + written, bytes.count - written)
        if count < 0 && errno != EINTR { _exit(1) }
        written += max(0, count)
      }
    }
    signs.endFinished()
  }
}

/// A pipe from a child, of which this process reads what is there.
private struct Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32
  var isOpen: Bool { reading >= 0 }

  /// A pipe, which is not open if there can be none.
  init() {
    var ends: [Int32] = [-1, -1]
    if evl_pipe(&ends, O_CLOEXEC) != 0 { ends = [-1, -1] }
    (reading, writing) = (ends[0], ends[1])
    // The other end may wait.
    if isOpen { _ = fcntl(reading, F_SETFL, O_NONBLOCK) }
  }

  /// Takes what was written; closes the end for reading where no more will come.
  mutating func take() -> [UInt8] {
    var bytes: [UInt8] = []
    while isOpen && bytes.count < 1 << 22 {
      var count = 0
      bytes += [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, filled in
        count = read(reading, room.baseAddress, room.count)
        filled = max(0, count)
      }
      if count < 0 && errno == EINTR { continue }
      if count == 0 || count < 0 && errno != EAGAIN { Pipe.end(&reading) }
      if count <= 0 { break }
    }
    return bytes
  }

  mutating func endWriting() { Pipe.end(&writing) }

  mutating func end() {
    Pipe.end(&reading)
    Pipe.end(&writing)
  }

  private static func end(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}

extension String {
  /// The last line that is not blank, cut where it is long; a trap's without the place in this program.
  package var lastLine: String {
    let line = split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } ?? ""
    return String((line.split(separator: "Fatal error: ").last ?? "").prefix(300))
  }
}
