import Foundation
import Parameters
import Traces

/// Counts the machine instructions of simulations, by running this program once more under valgrind's
/// callgrind: the count of a program is nearly the same on a quiet and on a busy machine.
public enum InstructionCounter {
  /// Whether valgrind is there.
  public static var isAvailable: Bool { ChildProcess.isInstalled("valgrind") }

  /// The instructions of each measured region that this program passes with other arguments.
  ///
  /// - Parameters:
  ///   - arguments: For this program, without its name; it is to simulate one cell after the other.
  ///   - count: How many regions it passes.
  ///   - cancellation: Stops the work.
  /// - Returns: What each of them took, in their order; nil if the work was stopped.
  /// - Throws: `TraceError` when valgrind or the program fails, or the counts are not there.
  public static func count(
    arguments: [String], regions count: Int, cancellation: Cancellation = Cancellation()
  ) throws(TraceError) -> [Int]? {
    let folder = NSTemporaryDirectory() + "/evict-counts-\(UUID().uuidString)"
    guard mkdir(folder, 0o700) == 0 else {
      throw .io(file: folder, action: "create", byte: 0, code: errno)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let profile = folder + "/callgrind"
    let ending = try ChildProcess(
      [
        // Dictionaries are then laid out as they were the last time.
        "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "-q", "--tool=callgrind",
        "--log-file=\(folder)/log", "--callgrind-out-file=\(profile)",
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
      remedy: "leave out --speed, or see that valgrind works here")
  }
}
