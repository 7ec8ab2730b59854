import ArgumentParser
import Experiments

/// `evict bounds`: how much any policy could hit.
struct BoundsCommand: ExperimentCommand {
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
  @OptionGroup var sizes: CapacityOptions<EveryPolicy>
  @OptionGroup var counting: CountingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var resumption: ResumeOptions
  @OptionGroup var parallel: JobOptions

  var jobs: Int { parallel.count }

  func request() throws -> ExperimentRequest {
    let capacities = try sizes.capacities()
    var request = ExperimentRequest(
      BoundsExperiment(), policies: BoundsExperiment.policies, capacities: capacities.list,
      settings: counting.settings(isSized: capacities.isSized))
    request.columns.remove(.costs)
    return request
  }
}
