import ArgumentParser
import Laboratory
import Traces

/// Whether a replay checks what a cache returns instead of measuring it.
struct VerificationOptions: ParsableArguments {
  @Flag(
    name: .customLong("verify"),
    help: """
      Measure nothing: stamp every value, set, remove and expire at random between the requests, and \
      judge every value that a get returns.
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

  /// Verifies every cell and writes a table.
  ///
  /// - Throws: ``Failed`` for a value that no cache may return, and ``Stopped``, after the table.
  func run(
    _ session: ReplaySession, _ experiment: ExperimentOptions.Experiment,
    _ options: ExperimentOptions
  ) throws {
    if experiment.plan.settings.isSized {
      throw ValidationError("--verify counts objects; give a capacity without bytes or --sized")
    }
    var table = TextTable([
      TextTable.Column("trace"), TextTable.Column("policy"), TextTable.Column("capacity", .right),
      TextTable.Column("lock"), TextTable.Column("reads"), TextTable.Column("threads", .right),
      TextTable.Column("operations", .right), TextTable.Column("reads judged", .right),
      TextTable.Column("M operations/s", .right), TextTable.Column("violations", .right),
    ])
    let cells = try session.verify(
      seconds: time.map { Double($0.nanoseconds) / 1e9 }, cancellation: Interruption.cancellation)
    for cell in cells {
      let rate = Double(cell.operations) / cell.seconds / 1e4
      let row = [
        cell.trace, cell.policy, "\(cell.capacity)", cell.lock.name, cell.reads.rawValue,
        "\(cell.threads)", "\(cell.operations)", "\(cell.judged)", "\(rate.rounded() / 100)",
        "\(cell.violations.count)",
      ]
      table.append(row.map { TextTable.Cell($0) })
    }
    try options.output.destination.write { _ in table.text() }
    if let cell = cells.last, let violation = cell.violations.first {
      throw Failed(
        description: "\(cell.policy) behind \(cell.lock.name), \(cell.reads.rawValue): \(violation)"
      )
    }
    if cells.count < session.count { throw Stopped(of: session.count, written: cells.count) }
  }
}
