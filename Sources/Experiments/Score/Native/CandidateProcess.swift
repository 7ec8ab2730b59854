import CInline
import Parameters
import Runner
import Traces

/// A process in which a candidate's code is compiled, checked or run: the same program, started anew by the judge with
/// an empty environment, so that nothing of the judge's memory is in it.
///
/// It gives up files, sockets and other processes before the candidate's code is loaded, and then the files that loading
/// needed.
package enum CandidateProcess {
  /// The first word of its command line.
  package static let word = "candidate-process"
  /// The descriptor of the channel to the judge.
  static let channel: Int32 = 3

  /// The task of a process.
  enum Task: Sendable {
    /// Compiles `candidate.c` in the folder.
    case compile(folder: String)
    /// Runs the conformance suite.
    case check(Specification)
    /// Answers requests.
    case run(Specification, capacity: Int, seed: UInt64)
    /// Becomes the interpreter of a class in Python, which does one of both.
    case interpret(PythonSource, [String])

    /// The words of the command line.
    var words: [String] {
      switch self {
      case .compile(let folder): ["compile", folder]
      case .check(let policy): ["check", "\(policy)"]
      case .run(let policy, let capacity, let seed):
        ["run", "\(policy)", "\(capacity)", "\(seed)"]
      case .interpret(let source, let task):
        ["interpret"] + source.words + task
      }
    }

    init?(_ words: ArraySlice<String>) {
      let words = Array(words)
      switch (words.first, words.count) {
      case ("compile", 2): self = .compile(folder: words[1])
      case ("check", 2):
        guard let policy = try? Specification(parsing: words[1]) else { return nil }
        self = .check(policy)
      case ("run", 4):
        guard let policy = try? Specification(parsing: words[1]), let capacity = Int(words[2]),
          let seed = UInt64(words[3])
        else { return nil }
        self = .run(policy, capacity: capacity, seed: seed)
      case ("interpret", (PythonSource.wordCount + 2)...):
        let split = PythonSource.wordCount + 1
        guard let source = PythonSource(words: words[1..<split]) else { return nil }
        self = .interpret(source, Array(words[split...]))
      default: return nil
      }
    }
  }

  /// The code of a candidate, which a process checks or runs.
  enum Code: Sendable {
    /// A shared library with its parameters.
    case library(Specification)
    /// A class in Python.
    case python(PythonSource)

    /// The task of running the conformance suite.
    var check: Task {
      switch self {
      case .library(let policy): .check(policy)
      case .python(let source): .interpret(source, ["check"])
      }
    }

    /// A message of the process without the name by which it knows the policy.
    func withoutName(_ message: String) -> String {
      guard case .library(let policy) = self, message.hasPrefix(policy.name) else {
        return message
      }
      return String(message.dropFirst(policy.name.count).drop { ": ".contains($0) })
    }

    /// The task of answering requests.
    func run(capacity: Int, seed: UInt64) -> Task {
      switch self {
      case .library(let policy): .run(policy, capacity: capacity, seed: seed)
      case .python(let source): .interpret(source, ["run", "\(capacity)", "\(seed)"])
      }
    }
  }

  /// The limits of a process.
  struct Limits: Sendable {
    /// True for Landlock and seccomp, too.
    var isSandboxed: Bool
    /// Processor time.
    var seconds: Int
    /// The memory that it may address, in bytes.
    var memory = 2 << 30
    /// The size of the files that it may write: a compiler writes some.
    var fileBytes = 0

    /// The words of the command line, with the process that starts it.
    var words: [String] { [isSandboxed ? "sandboxed" : "open", "\(seconds)", "\(getpid())"] }
  }

  /// Does the task of a command line, and ends the process; returns if the command line is not that of such a process.
  package static func run(_ words: [String]) {
    guard words.first == word else { return }
    guard words.count >= 4, let seconds = Int(words[2]), let parent = pid_t(words[3]),
      let task = Task(words.dropFirst(4))
    else { end("is started by evict score", code: 64) }
    if evl_end_with(parent) != 0 { end("is left alone", code: 70) }
    var limits = Limits(isSandboxed: words[1] == "sandboxed", seconds: seconds)
    do throws(PolicyProblem) {
      switch task {
      case .compile(let folder):
        limits.fileBytes = 64 << 20
        compile(in: folder, limits)
      case .check(let policy): try check(policy, limits)
      case .interpret(let source, let task): interpret(source, task, limits)
      case .run(let policy, let capacity, let seed):
        let plugin = try load(policy, limits)
        do {
          try JudgedPlugin.serve(
            plugin, policy, capacity: capacity, seed: seed, channel: channel)
        } catch { throw PolicyProblem(text: "\(error)") }
      }
    } catch { end(error.text, code: 64) }
    // Without the destructors of the candidate's library.
    _exit(0)
  }

  private struct PolicyProblem: Error {
    let text: String
  }

  private static func end(_ text: String, code: Int32) -> Never {
    _ = "\(text)\n".withCString { write(2, $0, strlen($0)) }
    _exit(code)
  }

  /// Gives up what the candidate must not have, then loads its library.
  private static func load(
    _ policy: Specification, _ limits: Limits
  ) throws(PolicyProblem) -> PluginLibrary {
    let path = String(policy.name.dropFirst(PluginLibrary.prefix.count + 1))
    evl_limit_resources(
      channel + 1, UInt64(limits.memory), UInt64(limits.seconds), UInt64(limits.fileBytes))
    if limits.isSandboxed {
      confine(readable: systemLibraries + [path], writable: nil, evl_limit_calls_to_loading)
    }
    do {
      let plugin = try PluginLibrary.open(path)
      if limits.isSandboxed && evl_limit_calls_to_running() != 0 { end(noSandbox, code: 70) }
      return plugin
    } catch { throw PolicyProblem(text: "\(error)") }
  }

  private static let noSandbox = "cannot be confined"
  /// The libraries that the loader may need.
  private static let systemLibraries = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache",
  ]

  private static func confine(
    readable: [String], writable: String?, _ limitCalls: () -> Int32
  ) {
    var paths = readable.map { UnsafePointer(strdup($0)) }
    defer { paths.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
    if evl_limit_files(&paths, paths.count, writable) != 0 || limitCalls() != 0 {
      end(noSandbox, code: 70)
    }
  }

  /// Passes on the page, the properties as they are checked, and the violations.
  private static func check(
    _ policy: Specification, _ limits: Limits
  ) throws(PolicyProblem) {
    let entry = try load(policy, limits).entry
    do {
      try CatalogContender.check(PolicyChoice(policy))
    } catch { throw PolicyProblem(text: "\(error)") }
    let page = CandidatePage(
      needs: entry.needs, bytesPerEntry: entry.information.bytesPerSlot,
      isBound: entry.information.isBound)
    send(page.text)
    do {
      let violations = try entry.violations(
        of: policy, seeds: CatalogContender.conformance.seeds,
        operations: CatalogContender.conformance.operations
      ) {
        send("property \($0.rawValue)")
        return true
      }
      for violation in violations { send("violation \(violation)") }
    } catch { throw PolicyProblem(text: "\(error)") }
    send("end")
  }

  private static func send(_ text: String) {
    var text = text
    _ = text.withUTF8 { evl_send(channel, $0.baseAddress, $0.count) }
  }

  /// Becomes the interpreter.
  private static func interpret(
    _ source: PythonSource, _ task: [String], _ limits: Limits
  ) -> Never {
    evl_limit_resources(
      channel + 1, UInt64(limits.memory), UInt64(limits.seconds), UInt64(limits.fileBytes))
    if limits.isSandboxed {
      confine(
        readable: systemLibraries + ["/usr", "/dev/null", "/dev/urandom"] + source.readable,
        writable: nil, evl_limit_calls_to_interpreting)
    }
    become(source.command(filter: limits.isSandboxed ? filterAfterStart : "") + task)
  }

  /// The calls that an interpreter gives up once it has started, in hexadecimal digits.
  private static var filterAfterStart: String {
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 8) { buffer in
      let count = evl_filter_after_start(buffer.baseAddress, buffer.count)
      if count == 0 { end(noSandbox, code: 70) }
      return buffer[..<count].map { String(printing: "%02x", $0) }.joined()
    }
  }

  private static func become(_ words: [String]) -> Never {
    var arguments = words.map { strdup($0) } + [nil]
    execvp(words[0], &arguments)
    end("cannot run \(words[0])", code: 127)
  }

  /// Becomes the compiler.
  private static func compile(in folder: String, _ limits: Limits) -> Never {
    // The channel stays open until the compiler has ended: so the judge knows.
    evl_limit_resources(channel + 1, 4 << 30, UInt64(limits.seconds), UInt64(limits.fileBytes))
    if limits.isSandboxed {
      confine(
        readable: systemLibraries + ["/usr", "/bin", "/etc/alternatives"], writable: folder,
        evl_limit_calls_to_compiling)
    }
    become([
      "cc", "-std=gnu11", "-O2", "-shared", "-fPIC", "-I", folder, "-o", "\(folder)/candidate.so",
      "\(folder)/candidate.c", "-lm",
    ])
  }
}
