import ArgumentParser
import Experiments
import Results
import Traces

/// `evict speed`: times and instructions of simulations, for the gate.
struct SpeedCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed",
    abstract: "Measure the speed of policies, for evict check.",
    usage: "evict speed <trace> ... [<options>]",
    discussion: """
      Examples:
        evict speed traces/search.txt.zst --policy lru,arc --limit 1e4 --rounds 3
        evict speed traces/search.txt.zst --policy lru --limit 1e4 --rounds 3 \\
          --format json --output now.json

      Each round of a cell lies between two runs of a calibration loop; the ratio of their times compares \
      with another day's. Where valgrind is installed, instructions are counted too. All options: \
      --help-hidden, or man evict.
      """)

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("Rounds of each cell.", valueName: "n"))
  var rounds = Count(20)

  init() {}

  init(_ options: ExperimentOptions, rounds: Count) {
    self.options = options
    self.rounds = rounds
  }

  func validate() throws {
    if !(1...1000).contains(rounds.value) {
      throw ValidationError("\(rounds) rounds are out of range; give 1 to 1000")
    }
    if options.traces.traces.contains("-") {
      throw ValidationError("speed reads a trace twice, and standard input ends; give a file")
    }
  }

  var traces: TraceOptions { options.traces }
  var resumption: ResumeOptions { options.resumption }
  var output: OutputOptions { options.output }

  var needsMemory: Bool { true }

  func request() throws -> ExperimentRequest {
    try options.request(SpeedExperiment(rounds: rounds.value))
  }

  func partition(of request: ExperimentRequest) throws -> Partition? {
    Partition(
      of: request, traces: traces.planned, options: options.members, as: .whole,
      resuming: nil)
  }

  /// Counts the instructions of each row: to lose them is not to lose the times.
  func finish(_ results: inout ResultSet) {
    guard results.isComplete && !results.measurements.isEmpty else { return }
    guard InstructionCounter.isAvailable else {
      return StandardError.say(
        "valgrind is not installed: times are measured, instructions are not")
    }
    let line = ProgressLine()
    defer { line.clear() }
    let count = results.measurements.count
    line.show("counting instructions of \(count) runs")
    do throws(TraceError) {
      let instructions = try InstructionCounter.count(
        arguments: options.sweepArguments, regions: count,
        cancellation: Interruption.cancellation)
      guard let instructions else { return results.isComplete = false }
      for index in results.measurements.indices {
        results.measurements[index].speed?.instructions = instructions[index]
      }
    } catch {
      line.clear()
      StandardError.say("instructions are not measured: \(error)")
    }
  }
}

extension ExperimentOptions {
  /// The command line of a sweep of the same cells, one after the other, without baselines.
  fileprivate var sweepArguments: [String] {
    var arguments = [
      "sweep", "--no-baselines", "--jobs", "1", "--warmup", "\(run.counting.warmup)",
    ]
    arguments += policies.policyTexts.map { "--policy=\($0)" }
    arguments += sizes.capacityTexts.map { "--capacity=\($0)" }
    arguments += run.seed.map { "--seed=\($0)" }
    arguments += ["--expansion", "\(traces.expansion)"]
    if let format = traces.traceFormat { arguments += ["--trace-format", format] }
    if let limit = traces.limit { arguments += ["--limit", "\(limit)"] }
    if sizes.asksForSizes { arguments.append("--sized") }
    if run.counting.countSets { arguments.append("--count-sets") }
    if expiry.isOn { arguments.append("--expire") }
    return arguments + ["--output", "/dev/null", "--"] + traces.traces
  }
}
