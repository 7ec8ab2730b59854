import Parameters

/// A program that this one runs, with the same input, output and environment.
package struct ChildProcess {
  /// The end of a program.
  package enum Exit: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)

    /// The ending that `waitpid` tells of.
    init(_ status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }
  }

  private let identifier: pid_t
  /// True if what it starts ends with it when it is killed, and signals of a terminal do not reach it.
  private let leadsGroup: Bool

  /// Starts a program that is found as the shell finds it.
  ///
  /// - Parameters:
  ///   - arguments: The program and its words.
  ///   - passing: Descriptors that it inherits under other numbers.
  ///   - environment: Its variables, `NAME=value`; nil for those of this program.
  ///   - leadsGroup: True for a process group of its own, which ``kill()`` ends.
  package init(
    _ arguments: [String], passing: [(descriptor: Int32, number: Int32)] = [],
    environment: [String]? = nil, leadsGroup: Bool = false
  ) throws(TraceError) {
    precondition(!arguments.isEmpty, "a program has a name")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (descriptor, number) in passing {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    // What is ignored here shall not be there.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // The group of number 0 is a new one.
    let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | group))
    var words = arguments.map { strdup($0) } + [nil]
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var identifier: pid_t = 0
    let code =
      environment == nil
      ? posix_spawnp(&identifier, arguments[0], &actions, &attributes, &words, environ)
      : posix_spawnp(&identifier, arguments[0], &actions, &attributes, &words, &variables)
    if code == ENOENT { throw .missing(file: arguments[0]) }
    if code != 0 { throw .io(file: arguments[0], action: "run", byte: 0, code: code) }
    self.identifier = identifier
    self.leadsGroup = leadsGroup
    StartedPrograms.add()
  }

  /// Waits for its end.
  package func wait() -> Exit {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    StartedPrograms.remove()
    return Exit(status)
  }

  /// Its end; nil while it runs.
  private func ended() -> Exit? {
    var status: Int32 = 0
    let code = waitpid(identifier, &status, WNOHANG)
    if code == 0 || (code < 0 && errno == EINTR) { return nil }
    StartedPrograms.remove()
    return Exit(status)
  }

  /// Ends it at once, unless it has ended; it must still be waited for.
  package func kill() { _ = systemKill(leadsGroup ? -identifier : identifier, SIGKILL) }

  /// Waits for its end, and kills it when it has not come by then.
  package func wait(within time: Duration) -> Exit {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      if let exit = ended() { return exit }
      usleep(ChildProcess.pause / 10)
    }
    kill()
    return wait()
  }

  /// Waits for its end, and kills it when the work is cancelled.
  package func wait(until cancellation: Cancellation) -> Exit {
    while !cancellation.isCancelled {
      if let exit = ended() { return exit }
      usleep(ChildProcess.pause)
    }
    kill()
    return wait()
  }

  /// The microseconds between two looks at a program that runs.
  private static let pause: UInt32 = 10_000

  /// Waits for its end. When the work is cancelled, asks it and all that it started or traces to end, and kills what
  /// has not done so half a second later.
  package func wait(endingAllAt cancellation: Cancellation) -> Exit {
    while !cancellation.isCancelled {
      if let exit = ended() { return exit }
      usleep(ChildProcess.pause)
    }
    let programs = below()
    for program in programs + [identifier] { _ = systemKill(program, SIGTERM) }
    var exit: Exit?
    func wait(milliseconds: Int, for others: Set<pid_t>) {
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while ContinuousClock.now < end {
        exit = exit ?? ended()
        if exit != nil, !others.contains(where: { systemKill($0, 0) == 0 }) { return }
        usleep(ChildProcess.pause)
      }
    }
    wait(milliseconds: 500, for: Set(programs))
    // Itself last: it may write down how the others end.
    let left = Set(programs + (exit == nil ? below() : []))
    for program in left { _ = systemKill(program, SIGKILL) }
    if exit == nil { wait(milliseconds: 200, for: []) }
    if let exit { return exit }
    kill()
    return self.wait()
  }

  /// The programs that this one has started or traces, those that they have, and so on.
  private func below() -> [pid_t] {
    #if os(Linux)
      var superiors: [pid_t: [pid_t]] = [:]
      for name in FileNames.names(in: "/proc") {
        guard let program = pid_t(name) else { continue }
        let facts = SystemFacts.read("/proc/\(name)/status", separator: ":")
        superiors[program] = ["PPid", "TracerPid"].compactMap { facts[$0].flatMap { pid_t($0) } }
      }
      var found: Set<pid_t> = [identifier]
      var known = 0
      while known < found.count {
        known = found.count
        for (program, its) in superiors where !found.isDisjoint(with: its) { found.insert(program) }
      }
      return Array(found.subtracting([identifier]))
    #else
      return []
    #endif
  }

  /// True when a program of that name can be run.
  package static func isInstalled(_ name: String) -> Bool {
    if name.contains("/") { return access(name, X_OK) == 0 }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":", omittingEmptySubsequences: false).contains {
      access($0.isEmpty ? name : "\($0)/\(name)", X_OK) == 0
    }
  }
}

/// A pipe from which this program reads what another writes. It is closed with its last user.
package final class ChildPipe {
  /// The end to read from.
  package let reading: Int32
  /// The end for the other program.
  package let writing: Int32
  private var isWritable = true

  /// Makes both ends, which no program inherits by itself.
  package init() throws(TraceError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .io(file: "a pipe", action: "make", byte: 0, code: errno) }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeWriting()
    close(reading)
  }

  /// Leaves the end to write to to the other program, so that the pipe ends with it.
  package func closeWriting() {
    if isWritable { close(writing) }
    isWritable = false
  }

  /// Reads what has come, and waits for something; 0 at the end, and -1 for an error (`errno`).
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = systemRead(reading, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// The output up to the end.
  package func text() -> String {
    withUnsafeTemporaryAllocation(byteCount: 1 << 10, alignment: 1) { buffer in
      var bytes: [UInt8] = []
      while case let count = read(into: buffer), count > 0 { bytes += buffer[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
