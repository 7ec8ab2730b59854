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
    /// What is left to be run.
    let plan: SweepPlan
    let traces: [TraceSummary]
    /// What the results are measured against.
    let yardsticks: Yardsticks?
    /// What the results say of the sweep.
    let summary: PlanSummary
    /// What was there already; nil for nothing.
    let held: HeldCells?
  }

  /// Checks the options, reads the traces, plans the cells, and takes over the signals: from then on
  /// the first one cancels ``Interruption/cancellation``.
  ///
  /// - Parameters:
  ///   - internalsPoints: At how many points of each run to look at what the policy learned.
  ///   - windows: How each run is cut into windows that are counted one by one.
  ///   - columns: What is read of the traces beside what the policies need.
  ///   - share: The share of the cells that is planned, and of whose traces alone are read.
  ///   - earlier: Results whose cells are not run again, and what messages call them.
  func prepare(
    internalsPoints: Int = 0, windows: WindowCut? = nil, columns: TraceColumns = [],
    share: SweepShare = .whole, resuming earlier: (file: String, results: ResultSet)? = nil
  ) throws -> Experiment {
    Interruption.install()
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    let isSized = try SweepPlan.isSized(capacities, asked: sizes.asksForSizes)
    try output.check()
    var columns = SweepPlan.columns(for: choices, isSized: isSized).union(columns)
    if case .time = windows { columns.insert(.times) }
    let settings = run.counting.settings(
      isSized: isSized, internalsPoints: internalsPoints, windows: windows)
    try SweepPlan.checkNames(traces.names)
    var summary = PlanSummary(
      traces: traces.names, capacities: capacities, policies: choices, seeds: run.seeds,
      options: settings.members + members)
    let part = summary.part(share)
    let loaded = try traces.load(
      part.traces, columns: columns, needsChecksums: output.showsChecksums)
    var plan = try SweepPlan(
      traces: loaded.map(\.trace), policies: choices, capacities: capacities, seeds: run.seeds,
      settings: settings, part: part)
    summary.record(plan, as: share)
    for note in plan.notes { StandardError.say(note) }
    let held = try earlier.map { file, results in
      try HeldCells(of: plan, summary, traces: loaded.map(\.summary), in: results, file: file)
    }
    if let held { plan = plan.without(held.positions) }
    Interruption.keepWork()
    return Experiment(
      plan: plan, traces: loaded.map(\.summary), yardsticks: yardstick.yardsticks(of: plan),
      summary: summary, held: held)
  }

  /// The options beside those of the settings on which results depend.
  private var members: [JSON.Member] {
    [
      JSON.Member("traceFormat", .optional(traces.traceFormat)),
      JSON.Member("limit", .optional(traces.limit?.value)),
      JSON.Member("yardsticks", .boolean(!yardstick.isOff)),
      JSON.Member("explain", .boolean(yardstick.explain)),
    ]
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
    try write(
      ResultSet(
        environment: .ofThisCommand, traces: experiment.traces, measurements: measurements,
        isComplete: isComplete), of: experiment)
    if !isComplete { throw Stopped(of: planned, written: measurements.count) }
  }

  /// Writes a share of a sweep, together with what was there already.
  ///
  /// - Parameter lacksSpeed: Whether the work was stopped before all of the cells' speed was measured.
  /// - Throws: ``Stopped`` after writing, when something is missing.
  func finishSweep(
    _ experiment: Experiment, _ measurements: [Measurement], lacksSpeed: Bool = false
  ) throws {
    let all = experiment.summary.inOrder(measurements + (experiment.held?.measurements ?? []))
    let planned = experiment.summary.shares.reduce(0) { $0 + $1.cells }
    let isComplete = all.count == planned && !lacksSpeed
    try write(
      ResultSet(
        // Where it was written, and what was there, is not what was measured.
        environment: .ofThisCommand(without: ["--output", "--format"], flags: ["--resume"]),
        traces: experiment.traces, measurements: all, plan: experiment.summary,
        isComplete: isComplete), of: experiment)
    if !isComplete { throw Stopped(of: planned, written: all.count, lacksSpeed: lacksSpeed) }
  }

  /// Writes results with what they are compared with.
  private func write(_ results: ResultSet, of experiment: Experiment) throws(TraceError) {
    var results = results
    if results.isComplete { results.references = references(of: experiment) }
    if let yardsticks = experiment.yardsticks, yardstick.explain {
      results.explanations = experiment.summary.inOrder(
        (experiment.held?.explanations ?? []) + yardsticks.explanations(of: results.measurements))
    }
    try output.write(results)
  }

  /// Exact LRU at all sizes of each trace, where the report shows it and the results compare with it: it
  /// counts every get, and no set.
  private func references(of experiment: Experiment) -> [MissRatioCurve] {
    let plan = experiment.plan
    let isComparable = !plan.settings.isSized && plan.settings.warmup == 0
    if !output.showsReferences || yardstick.isOff || !isComparable { return [] }
    return plan.traces.indices.filter(plan.holdsStart(ofTrace:)).compactMap { place in
      let trace = plan.traces[place]
      if plan.settings.countsSets && trace.operations != nil { return nil }
      return experiment.held?.references.first { $0.trace == trace.name }
        ?? MissRatioCurve.lru(of: trace) { _ in !Interruption.cancellation.isCancelled }
    }
  }
}
