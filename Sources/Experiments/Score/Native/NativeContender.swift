import CInline
import EvictionCore
import Parameters
import Results
import Runner
import Traces

/// A candidate in native code, or in Python. Each run has a process of its own (``CandidateProcess``), which remembers nothing of another one.
package struct NativeContender: Contender {
  package let name: String
  package let kind: CandidateKind
  package let sandbox: String?
  private let code: CandidateProcess.Code
  private let limits: CandidateLimits
  private let page: CandidatePage
  private let found: [String]
  /// The folder of a compiled library, which stays as long as it is needed.
  private let folder: ScratchFolder?

  /// The violations that are kept: a process may send them as fast as it can.
  private static let mostViolations = 100

  /// A shared library, `plugin:./mine.so:key=value`, once its conformance suite has run.
  ///
  /// - Parameters:
  ///   - policy: The library with its parameters.
  ///   - source: The file in C that it was compiled from, and its folder; nil for none.
  ///   - limits: Those of a run.
  /// - Throws: `PolicyError` where it is no policy, needs the future, or has no such parameters; `TraceError` where no process
  ///   can be started.
  package init(
    _ policy: Specification, compiledFrom source: (name: String, folder: ScratchFolder)? = nil,
    _ limits: CandidateLimits
  ) throws {
    try PluginLibrary.checkFile(of: policy.name)
    try NativeContender.checkFile(String(policy.name.dropFirst(PluginLibrary.prefix.count + 1)))
    try self.init(
      .library(policy), source?.name ?? "\(policy)", source == nil ? .plugin : .source,
      source?.folder, limits)
  }

  /// A class in Python, once its conformance suite has run.
  ///
  /// - Parameters:
  ///   - source: The class.
  ///   - name: The file, as the user named it.
  ///   - limits: Those of a run.
  /// - Throws: As for a library.
  package init(
    _ source: PythonSource, named name: String, _ limits: CandidateLimits
  ) throws {
    try self.init(.python(source), name, .python, nil, limits)
  }

  /// Throws if there is no ordinary file: another one may never end.
  static func checkFile(_ path: String) throws(TraceError) {
    var status = stat()
    if stat(path, &status) != 0 { throw .missing(file: path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .folder(file: path)
    default: throw .usage(problem: "\(path) is no ordinary file", remedy: "name one")
    }
  }

  private init(
    _ code: CandidateProcess.Code, _ name: String, _ kind: CandidateKind, _ folder: ScratchFolder?,
    _ limits: CandidateLimits
  ) throws {
    self.code = code
    self.name = name
    self.kind = kind
    self.folder = folder
    self.limits = limits
    sandbox = limits.isSandboxed ? "Landlock \(evl_sandbox_version()), seccomp" : nil
    let child = try CandidateChild(code.check, limits.patient)
    guard let page = child.text().flatMap({ CandidatePage($0) }) else {
      let problem = child.end() ?? "called exit(0) when it was loaded"
      throw PolicyError.conflict(policy: name, explanation: code.withoutName(problem))
    }
    if page.isBound {
      throw PolicyError.conflict(
        policy: name, explanation: "needs to know the future; a candidate must not")
    }
    self.page = page
    found = NativeContender.violations(child)
  }

  /// The violations that a process finds, and its own end before all properties are checked.
  private static func violations(_ child: CandidateChild) -> [String] {
    var violations: [String] = []
    var (others, property, isDone) = (0, "it is loaded", false)
    while !isDone, let text = child.text() {
      let words = text.split(separator: " ", maxSplits: 1)
      switch (words.first, words.count) {
      case ("end", 1): isDone = true
      case ("violation", 2) where violations.count < mostViolations:
        violations.append(String(words[1]))
      case ("violation", 2): others += 1
      case ("property", 2): property = String(words[1])
      default: break
      }
    }
    if others > 0 { violations.append("\(others) more violations") }
    let end = child.end()
    if isDone { return violations + (end.map { ["at the end it \($0)"] } ?? []) }
    return violations + ["\(property): it \(end ?? "called exit(0)")"]
  }

  /// True if this system can confine native code.
  package static var canBeSandboxed: Bool { evl_sandbox_version() > 0 }

  package var needs: RequestNeeds { page.needs }
  package var bytesPerEntry: Int { page.bytesPerEntry }

  package func violations() -> [String] { found }

  package func run(_ cell: ScoreCell) -> ScoreRun {
    do throws(TraceError) {
      let usual = try account(of: cell, most: JudgedPlugin.mostRequests)
      return usual.asksForSingles ? try account(of: cell, most: 1).run : usual.run
    } catch { return ScoreRun(failure: "\(error)") }
  }

  /// A run of at most that number of requests a message.
  private func account(of cell: ScoreCell, most: Int) throws(TraceError) -> CandidateAccount {
    let child = try CandidateChild(
      code.run(capacity: cell.capacity, seed: cell.seed), limits)
    var account = CandidateAccount(cell, most: most)
    let failure = account.run(with: child)
    let end = child.end()
    account.run.failure = failure ?? (account.isFinished ? end : end ?? "called exit(0)")
    account.run.isLate = failure == nil && child.isLate
    return account
  }
}

/// The judge's account of a run: which objects are resident by what the candidate has said, and what has missed.
private struct CandidateAccount {
  var run = ScoreRun()
  private(set) var isFinished = false
  /// True if the run has ended because messages must have one request.
  private(set) var asksForSingles = false
  private let cell: ScoreCell
  private let most: Int
  private var isResident: [Bool]
  private var residents = 0

  init(_ cell: ScoreCell, most: Int) {
    self.cell = cell
    self.most = most
    isResident = [Bool](repeating: false, count: cell.stream.trace.distinct)
  }

  /// Sends the requests up to each miss, and takes the answer.
  ///
  /// - Returns: The reason why an answer cannot be true; nil also where the process has ended.
  mutating func run(with child: CandidateChild) -> String? {
    let stream = cell.stream
    let last = isResident.count - 1
    let answer = UnsafeMutableBufferPointer<Slot>.allocate(capacity: JudgedPlugin.mostNumbers)
    defer { answer.deallocate() }
    var messages: [JudgedPlugin.Message] = []
    var start: ContinuousClock.Instant?
    for index in 0..<stream.requests {
      let id = Int(stream.ids[index])
      let slot = cell.reversesSlots ? last - id : id
      messages.append(
        JudgedPlugin.Message(
          slot: Slot(slot), keyHash: stream.keyHashes.map { $0[id] } ?? 0,
          time: stream.times.map { $0[index] } ?? 0))
      let isHit = isResident[slot]
      if isHit && messages.count < most && index + 1 < stream.requests {
        continue
      }
      guard child.send(messages), let count = child.receive(into: answer) else { return nil }
      // The first answer waits for the process to be started.
      start = start ?? .now
      if messages.count > 1 && answer[..<count].first == JudgedPlugin.asksForSingles {
        asksForSingles = true
        return nil
      }
      if let problem = take(answer[..<count], of: slot, isHit: isHit) {
        return "\(problem), at request \(index)"
      }
      messages.removeAll(keepingCapacity: true)
    }
    run.duration = start.map { ContinuousClock.now - $0 } ?? .zero
    isFinished = true
    return nil
  }

  /// Takes the answer to a message that ends with a request of `slot`.
  private mutating func take(
    _ answer: Slice<UnsafeMutableBufferPointer<Slot>>, of slot: Int, isHit: Bool
  ) -> String? {
    for victim in answer.dropFirst() {
      guard victim < isResident.count, isResident[Int(victim)] else {
        return "evicts slot \(victim), which is not resident"
      }
      isResident[Int(victim)] = false
      residents -= 1
      run.evictions += 1
    }
    if isHit { return nil }
    run.misses += 1
    if answer.first != 1 { return nil }
    isResident[slot] = true
    residents += 1
    return residents > cell.capacity ? "holds more than \(cell.capacity) objects" : nil
  }
}
