#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The line that is printed if a policy traps, or never returns, while this thread checks it.
///
/// A signal handler prints it, from memory that is written before each operation, and ends the process with
/// exit code 1: nothing can go on after a trap.
struct BreakdownReport: ~Copyable {
  /// The seconds that the operations of one workload may take together.
  static let patience: UInt32 = 60

  private struct Line {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1 << 10)
    /// The length of the part before the operation.
    var start = 0

    mutating func end(with words: String) {
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

  private let line: UnsafeMutablePointer<Line>

  init() {
    line = .allocate(capacity: 1)
    line.initialize(to: Line())
    _ = BreakdownReport.actions
    pthread_setspecific(BreakdownReport.key, line)
  }

  deinit {
    alarm(0)
    pthread_setspecific(BreakdownReport.key, nil)
    line.pointee.text.deallocate()
    line.deallocate()
  }

  /// Begins a workload of that name.
  func begin(_ workload: String) {
    line.pointee.start = 0
    line.pointee.end(with: workload)
    line.pointee.start = min(workload.utf8.count, 900)
    alarm(BreakdownReport.patience)
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
