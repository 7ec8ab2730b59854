import ArgumentParser
import Experiments
import Requests

/// Which requests count.
struct CountingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Requests at the start that are run but not counted.", valueName: "n"))
  var warmup = Count(0)

  @Flag(help: "Sets count as requests, too.")
  var countSets = false

  /// What all runs have in common.
  func settings(
    isSized: Bool, internalsPoints: Int = 0, windows: WindowCut? = nil
  ) -> ExperimentPlan.Settings {
    ExperimentPlan.Settings(
      isSized: isSized, warmup: warmup.value, countsSets: countSets,
      internalsPoints: internalsPoints, windows: windows)
  }
}

/// What every run has in common.
struct RunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Where every random draw starts from; repeat it for more.", valueName: "n"))
  var seed: [Count] = [Count(42)]

  @OptionGroup var counting: CountingOptions

  /// The seeds, each once.
  var seeds: [Int] {
    seed.map(\.value).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
