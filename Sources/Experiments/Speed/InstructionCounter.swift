import Foundation
import Parameters
import Runner
import Traces

/// The machine instructions of cells, counted by a run of this program under valgrind's callgrind: the count of a
/// program is nearly the same on a quiet and on a busy machine.
package enum InstructionCounter {
  /// True where valgrind is installed.
  package static var isAvailable: Bool { ChildProcess.isInstalled("valgrind") }

  /// Counts the instructions of each cell of a command.
  ///
  /// - Parameters:
  ///   - arguments: The command line of a run of one cell after the other.
  ///   - count: The number of its cells.
  ///   - cancellation: Stops the work.
  /// - Returns: The instructions of each cell, in their order; nil if the work was stopped.
  /// - Throws: `TraceError` when valgrind or the program fails, or the counts are not there.
  package static func count(
    arguments: [String], regions count: Int, cancellation: Cancellation = Cancellation()
  ) throws(TraceError) -> [Int]? {
    let scratch = try ScratchFolder(in: NSTemporaryDirectory(), kind: "evict-counts")
    defer { withExtendedLifetime(scratch) {} }
    let profile = scratch.path + "/callgrind"
    let ending = try ChildProcess(
      [
        // Dictionaries are then laid out as they were the last time, and a Ctrl-C ends this program, which
        // ends the other.
        "env", "--ignore-signal=INT", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "-q",
        "--tool=callgrind",
        "--log-file=\(scratch.path)/log", "--callgrind-out-file=\(profile)",
        "--toggle-collect=\(MeasuredRegion.symbol)", "--dump-after=\(MeasuredRegion.symbol)",
        try program(),
      ] + arguments
    ).wait(until: cancellation)
    if cancellation.isCancelled { return nil }
    guard ending == .exited(0) else { throw failure("the program did not end well under it") }
    return try (1...max(1, count)).map { part throws(TraceError) in
      try total(of: "\(profile).\(part)")
    }
  }

  private static func program() throws(TraceError) -> String {
    guard let path = Bundle.main.executablePath else { throw failure("this program has no path") }
    return path
  }

  /// The sum that a profile states.
  static func total(of profile: String) throws(TraceError) -> Int {
    guard let text = try? String(contentsOfFile: profile, encoding: .utf8),
      let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals:") }),
      let total = Int(line.dropFirst("totals:".count).trimmingCharacters(in: .whitespaces))
    else { throw failure("it wrote no total for a run") }
    return total
  }

  private static func failure(_ problem: String) -> TraceError {
    .usage(
      problem: "valgrind --tool=callgrind: \(problem)",
      remedy: "see that valgrind works here; times need none")
  }
}
