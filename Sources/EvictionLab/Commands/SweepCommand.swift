import ArgumentParser
import Foundation
import Laboratory

/// `evict sweep`: hit ratios of policies × capacities × traces, by simulation.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Simulates policies at capacities on traces: hit ratios.",
    discussion: """
      Runs each policy alone, without a cache around it, on all cores.

      Examples:
        evict sweep OLTP.lis.zst --policy lru,arc --capacity 1000,5000
        evict sweep web.csv --capacity 64MiB,1GiB --policy all --format json --output web.json
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions
  @OptionGroup var settings: RunOptions

  @Option(help: ArgumentHelp("Cells that run at once; by default the cores.", valueName: "n"))
  var jobs = Count(ProcessInfo.processInfo.activeProcessorCount)

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if jobs.value < 1 { throw ValidationError("--jobs 0 runs nothing; give at least 1") }
  }

  func run() throws {
    Interruption.install()
    let choices = try policies.policies()
    let capacities = try policies.capacities()
    let isSized = try SweepPlan.isSized(capacities, asked: policies.asksForSizes)
    try output.check()
    let loaded = try traces.load(
      columns: SweepPlan.columns(for: choices, isSized: isSized),
      needsChecksums: output.format.showsChecksums)
    let plan = try SweepPlan(
      traces: loaded.map(\.trace), policies: choices, capacities: capacities, seeds: settings.seeds,
      settings: settings.settings(isSized: isSized))
    for note in plan.notes { StandardError.say(note) }

    Interruption.keepWork()
    let line = ProgressLine()
    let measurements = try Sweep(plan).run(
      jobs: jobs.value, cancellation: Interruption.cancellation
    ) { progress in
      line.show(
        "\(progress.cells) of \(progress.totalCells) cells", rate: progress.requestsPerSecond,
        fraction: progress.fraction, secondsLeft: progress.secondsLeft)
    }
    line.clear()
    let isComplete = measurements.count == plan.cells.count
    try output.write(
      ResultSet(
        traces: loaded.map(\.summary), measurements: measurements, isComplete: isComplete))
    if !isComplete {
      throw Stopped(
        description: "stopped; \(measurements.count) of \(plan.cells.count) cells are written")
    }
  }
}
