import ArgumentParser
import Traces

/// `evict trace generate`: writes a made key stream.
struct TraceGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a generated trace.",
    usage: "evict trace generate <generator> --output <file> [<options>]",
    discussion: """
      Examples:
        evict trace generate zipf:alpha=0.9:keys=1e4:requests=1e5 --output zipf.txt
        evict trace generate --phase zipf:keys=1e3:requests=1e4 \\
          --phase loop:keys=500:requests=5e3 --output phases.txt
        evict trace generate chat:turns=6:requests=1e4 --output chat.jsonl

      A specification is name:key=value:…; evict formats lists generators, times and sizes, evict formats \
      zipf the parameters of one. The same specifications and seed give the same trace on every platform.
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
  var times: String?

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
    let prompts = ((generator.map { [$0] } ?? []) + phase).first(where: PromptGenerators.contains)
    guard let prompts else { return }
    if !phase.isEmpty {
      throw ValidationError("\(prompts) makes prompts, which have no phases; generate it alone")
    }
    if disjoint || times != nil || sizes != nil {
      throw ValidationError(
        "\(prompts) has sessions, with times and lengths of its own; "
          + "leave out --disjoint, --times and --sizes")
    }
  }

  func run() throws {
    Interruption.install()
    let seed = UInt64(bitPattern: Int64(random.seed))
    if let generator, PromptGenerators.contains(generator) {
      let workload = try PromptWorkload(generator, seed: seed)
      try output.checkPrompts()
      try output.write(workload)
      return
    }
    let workload = try SyntheticWorkload(
      phases: generator.map { [$0] } ?? phase, disjoint: disjoint, times: times ?? "periodic",
      sizes: sizes, seed: seed)
    try output.check()
    try output.write(workload)
  }
}
