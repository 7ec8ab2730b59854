import ArgumentParser
import Laboratory
import Traces

/// What every command shares that runs policies at capacities on traces.
///
///     let experiment = try options.prepare()
///     let measurements = …  // run experiment.plan.cells
///     try options.finish(experiment, measurements)
struct ExperimentOptions: ParsableArguments {
  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var sizes: CapacityOptions
  @OptionGroup var run: RunOptions
  @OptionGroup var yardstick: YardstickOptions
  @OptionGroup var output: OutputOptions

  /// What is to be run, and what the results say of its traces.
  struct Experiment {
    let plan: SweepPlan
    let traces: [TraceSummary]
    /// What the results are measured against.
    let yardsticks: Yardsticks?
  }

  /// Checks the options, reads the traces, plans the cells, and takes over the signals: from then on
  /// the first one cancels ``Interruption/cancellation``.
  ///
  /// - Parameters:
  ///   - internalsPoints: At how many points of each run to look at what the policy learned.
  ///   - windows: How each run is cut into windows that are counted one by one.
  ///   - columns: What is read of the traces beside what the policies need.
  func prepare(
    internalsPoints: Int = 0, windows: WindowCut? = nil, columns: TraceColumns = []
  ) throws -> Experiment {
    Interruption.install()
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    let isSized = try SweepPlan.isSized(capacities, asked: sizes.asksForSizes)
    try output.check()
    var columns = SweepPlan.columns(for: choices, isSized: isSized).union(columns)
    if case .time = windows { columns.insert(.times) }
    let loaded = try traces.load(columns: columns, needsChecksums: output.showsChecksums)
    let plan = try SweepPlan(
      traces: loaded.map(\.trace), policies: choices, capacities: capacities, seeds: run.seeds,
      settings: run.counting.settings(
        isSized: isSized, internalsPoints: internalsPoints, windows: windows))
    for note in plan.notes { StandardError.say(note) }
    Interruption.keepWork()
    return Experiment(
      plan: plan, traces: loaded.map(\.summary), yardsticks: yardstick.yardsticks(of: plan))
  }

  /// Writes what was measured.
  ///
  /// - Parameter planned: How many measurements the whole work has; by default one per cell.
  /// - Throws: ``Stopped`` after writing, when some are missing.
  func finish(
    _ experiment: Experiment, _ measurements: [Measurement], planned: Int? = nil
  ) throws {
    let planned = planned ?? experiment.plan.cells.count
    let isComplete = measurements.count == planned
    try output.write(
      ResultSet(
        environment: .ofThisCommand, traces: experiment.traces, measurements: measurements,
        references: isComplete ? references(of: experiment.plan) : [],
        explanations: yardstick.explain
          ? experiment.yardsticks?.explanations(of: measurements) ?? [] : [],
        isComplete: isComplete))
    if !isComplete { throw Stopped(of: planned, written: measurements.count) }
  }

  /// Exact LRU at all sizes of each trace, where the report shows it and the results compare with it.
  private func references(of plan: SweepPlan) -> [MissRatioCurve] {
    let isComparable = !plan.settings.isSized && plan.settings.warmup == 0
    if !output.showsReferences || yardstick.isOff || !isComparable { return [] }
    return plan.traces.compactMap { trace in
      MissRatioCurve.lru(of: trace) { _ in !Interruption.cancellation.isCancelled }
    }
  }
}
