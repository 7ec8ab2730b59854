import Foundation
import Subprocess

/// The output and the end of a command line.
struct Outcome: Equatable, CustomStringConvertible {
  var output: String
  var errors = ""
  var code: Int32 = 0

  var description: String { "output:\n\(output)errors:\n\(errors)code: \(code)" }
}

/// A folder of its own in which command lines run, with `evict` on their path.
final class Shell {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("evict-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("a\nb\na\nc\na\nb\nd\na\n", to: "tiny.txt")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The folder of this build's products: the test bundle's folder.
  static let products: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }()

  func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(file))
  }

  func read(_ file: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Runs a command line, its input empty.
  func run(_ line: String) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", line], environment: environment,
      workingDirectory: .init(folder.path), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    return Outcome(
      output: result.standardOutput, errors: result.standardError,
      code: result.terminationStatus.code)
  }

  /// Runs `evict`, and interrupts it after a while. Another process measures it: a task that sleeps goes on
  /// only when a thread is free, which may take minutes beside other tests.
  func interrupt(_ arguments: [String], after seconds: Double) async throws -> Outcome {
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    return try await run(
      "exec timeout --foreground --preserve-status --signal=INT \(seconds) evict \(words)")
  }

  private var environment: Subprocess.Environment {
    .inherit.updating([
      "PATH": "\(Shell.products.path):/usr/local/bin:/usr/bin:/bin", "EVICTIONLAB_COMMIT": "",
    ])
  }
}

extension TerminationStatus {
  /// The exit code; for a signal what a shell makes of it.
  fileprivate var code: Int32 {
    switch self {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    }
  }
}

extension Outcome {
  /// The same with what differs from run to run masked.
  var masked: Outcome {
    var masked = self
    masked.output.replace(/"environment": {.*}/, with: "\"environment\": …")
    masked.output.replace(
      /"seconds": [0-9.e-]+, "requestsPerSecond": [0-9.e+]+/,
      with: "\"seconds\": …, \"requestsPerSecond\": …")
    masked.output.replace(/"seconds": [0-9.e-]+, "points"/, with: "\"seconds\": …, \"points\"")
    return masked
  }
}
