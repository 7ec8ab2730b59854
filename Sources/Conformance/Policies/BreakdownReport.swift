import Parameters

/// Says where a policy trapped, or did not return, while this thread checks it.
///
/// In a ``ForkedChild`` it is the mark that the parent reads. Elsewhere a signal handler prints a line, from memory that
/// is written before each operation, and ends the process with exit code 1: nothing can go on after a trap. A silent report
/// leaves signals and the alarm to the program around it.
struct BreakdownReport: ~Copyable {
  /// The seconds that the operations of one workload may take together, outside of a child.
  private static let patience: UInt32 = 60

  private struct Line {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1 << 10)
    /// The length of the part before the operation.
    var start = 0

    mutating func end(with words: String) {
      if let life = SignsOfLife.ofThisProcess {
        life.mark(words, after: start)
        return
      }
      let end = words.utf8.prefix(1 << 10 - start - 2)
      for (place, byte) in end.enumerated() { text[start + place] = CChar(bitPattern: byte) }
      text[start + end.count] = CChar(bitPattern: UInt8(ascii: "\n"))
      text[start + end.count + 1] = 0
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The actions before, by signal: they take what happens on threads that check nothing.
  private nonisolated(unsafe) static let actions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
    let handle: @convention(c) (Int32) -> Void = { BreakdownReport.handle($0) }
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handle
    #else
      action.__sigaction_handler.sa_handler = handle
    #endif
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGALRM] {
      sigaction(signal, &action, actions + Int(signal))
    }
    return actions
  }()

  private let line: UnsafeMutablePointer<Line>?

  init(isSilent: Bool = false) {
    if isSilent {
      line = nil
      return
    }
    let line = UnsafeMutablePointer<Line>.allocate(capacity: 1)
    self.line = line
    line.initialize(to: Line())
    if SignsOfLife.ofThisProcess == nil { _ = BreakdownReport.actions }
    pthread_setspecific(BreakdownReport.key, line)
  }

  deinit {
    guard let line else { return }
    alarm(0)
    pthread_setspecific(BreakdownReport.key, nil)
    line.pointee.text.deallocate()
    line.deallocate()
  }

  /// Begins a workload of a policy's check.
  func begin(_ workload: Workload, of property: ConformanceProperty, _ specification: String) {
    guard let line else { return }
    let life = SignsOfLife.ofThisProcess
    let text =
      life == nil
      ? "\(specification): \(property.rawValue): traps or never returns, \(workload)"
      : "\(property.rawValue)\n\(workload)"
    line.pointee.start = 0
    line.pointee.end(with: text)
    line.pointee.start = min(text.utf8.count, 900)
    if let life { life.show() } else { alarm(BreakdownReport.patience) }
  }

  /// Begins an operation of the workload that this thread runs, if it runs one.
  static func begin(operation: Int) {
    guard let line = pthread_getspecific(key)?.assumingMemoryBound(to: Line.self) else { return }
    line.pointee.end(with: ", at operation \(operation)")
  }

  /// Runs within a signal: only what is allowed there.
  private static func handle(_ signal: Int32) {
    guard let line = pthread_getspecific(key)?.assumingMemoryBound(to: Line.self) else {
      sigaction(signal, actions + Int(signal), nil)
      return
    }
    _ = write(2, line.pointee.text, strlen(line.pointee.text))
    _exit(1)
  }
}

extension ConformanceViolation {
  /// The violation by a policy that ended the child in which it was checked.
  ///
  /// - Parameters:
  ///   - end: The end of the child, in words.
  ///   - mark: The last mark of the child.
  package init(ending end: String, at mark: String) {
    let parts = mark.split(separator: "\n", maxSplits: 1)
    let property = parts.first.flatMap { ConformanceProperty(rawValue: String($0)) }
    let place = property != nil && parts.count > 1 ? ", \(parts[1])" : ", before any workload"
    self.init(property: property ?? .contract, breaksContract: true, fault: end + place)
  }
}
