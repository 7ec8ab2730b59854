import ArgumentParser
import Experiments
import Foundation
import Parameters
import Requests
import Runner

/// The option that leaves the start of a trace out of the count.
struct WarmupOption: ParsableArguments {
  @Option(
    name: .customLong("warmup"),
    help: ArgumentHelp(
      "Requests at the start that are run but not counted.", valueName: "n", visibility: .detail))
  var count = Count(0)

  var requests: Int { count.value }
}

/// The requests that count.
struct CountingOptions: ParsableArguments {
  @OptionGroup var warmup: WarmupOption

  @Flag(help: ArgumentHelp("Sets count as requests, too.", visibility: .detail))
  var countSets = false

  /// The settings that all cells have in common.
  func settings(isSized: Bool, expires: Bool = false) -> ExperimentPlan.Settings {
    ExperimentPlan.Settings(
      isSized: isSized, warmup: warmup.requests, countsSets: countSets, expires: expires)
  }
}

/// The seeds, and the requests that count.
struct RunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Random seed; of more, each makes a run.", valueName: "n,…", visibility: .detail))
  var seed = [Counts([42])]

  @OptionGroup var counting: CountingOptions

  /// The seeds, each once.
  var seeds: [Int] { seed.flatMap(\.values).unique }
}

/// The option that has objects leave when their time to live is over.
struct ExpiryOption: ParsableArguments {
  @Flag(
    name: .customLong("expire"),
    help: ArgumentHelp(
      "Objects leave when the trace's time to live is over: a request after that misses.",
      visibility: .detail))
  var isOn = false
}

/// The seed of every random draw.
struct SeedOption: ParsableArguments {
  @Option(name: .customLong("seed"), help: ArgumentHelp("Random seed.", valueName: "n"))
  var count = Count(42)

  var seed: Int { count.value }
}

/// The number of cells that run at once.
struct JobOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Cells that run at once; by default one a core.", valueName: "n"))
  var jobs: Count?

  func validate() throws {
    if let jobs, jobs.value < 1 { throw ValidationError("--jobs 0 runs nothing; give 1 or more") }
  }

  /// The number of cells; by default that of the cores.
  var count: Int { jobs?.value ?? ProcessInfo.processInfo.activeProcessorCount }
}
