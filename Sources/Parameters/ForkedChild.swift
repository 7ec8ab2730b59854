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
/// The child has all that is in memory, and of the threads its own alone. So the work must not wait for a lock that
/// another thread may have held: what it needs of such is prepared before. It must not use Dispatch or tasks.
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

  /// The stack of the work, of which the system gives what is used.
  private static let stackBytes = 64 << 20

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
    let (report, nanoseconds) = attempt(watching, work)
    // Another thread may have held a lock of the system's when the child began: it sleeps there for ever, after the moment
    // of processor time that its beginning takes.
    if case .hung(let seconds) = report.end, Double(nanoseconds) < seconds * 1e7 + 5e7 {
      return attempt(watching, work).0
    }
    return report
  }

  private func attempt(
    _ watching: (Int, () -> String) -> Bool, _ work: (SignsOfLife) -> [UInt8]
  ) -> (Report, nanoseconds: UInt64) {
    func failure() -> (Report, nanoseconds: UInt64) {
      (Report(end: .notStarted(code: errno), mark: "", done: 0, lastLine: ""), 0)
    }
    guard let life = evl_map_life() else { return failure() }
    defer { evl_unmap_life(life) }
    guard var answer = Pipe() else { return failure() }
    defer { answer.end() }
    guard var printed = Pipe() else { return failure() }
    defer { printed.end() }
    let (answerEnd, outputEnd) = (answer.writing, printed.writing)
    let child = withoutActuallyEscaping(work) { work in
      var work = ChildWork(
        work: work, life: life, answer: answerEnd, memoryLimit: memoryLimit)
      return withUnsafeMutablePointer(to: &work) { work in
        evl_fork_child(
          { context in
            guard let context else { _exit(1) }
            context.assumingMemoryBound(to: ChildWork.self).pointee.run()
          }, work, ForkedChild.stackBytes, life, answerEnd, outputEnd)
      }
    }
    if child < 0 { return failure() }
    answer.endWriting()
    printed.endWriting()
    var bytes: [UInt8] = []
    var tail: [UInt8] = []
    let ended = follow(child, life, &answer, &printed, watching) { isAnswer, new in
      if isAnswer { return bytes += new }
      output(new)
      tail = (tail + new).suffix(1 << 12)
    }
    var nanoseconds: UInt64 = 0
    let status = Int(evl_end_child(child, &nanoseconds))
    let end =
      ended
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
    let report = Report(
      end: end, mark: signs.lastMark, done: signs.done,
      lastLine: String(decoding: tail, as: UTF8.self).lastLine)
    return (report, nanoseconds)
  }

  /// Reads what the child writes until it ends, or gives no sign of life, or is wanted no more.
  ///
  /// - Returns: The end that it is to be given; nil if it has ended.
  private func follow(
    _ child: pid_t, _ life: UnsafeMutablePointer<evl_life>, _ answer: inout Pipe,
    _ printed: inout Pipe, _ watching: (Int, () -> String) -> Bool,
    _ take: (_ isAnswer: Bool, [UInt8]) -> Void
  ) -> End? {
    let signs = SignsOfLife(life)
    var (count, waited) = (UInt32(0), 0.0)
    var last = evl_monotonic_nanoseconds()
    while true {
      let isOpen = answer.isOpen || printed.isOpen
      var descriptors = [answer, printed].filter(\.isOpen).map {
        pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0)
      }
      // At its end all is closed, and a moment later it has ended.
      _ = poll(&descriptors, nfds_t(descriptors.count), isOpen ? 20 : 1)
      let hasEnded = evl_child_has_ended(child) != 0
      let newBytes = answer.take()
      take(true, newBytes)
      take(false, printed.take())
      if hasEnded && newBytes.isEmpty { return nil }
      let now = evl_monotonic_nanoseconds()
      // Time in which this process was stopped does not count.
      waited += min(Double(now - last) / 1e9, 0.1)
      last = now
      let signsNow = evl_signs_of_life(life)
      if signsNow != count || !newBytes.isEmpty { (count, waited) = (signsNow, 0) }
      if !watching(signs.done, { signs.lastMark }) { return .stopped }
      if waited > patience { return .hung(seconds: patience) }
    }
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

  init?() {
    var ends: [Int32] = [-1, -1]
    if evl_pipe(&ends, O_CLOEXEC) != 0 { return nil }
    (reading, writing) = (ends[0], ends[1])
    // The other end may wait.
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
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
  /// The last line that is not blank, cut where it is long.
  fileprivate var lastLine: String {
    let line = split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } ?? ""
    return String(line.prefix(300))
  }
}
