import Laboratory

/// What `sweep` and `replay` share: traces are loaded, cells planned, run under a progress line, and
/// written, finished or stopped.
struct PreparedRun {
  let plan: SweepPlan
  private let summaries: [TraceSummary]
  private let output: OutputOptions

  /// Checks what can be checked before anything is read, loads the traces, and plans the cells.
  init(
    traces: TraceOptions, policies: PolicyOptions, settings: RunOptions, output: OutputOptions
  ) throws {
    Interruption.install()
    let choices = try policies.policies()
    let capacities = try policies.capacities()
    let isSized = try SweepPlan.isSized(capacities, asked: policies.asksForSizes)
    try output.check()
    let loaded = try traces.load(
      columns: SweepPlan.columns(for: choices, isSized: isSized),
      needsChecksums: output.format.showsChecksums)
    plan = try SweepPlan(
      traces: loaded.map(\.trace), policies: choices, capacities: capacities, seeds: settings.seeds,
      settings: settings.settings(isSized: isSized))
    summaries = loaded.map(\.summary)
    self.output = output
    for note in plan.notes { StandardError.say(note) }
  }

  /// Runs the cells and writes what is finished.
  ///
  /// - Throws: ``Stopped`` after a signal, when the finished cells are written.
  func perform(
    cells: Int,
    _ work: (Cancellation, @escaping @Sendable (SweepProgress) -> Void) throws -> [Measurement]
  ) throws {
    Interruption.keepWork()
    let line = ProgressLine()
    let measurements = try work(Interruption.cancellation) { progress in
      line.show(
        "\(progress.cells) of \(progress.totalCells) cells", rate: progress.requestsPerSecond,
        fraction: progress.fraction, secondsLeft: progress.secondsLeft)
    }
    line.clear()
    let isComplete = measurements.count == cells
    try output.write(
      ResultSet(traces: summaries, measurements: measurements, isComplete: isComplete))
    if !isComplete {
      throw Stopped(description: "stopped; \(measurements.count) of \(cells) cells are written")
    }
  }
}
