import ArgumentParser
import Experiments
import Requests
import Results
import Runner
import Traces

/// The options of every command that compares policies with each other and with baselines.
struct ExperimentOptions: ParsableArguments {
  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions<EveryPolicy>
  @OptionGroup var sizes: CapacityOptions<EveryPolicy>
  @OptionGroup var run: RunOptions
  @OptionGroup var expiry: ExpiryOption
  @OptionGroup var baseline: BaselineOptions
  @OptionGroup var explanation: ExplanationOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var resumption: ResumeOptions

  func validate() throws {
    try resumption.check(traces, output)
    if explanation.explain && baseline.isOff {
      throw ValidationError("--explain needs what --no-baselines leaves out")
    }
  }

  /// The request for an experiment of that kind.
  func request(_ kind: any ExperimentKind) throws -> ExperimentRequest {
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    var request = ExperimentRequest(
      kind, policies: choices, capacities: capacities.list, seeds: run.seeds,
      settings: run.counting.settings(isSized: capacities.isSized, expires: expiry.isOn))
    request.baselines = baseline.isOff ? nil : Baselines(explains: explanation.explain)
    request.hasReferences = output.showsReferences && !baseline.isOff
    return request
  }

  /// The options beside those of the settings on which results depend.
  var members: [JSON.Member] {
    [
      JSON.Member("traceFormat", .optional(traces.traceFormat)),
      JSON.Member("limit", .optional(traces.limit?.value)),
      JSON.Member("yardsticks", .boolean(!baseline.isOff)),
      JSON.Member("explain", .boolean(explanation.explain)),
    ]
  }
}

/// The baselines that results are measured against.
struct BaselineOptions: ParsableArguments {
  @Flag(
    name: [.customLong("no-baselines"), .customLong("no-yardstick")],
    help: ArgumentHelp(
      "Do not compare results with FIFO and with the optimum: saves simulating these.",
      visibility: .detail))
  var isOff = false

  func validate() throws { MemoryOptions.baselines.note() }
}

/// The option to explain misses, of the commands whose rows can be explained.
struct ExplanationOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Say for each capacity whether the policy or the working set makes requests miss.",
      visibility: .detail))
  var explain = false
}
