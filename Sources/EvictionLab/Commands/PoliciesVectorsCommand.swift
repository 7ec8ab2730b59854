import ArgumentParser
import Experiments
import Runner
import Traces

/// `evict policies vectors`: what the policies do, for other implementations to compare with.
struct PoliciesVectorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vectors",
    abstract: "Write test vectors: hits and hashes of the evictions.",
    usage: "evict policies vectors <trace> ... [<options>]",
    discussion: """
      Examples:
        evict policies vectors traces/search.txt.zst --policy lru --capacity 500
        evict policies vectors traces/search.txt.zst --policy all --capacity 50 \\
          --limit 1e4 --output vectors.json

      A vector holds the hits of a policy on a trace, and who leaves in which order: hashes (FNV-1a, 64 \
      bits) of the first eighth of the evictions, the first quarter, and so on. Keys are numbered by their \
      first appearance, 32 bits little-endian each. All options: --help-hidden, or man evict.
      """)

  @OptionGroup var traces: TraceOptions
  @OptionGroup var policies: PolicyOptions<EveryPolicy>
  @OptionGroup var sizes: CapacityOptions<EveryPolicy>

  @OptionGroup var random: SeedOption

  @Flag(help: "Write every eviction, so that a divergence can be named exactly.")
  var sequence = false

  @Option(help: ArgumentHelp("The file to write; else standard output.", valueName: "file"))
  var output: String?

  func run() throws {
    Interruption.install()
    try OutputFile.check(
      output ?? "-", .document(schema: TestVectorDocument.schema), inputs: traces.files)
    let choices = try policies.policies()
    let capacities = try sizes.capacities()
    let loaded = try traces.load(
      columns: ExperimentPlan.columns(for: choices, isSized: capacities.isSized)
        .subtracting([.operations, .costs]),
      needsChecksums: false)
    let plan = try ExperimentPlan(
      traces: loaded.map(\.trace), policies: choices, capacities: capacities.list,
      seeds: [random.seed], settings: ExperimentPlan.Settings(isSized: capacities.isSized))
    for note in plan.notes { StandardError.say(note) }
    let vectors = try TestVector.record(
      plan, traceFormat: traces.traceFormat, keepsSequence: sequence)
    try WholeFile.write(TestVectorDocument.text(vectors), to: output ?? "-")
  }
}
