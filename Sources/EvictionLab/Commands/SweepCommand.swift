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
    let run = try PreparedRun(
      traces: traces, policies: policies, settings: settings, output: output)
    try run.perform(cells: run.plan.cells.count) { cancellation, progress in
      try Sweep(run.plan).run(jobs: jobs.value, cancellation: cancellation, progress: progress)
    }
  }
}
