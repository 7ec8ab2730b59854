import Foundation
import Results
import Synchronization
import Traces

/// The finished cells of an experiment, in a file beside its output: a line of JSON each.
///
/// A cell's line is written by one call as soon as the cell is finished, so that a kill loses no finished
/// cell. What lies in the system's memory is flushed to the disk once a second: a power cut loses the cells
/// of the last one. A line that was torn is ignored, and its cell is run again.
///
/// The first line says which command and which build the cells are of. A cell is known by its name and the
/// checksum of its trace; without a checksum (standard input) it is not kept.
package final class Journal: Sendable {
  /// The journal's file.
  package let path: String
  private let descriptor: Int32
  private let state: Mutex<State>

  private struct State {
    var held: [String: Outcome] = [:]
    var dropped = 0
    var size = 0
    var synced = ContinuousClock.now
  }

  private static let schema = "evictionlab.journal/1"

  /// The end of its name, behind that of the output.
  package static let suffix = ".journal"

  /// The name of the journal beside an output.
  package static func path(beside output: String) -> String { output + suffix }

  /// Opens or begins the journal beside an output.
  ///
  /// - Parameters:
  ///   - output: The output's file.
  ///   - environment: The build and the command of this run, without options that change no result.
  ///   - resumes: Keeps the cells of an earlier run.
  /// - Throws: `TraceError` when the file cannot be used, or is of another command; ``PartitionError`` when
  ///   it is of another build; `ResultSetError` when it is broken.
  package init(beside output: String, environment: Environment, resumes: Bool) throws {
    path = Journal.path(beside: output)
    state = Mutex(State())
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
    var status = stat()
    if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw TraceError.usage(
        problem: "\(path) is no journal of this tool", remedy: "give another --output")
    }
    if descriptor < 0 { throw TraceError.io(file: path, action: "create", byte: 0, code: errno) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      throw TraceError.usage(
        problem: "\(path) is in use by another run", remedy: "wait for it, or give another --output"
      )
    }
    try begin(environment, resumes: resumes)
  }

  deinit { close(descriptor) }

  /// The number of cells of an earlier run that were not kept.
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Removes the file: its cells stand in a whole document.
  package func remove() { unlink(path) }

  /// The outcome of a cell that an earlier run finished.
  func outcome(of cell: Cell, trace: TraceSummary) -> Outcome? {
    guard let name = Journal.name(of: cell, trace) else { return nil }
    return state.withLock { $0.held[name] }
  }

  /// Adds a finished cell.
  func append(_ outcome: Outcome, of cell: Cell, trace: TraceSummary) throws(TraceError) {
    guard let name = Journal.name(of: cell, trace) else { return }
    try append(["cell": .string(name), outcome.member.key: outcome.member.value])
  }

  private static func name(of cell: Cell, _ trace: TraceSummary) -> String? {
    trace.sha256.map { "\($0) \(trace.requests) \(cell.key)" }
  }

  /// Reads the cells of an earlier run, or makes the file new.
  private func begin(_ environment: Environment, resumes: Bool) throws {
    let bytes = try WholeFile.read(path, longest: .max)
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lines = bytes[..<end].split(separator: 0x0A)
    let mark = "{\"schema\": \"\(Journal.schema)\"".utf8
    // A part of the mark is none: a line that cannot be written whole is taken back.
    guard bytes.isEmpty || bytes.starts(with: mark) else {
      throw TraceError.usage(
        problem: "\(path) is no journal of this tool", remedy: "give another --output")
    }
    if resumes, let first = lines.first {
      let header = try JSONNode(reading: first, schema: Journal.schema, file: path)
      let earlier: Environment = try header.value("environment")
      try earlier.checkBuild(of: path, against: environment, of: nil)
      if earlier.command != environment.command {
        throw TraceError.usage(
          problem: "\(path) is of another command, \(earlier.command ?? "")",
          remedy: "give the same options, or remove it")
      }
      var held: [String: Outcome] = [:]
      for (index, line) in lines.enumerated().dropFirst() {
        let node = try JSONNode(line: line, file: "\(path), line \(index + 1)")
        held[try node.value("cell")] = try Outcome(node)
      }
      state.withLock {
        $0.held = held
        $0.size = end
      }
    }
    let size = state.withLock {
      if !resumes { $0.dropped = max(0, lines.count - 1) }
      return $0.size
    }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure(at: size, errno) }
    if size == 0 {
      try append(["schema": .string(Journal.schema), "environment": environment.json])
    }
  }

  private func append(_ json: JSON) throws(TraceError) {
    let line = Array((json.text + "\n").utf8)
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

  private func failure(at byte: Int, _ code: Int32) -> TraceError {
    .io(file: path, action: "write", byte: byte, code: code)
  }
}

extension Outcome {
  /// The outcome as a member of a line.
  fileprivate var member: (key: String, value: JSON) {
    switch self {
    case .measurement(let measurement): ("run", measurement.json)
    case .bound(let range): ("bound", ClosedRange<Double>?.format.write(range))
    case .curve(let curve): ("curve", curve.json)
    case .points(let values, let method, let seconds):
      (
        "points",
        [
          "method": .string(method.rawValue), "seconds": .number(seconds),
          "values": .array(
            values.map {
              .array(
                ([Double($0.capacity), $0.missRatio, $0.error, $0.largest] + $0.parts).map(
                  JSON.number))
            }),
        ]
      )
    }
  }

  fileprivate init(_ line: JSONNode) throws(ResultSetError) {
    switch line.keys.last {
    case "run": self = .measurement(try Measurement(line["run"]))
    case "curve": self = .curve(try MissRatioCurve(line["curve"]))
    case "bound": self = .bound(try line.value("bound"))
    case "points":
      let points = line["points"]
      let values: [[Double]] = try points.value("values")
      self = .points(
        try values.map { value throws(ResultSetError) in
          guard value.count >= 4, let capacity = Int(exactly: value[0]) else {
            throw points["values"].wrong("lists of four numbers or more")
          }
          return KeySampleEstimate.Value(
            capacity: capacity, missRatio: value[1], error: value[2],
            largest: value[3], parts: Array(value[4...]))
        }, try points.value("method"), seconds: try points.value("seconds"))
    default: throw line.wrong("a finished cell")
    }
  }
}
