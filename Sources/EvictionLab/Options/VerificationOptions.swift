import ArgumentParser
import Laboratory
import Traces

/// Whether a replay checks what a cache returns instead of measuring it.
struct VerificationOptions: ParsableArguments {
  @Flag(
    name: .customLong("verify"),
    help: """
      Measure nothing: stamp every value, set, insert, load, remove, expire, trim and change the limit at \
      random between the requests, and judge every value that is returned.
      """)
  var isAsked = false

  @Option(
    name: .customLong("verify-for"),
    help: ArgumentHelp(
      "Verify each cell so long, over and over (90, 10min, 1h); else one pass.", valueName: "time"))
  var time: TimeSpan?

  func validate() throws {
    if time != nil && !isAsked { throw ValidationError("--verify-for needs --verify") }
    if let time, time.nanoseconds == 0 { throw ValidationError("--verify-for 0 verifies nothing") }
  }

  /// How many threads use a cache where nobody says: one alone would prove little.
  static let threads = 4

  /// The forms of the result.
  private static let formats = ["table", "json"]

  /// Refuses what says nothing where nothing is measured.
  ///
  /// - Parameter measuring: The options for measurements that were given.
  func check(_ output: OutputOptions, measuring: [String]) throws(ValidationError) {
    if !measuring.isEmpty {
      throw ValidationError(
        "--verify measures nothing; leave out \(measuring.joined(separator: ", "))")
    }
    if !VerificationOptions.formats.contains(output.name) {
      throw ValidationError(
        "--verify has no form \(output.name); give \(VerificationOptions.formats.joined(separator: " or "))"
      )
    }
  }

  /// Verifies every cell and writes what was found.
  ///
  /// - Throws: ``Failed`` for a value that no cache may return, and ``Stopped``, after writing.
  func run(
    _ session: ReplaySession, _ experiment: ExperimentOptions.Experiment, _ output: OutputOptions
  ) throws {
    if experiment.plan.settings.isSized {
      throw ValidationError("--verify counts objects; give capacities in objects, without --sized")
    }
    let line = ProgressLine()
    let cells = try session.verify(
      seconds: time.map { Double($0.nanoseconds) / 1e9 }, cancellation: Interruption.cancellation,
      progress: { line.show($0) })
    line.clear()
    let report = VerificationReport(
      cells, traces: experiment.traces,
      isComplete: cells.count == session.count && !Interruption.cancellation.isCancelled,
      environment: .ofThisCommand)
    try output.destination.write { style in
      output.name == "json" ? report.document : report.table.text(style: style)
    }
    if let violation = report.violation { throw Failed(description: violation) }
    if !report.isComplete { throw Stopped(of: session.count, written: cells.count) }
  }
}
