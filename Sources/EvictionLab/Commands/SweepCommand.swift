import ArgumentParser
import Foundation
import Laboratory

/// `evict sweep`: hit ratios of policies × capacities × traces, by simulation.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Simulate policies on traces: hit ratios.",
    usage: "evict sweep <trace> ... [<options>]",
    discussion: """
      Runs each policy alone, without a cache around it, on all cores.

      Examples:
        evict sweep OLTP.lis.zst --policy lru,arc --capacity 1000,5000
        evict sweep web.csv --capacity 64MiB,1GiB --format json --output web.json
      """)

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("How many cells run at once; by default the cores.", valueName: "n"))
  var jobs: Count?

  @Option(
    defaultAsFlag: Count(100), parsing: .next,
    help: ArgumentHelp(
      "Look n times in each run, evenly spaced, at what the policy has learned (ARC's p, a learner's "
        + "weights): into “internals” of the JSON document. Without n, put it before another option.",
      valueName: "n"))
  var traceInternals: Count?

  func validate() throws {
    if let jobs, jobs.value < 1 { throw ValidationError("--jobs 0 runs nothing; give 1 or more") }
    if let points = traceInternals, !(1...InternalsSeries.maximumPoints).contains(points.value) {
      throw ValidationError(
        "--trace-internals \(points) is out of range; give 1 to \(InternalsSeries.maximumPoints)")
    }
  }

  func run() throws {
    let experiment = try options.prepare(internalsPoints: traceInternals?.value ?? 0)
    let line = ProgressLine()
    let measurements = try Sweep(experiment.plan).run(
      jobs: jobs?.value ?? ProcessInfo.processInfo.activeProcessorCount,
      cancellation: Interruption.cancellation, progress: { line.show($0) })
    line.clear()
    try options.finish(experiment, measurements)
  }
}
