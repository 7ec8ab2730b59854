import Parameters
import Results
import Synchronization
import Traces

/// The finished cells of an experiment, in a file beside its output: a line of JSON each.
///
/// A cell's line is written by one call as soon as the cell is finished, so that a kill loses no finished
/// cell. What lies in the system's memory is flushed to the disk once a second: a power cut loses the cells
/// of the last one. A line that was torn is ignored, and its cell is run again. Each line ends with the
/// checksum of the rest of it (see ``JournalLine``): one that was altered since is refused.
///
/// The first line says which command, which program and which machine the cells are of; where another one goes
/// on, a line says so. A cell is known by its name and the checksum of its trace; without a checksum (standard
/// input) it is not kept.
package final class Journal: Sendable {
  /// The journal's file.
  package let path: String
  private let descriptor: Int32
  private let state: Mutex<State>

  /// A cell of an earlier run.
  private struct Held {
    let outcome: Outcome
    /// True if this machine measured it, so that its times compare with those of this run.
    let isOfThisMachine: Bool
  }

  private struct State {
    var held: [String: Held] = [:]
    var environments: [Environment] = []
    var notes: [String] = []
    var size = 0
    var synced = ContinuousClock.now
  }

  private static let schema = "evictionlab.journal/2"
  /// The beginning of every journal, of older versions, too.
  private static let mark = "{\"schema\": \"evictionlab.journal/"

  /// The name of the journal beside an output.
  package static func path(beside output: String) -> String {
    NeighbouringFile.path(beside: output, suffix: ".journal")
  }

  /// Opens or begins the journal beside an output.
  ///
  /// - Parameters:
  ///   - output: The output's file.
  ///   - environment: The build and the command of this run, without options that change no result.
  ///   - resumes: Keeps the cells of an earlier run.
  ///   - acceptsOtherBuild: Keeps those of another program, too.
  /// - Throws: `TraceError` when the file cannot be used, is of another command, or holds cells and the run does not
  ///   resume; ``PartitionError`` when it is of another program or was altered; `ResultSetError` when it is broken.
  package init(
    beside output: String, environment: Environment, resumes: Bool, acceptsOtherBuild: Bool = false
  ) throws {
    path = Journal.path(beside: output)
    state = Mutex(State())
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    var status = stat()
    let code = errno
    let isOther =
      descriptor < 0
      ? code == ELOOP || code == EISDIR
      : fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    if isOther { throw foreign }
    if descriptor < 0 { throw TraceError.io(file: path, action: "create", byte: 0, code: code) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      throw TraceError.usage(
        problem: "\(path) is in use by another run", remedy: "wait for it, or give another --output"
      )
    }
    try begin(environment, resumes: resumes, acceptsOtherBuild: acceptsOtherBuild)
  }

  deinit { close(descriptor) }

  /// True if it holds no cell of an earlier run.
  package var isEmpty: Bool { state.withLock { $0.held.isEmpty } }

  /// The environments of earlier runs whose cells are held.
  package var environments: [Environment] { state.withLock { $0.environments } }

  /// Notes on earlier runs for the reader, in a line each.
  package var notes: [String] { state.withLock { $0.notes } }

  /// Removes the file: its cells stand in a whole document.
  package func remove() { unlink(path) }

  /// The outcome of a cell that an earlier run finished; nil for one that is measured by its times, which
  /// another machine measured.
  package func outcome(of cell: Cell, trace: TraceSummary) -> Outcome? {
    guard let name = Journal.name(of: cell, trace), let held = state.withLock({ $0.held[name] }),
      held.isOfThisMachine || !cell.engine.runsAlone
    else { return nil }
    return held.outcome
  }

  /// Adds a finished cell.
  package func append(_ outcome: Outcome, of cell: Cell, trace: TraceSummary) throws(TraceError) {
    guard let name = Journal.name(of: cell, trace) else { return }
    try append(["cell": .string(name), outcome.member.key: outcome.member.value])
  }

  /// Nil for a cell that is run again: of a trace that is not known, or of a plug-in, which may be compiled anew.
  private static func name(of cell: Cell, _ trace: TraceSummary) -> String? {
    if cell.policy.entry.plugin != nil { return nil }
    return trace.sha256.map { "\($0) \(trace.requests) \(cell.key)" }
  }

  /// Reads the cells of an earlier run, or makes the file new.
  private func begin(
    _ environment: Environment, resumes: Bool, acceptsOtherBuild: Bool
  ) throws {
    let bytes = try WholeFile.read(path, longest: .max)
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lines = bytes[..<end].split(separator: 0x0A)
    // A part of the mark is none: a line that cannot be written whole is taken back.
    guard bytes.isEmpty || bytes.starts(with: Journal.mark.utf8) else { throw foreign }
    let cells = lines.dropFirst().count { !$0.starts(with: "{\"environment\"".utf8) }
    if !resumes, cells > 0 {
      throw TraceError.usage(
        problem: "\(path) holds \(cells) cells that an earlier run finished",
        remedy: "add --resume to keep them, or remove the file to run them again")
    }
    if resumes, !lines.isEmpty {
      try hold(lines, besides: environment, acceptsOtherBuild: acceptsOtherBuild)
      state.withLock { $0.size = end }
    }
    let size = state.withLock { $0.size }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure(at: size, errno) }
    if size == 0 {
      try append(["schema": .string(Journal.schema), "environment": environment.json])
    } else if let last = environments.last,
      !last.hasProgram(of: environment) || !last.hasMachine(of: environment)
    {
      try append(["environment": environment.json])
    }
  }

  /// Takes over the cells of an earlier run.
  private func hold(
    _ lines: [ArraySlice<UInt8>], besides environment: Environment, acceptsOtherBuild: Bool
  ) throws {
    guard lines[0].starts(with: "{\"schema\": \"\(Journal.schema)\"".utf8) else {
      throw TraceError.usage(
        problem: "\(path) was written by another version of this tool", remedy: "remove it")
    }
    var isOfThisMachine = true
    for (index, line) in lines.enumerated() {
      guard let text = JournalLine.checked(line) else {
        throw PartitionError.altered(file: path, line: index + 1)
      }
      let node = try JSONNode(line: text, file: "\(path), line \(index + 1)")
      if index > 0, !node.keys.contains("environment") {
        let held = Held(outcome: try Outcome(node), isOfThisMachine: isOfThisMachine)
        let name: String = try node.value("cell")
        state.withLock { $0.held[name] = held }
        continue
      }
      let earlier: Environment = try node.value("environment")
      let notes = try earlier.notes(
        on: path, besides: environment, of: nil, acceptsOtherBuild: acceptsOtherBuild)
      if earlier.command != environment.command {
        throw TraceError.usage(
          problem: "\(path) is of another command, \(earlier.command ?? "")",
          remedy: "give the same options, or remove it")
      }
      isOfThisMachine = earlier.hasMachine(of: environment)
      state.withLock {
        $0.environments.append(earlier)
        $0.notes = ($0.notes + notes).unique
      }
    }
  }

  private func append(_ json: JSON) throws(TraceError) {
    let line = JournalLine.bytes(of: json)
    try state.withLock { state throws(TraceError) in
      let written = pwrite(descriptor, line, line.count, off_t(state.size))
      guard written == line.count else {
        let code = written < 0 ? errno : ENOSPC
        // A torn line would hide those behind it.
        ftruncate(descriptor, off_t(state.size))
        throw failure(at: state.size, code)
      }
      state.size += line.count
      if ContinuousClock.now - state.synced < .seconds(1) { return }
      state.synced = .now
      guard fsync(descriptor) == 0 else { throw failure(at: state.size, errno) }
    }
  }

  private var foreign: TraceError {
    .usage(problem: "\(path) is no journal of this tool", remedy: "give another --output")
  }

  private func failure(at byte: Int, _ code: Int32) -> TraceError {
    .io(file: path, action: "write", byte: byte, code: code)
  }
}
