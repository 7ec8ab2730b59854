import ArgumentParser
import Traces

/// `evict trace generate`: writes a made key stream.
struct TraceGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a generated trace.",
    usage: "evict trace generate <generator> | --phase <generator> ... --output <file>",
    discussion: """
      The same specifications and seed give the same trace on every platform. A specification is \
      a name and parameters, name:key=value:…; evict formats lists the generators, times and \
      sizes, and evict formats zipf the parameters of one. Phases follow each other over one \
      space of keys from 0 on; with --disjoint the keys of each follow those of the one before.

      Examples:
        evict trace generate zipf:alpha=1.0:keys=1e6:requests=1e7 \\
          --output zipf.oracleGeneral.zst
        evict trace generate --phase zipf:alpha=0.9:keys=1e6:requests=5e6 \\
          --phase loop:keys=1000:requests=1e5 --times poisson:rate=1000 \\
          --sizes lognormal:mean=4096:sigma=1 --output x.oracleGeneral.zst
      """)

  @Argument(help: "A generator with its parameters, such as zipf:alpha=0.9:keys=1e5.")
  var generator: String?

  @Option(help: ArgumentHelp("A generator; repeat it for more phases.", valueName: "generator"))
  var phase: [String] = []

  @Flag(help: "The phases have no key in common.")
  var disjoint = false

  @Option(
    help: ArgumentHelp(
      "Times of requests, such as poisson:rate=1000; else periodic, 1000 a second.",
      valueName: "name"))
  var times = "periodic"

  @Option(
    help: ArgumentHelp(
      "Sizes of objects, such as pareto:min=1KiB; else the size of each generator.",
      valueName: "name"))
  var sizes: String?

  @OptionGroup var output: TraceOutputOptions

  @OptionGroup var random: SeedOption

  func validate() throws {
    if (generator == nil) == phase.isEmpty {
      throw ValidationError("give one generator, or phases with --phase")
    }
  }

  func run() throws {
    Interruption.install()
    let workload = try SyntheticWorkload(
      phases: generator.map { [$0] } ?? phase, disjoint: disjoint, times: times, sizes: sizes,
      seed: UInt64(bitPattern: Int64(random.seed)))
    try output.check()
    try output.write(workload)
  }
}
