import ArgumentParser
import Experiments
import Results
import Runner
import Traces

/// `evict speed`: times and instructions of policies, for the gate.
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

      Each policy runs in up to three forms, a row each: alone (policy), inside MemoryCache on one thread \
      (cache), and where sweeps have its plain gets counted by a loop instead, that loop (theorem). Each \
      round lies between two runs of a calibration loop; the ratio of their times compares with another \
      day's. Where valgrind is installed, instructions are counted too. All options: --help-hidden, or \
      man evict.
      """)

  @OptionGroup var options: ExperimentOptions

  @Option(help: ArgumentHelp("Rounds of each cell.", valueName: "n"))
  var rounds = Count(20)

  /// Runs each cell once and writes nothing: the run whose instructions are counted.
  @Flag(help: ArgumentHelp("Run each cell once, and write nothing.", visibility: .private))
  var countOnly = false

  func validate() throws {
    if !(1...1000).contains(rounds.value) {
      throw ValidationError("\(rounds) rounds are out of range; give 1 to 1000")
    }
    if options.traces.traces.contains("-") {
      throw ValidationError("speed reads a trace twice, and standard input ends; give a file")
    }
  }

  var traces: TraceOptions { options.traces }

  var resumption: ResumeOptions {
    var resumption = options.resumption
    if countOnly { resumption.resume = false }
    return resumption
  }

  var output: OutputOptions {
    var output = options.output
    if countOnly { output.destination.output = "/dev/null" }
    return output
  }

  func request() throws -> ExperimentRequest {
    var request = try options.request(
      SpeedExperiment(rounds: countOnly ? 1 : rounds.value, isTimed: !countOnly))
    if countOnly {
      request.baselines = nil
      request.hasReferences = false
    }
    return request
  }

  func partition(of request: ExperimentRequest) throws -> Partition? {
    Partition(
      of: request, traces: traces.planned, options: options.members, as: .whole,
      resuming: nil)
  }

  /// Counts the instructions of each row: to lose them is not to lose the times.
  func finish(_ results: inout ResultSet) {
    guard !countOnly && results.isComplete && !results.measurements.isEmpty else { return }
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
        arguments: SpeedCommand.countingArguments, regions: count,
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

  /// This very command line, as one whose instructions are counted.
  private static var countingArguments: [String] {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let name = arguments.firstIndex { $0 == configuration.commandName } ?? 0
    arguments.insert("--count-only", at: name + 1)
    return arguments
  }
}
