import Experiments
import Foundation
import Results
import Runner
import Traces

/// A file that a command will write.
enum OutputFile {
  /// The content of a file.
  enum Content: Equatable {
    /// A table, a page or the like.
    case report
    /// Results in a form of that name.
    case results(form: String)
    /// A JSON document of this project, by its schema.
    case document(schema: String)
    /// A trace.
    case trace

    /// The name in messages.
    var name: String {
      switch self {
      case .report, .results: "a report"
      case .document: "a JSON document"
      case .trace: "a trace"
      }
    }
  }

  /// Refuses a file that could not be written, or whose loss would hurt, before the work is done in vain.
  ///
  /// A file is replaced only where it is no input under any name, and this command wrote it: its mark says so, or where it
  /// has none, what it holds.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard output.
  ///   - content: The content that is to be written. A document is replaced by its like only.
  ///   - inputs: The files that the command reads: none of them is replaced, whatever its name, nor is one in the
  ///     place of what the tool writes beside the output meanwhile.
  ///   - completes: True where the command reads the document that it will replace: any command may have written it.
  ///   - remedy: The other place.
  static func check(
    _ path: String, _ content: Content, inputs: [String] = [], completes: Bool = false,
    remedy: String = "give --output another name"
  ) throws(TraceError) {
    if path == "-" { return }
    let unfinished = NeighbouringFile.path(beside: path, suffix: UnfinishedMark.suffix)
    for place in [unfinished, Journal.path(beside: path)] {
      try check(place, isNoneOf: inputs)
    }
    if let status = FileStatus(of: path) {
      if status.kind == S_IFDIR { throw .folder(file: path) }
      if status.kind != S_IFREG { return }
      try check(path, isNoneOf: inputs)
      if status.isEmpty { return }
      if let refusal = FileContent(of: path).refusal(of: content, completes: completes) {
        throw .usage(
          problem: "\(path) \(refusal)", remedy: "\(remedy), or remove the file first")
      }
    } else if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
      throw .usage(
        problem: "\(path) is a link to a file that is not there",
        remedy: "\(remedy), or remove the link first")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    if access(folder, F_OK) != 0 { throw .missing(file: folder) }
    if access(folder, W_OK) != 0 {
      throw .io(file: path, action: "create", byte: 0, code: errno)
    }
  }

  private static func check(
    _ path: String, isNoneOf inputs: [String]
  ) throws(TraceError) {
    guard let identity = FileStatus(of: path)?.identity,
      let input = inputs.first(where: { FileStatus(of: $0)?.identity == identity })
    else { return }
    throw .usage(
      problem: "\(path): the output would replace the input \(input)",
      remedy: "give --output another name")
  }

  /// False for standard output, pipes and devices.
  static func isFile(_ path: String) -> Bool {
    path != "-" && FileStatus(of: path).map { $0.kind == S_IFREG } ?? true
  }
}

/// A file's kind and identity, behind all links; those of standard input for `-`.
private struct FileStatus {
  struct Identity: Equatable {
    let device: dev_t
    let node: ino_t
  }

  let kind: mode_t
  let isEmpty: Bool
  let identity: Identity

  init?(of path: String) {
    var status = stat()
    guard (path == "-" ? fstat(0, &status) : stat(path, &status)) == 0 else { return nil }
    kind = status.st_mode & S_IFMT
    isEmpty = status.st_size == 0
    identity = Identity(device: status.st_dev, node: status.st_ino)
  }
}

/// A document that a command reads whole.
enum Document {
  /// A file's bytes, or those of standard input.
  static func bytes(of path: String) throws(TraceError) -> [UInt8] { try WholeFile.read(path) }

  /// A results document.
  static func results(of path: String) throws -> ResultSet {
    try ResultSet(reading: bytes(of: path), file: path)
  }
}
