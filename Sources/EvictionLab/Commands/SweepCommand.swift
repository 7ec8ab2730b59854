import ArgumentParser
import Laboratory

/// `evict sweep`: hit ratios of policies × capacities × traces, by simulation.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Simulate policies on traces: hit ratios.",
    usage: "evict sweep <trace> ... [<options>]",
    discussion: """
      Runs each policy alone, without a cache around it, on all cores.

      Each result says how far it is from FIFO and from the optimum (Belady's MIN, where every \
      object counts one); --explain says what that means.

      Examples:
        evict sweep OLTP.lis.zst --policy lru,arc --capacity 1000,5000
        evict sweep OLTP.lis.zst --policy lru,opt --capacity 1% --explain
        evict sweep web.csv --capacity 64MiB,1GiB --format json --output web.json
      """)

  @OptionGroup var options: ExperimentOptions

  @OptionGroup var parallel: JobOptions

  @Option(
    defaultAsFlag: Count(100), parsing: .next,
    help: ArgumentHelp(
      "Look n times in each run, evenly spaced, at what the policy has learned (ARC's p, a learner's "
        + "weights): into “internals” of the JSON document. Without n, put it before another option.",
      valueName: "n"))
  var traceInternals: Count?

  @Option(
    help: ArgumentHelp(
      "Count each run window by window: 100 windows of equally many requests, or windows of a time "
        + "(10min): into “windows” of the JSON document.", valueName: "n"))
  var windows: WindowWidth?

  func validate() throws {
    if let points = traceInternals, !(1...InternalsSeries.maximumPoints).contains(points.value) {
      throw ValidationError(
        "--trace-internals \(points) is out of range; give 1 to \(InternalsSeries.maximumPoints)")
    }
  }

  func run() throws {
    let experiment = try options.prepare(
      internalsPoints: traceInternals?.value ?? 0, windows: windows?.cut)
    let line = ProgressLine()
    let measurements = try Sweep(experiment.plan, yardsticks: experiment.yardsticks).run(
      jobs: parallel.count, cancellation: Interruption.cancellation, progress: { line.show($0) })
    line.clear()
    try options.finish(experiment, measurements)
  }
}
