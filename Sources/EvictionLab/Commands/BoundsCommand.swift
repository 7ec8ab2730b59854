import ArgumentParser
import Experiments
import Runner

/// `evict bounds`: how much any policy could hit.
struct BoundsCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounds",
    abstract: "Bound what any policy could hit.",
    usage: "evict bounds <trace> ... [<options>]",
    discussion: """
      Examples:
        evict bounds traces/orders.txt.zst --capacity 1%,10%
        evict bounds traces/build.csv.zst --sized --capacity 1%

      Where every object counts one, both bounds are the optimum (Belady's MIN). In bytes the optimum lies \
      between a schedule that was found and what no schedule can exceed (Berger et al., SIGMETRICS \
      2018). The optimum may refuse newcomers. All options: --help-hidden, or man evict.
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
