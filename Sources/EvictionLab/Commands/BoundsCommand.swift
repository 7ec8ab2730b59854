import ArgumentParser
import Foundation
import Laboratory

/// `evict bounds`: how much any policy could hit.
struct BoundsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounds",
    abstract: "Bound what any policy could hit.",
    usage: "evict bounds <trace> ... [<options>]",
    discussion: """
      Where every object counts one, the optimum is known (Belady's MIN), and both bounds are equal. \
      In bytes the optimum's hit ratio, and the byte hit ratio of the optimum for bytes, lie between \
      a schedule that was found and what no schedule can exceed (Berger et al., SIGMETRICS 2018). \
      The optimum may refuse newcomers.

      Examples:
        evict bounds OLTP.lis.zst --capacity 1000,5000
        evict bounds web.csv --capacity 64MiB,1GiB --format json
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var sizes: CapacityOptions
  @OptionGroup var counting: CountingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var parallel: JobOptions

  func run() throws {
    Interruption.install()
    let capacities = try sizes.capacities()
    let isSized = try SweepPlan.isSized(capacities, asked: sizes.asksForSizes)
    try output.check()
    let loaded = try traces.load(
      columns: isSized ? [.operations, .sizes] : .operations,
      needsChecksums: output.showsChecksums)
    let plan = try BoundsRun.plan(
      traces: loaded.map(\.trace), capacities: capacities,
      settings: counting.settings(isSized: isSized))
    Interruption.keepWork()
    let line = ProgressLine()
    let measurements = BoundsRun(plan).run(
      jobs: parallel.count, cancellation: Interruption.cancellation
    ) { line.show("\($0) of \(plan.cells.count) cells") }
    line.clear()
    let isComplete = measurements.count == plan.cells.count
    try output.write(
      ResultSet(
        environment: .ofThisCommand, traces: loaded.map(\.summary), measurements: measurements,
        isComplete: isComplete))
    if !isComplete { throw Stopped(of: plan.cells.count, written: measurements.count) }
  }
}
