import ArgumentParser
import TraceAnalysis
import Traces

/// `evict trace info`: what kind of workload a trace is.
struct TraceInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what kind of workload a trace is.",
    usage: "evict trace info <trace> ... [<options>]",
    discussion: """
      Examples:
        evict trace info traces/orders.txt.zst
        evict trace info traces/build.csv.zst --format html --output build.html

      Popularity, working set, reuse times and distances, scans, sizes, operations, and in one line what \
      they mean for a cache. Reuse distances of more than a million requests are estimated from a sample.
      """)

  @OptionGroup var traces: TraceOptions

  @Flag(name: .customLong("exact"), help: "Count reuse distances exactly, however long it takes.")
  var isExact = false

  @Option(
    help: ArgumentHelp(
      "Replicates that test the popularity fit, 0 for no test; by default 99 for up to 10000 keys.",
      valueName: "n"))
  var replicates: Count?

  @OptionGroup var random: SeedOption

  @Option(help: ArgumentHelp("The form of the report.", valueName: "name"))
  var format = ReportName<TraceReports>()

  @OptionGroup var destination: DestinationOptions

  func validate() throws {
    if let replicates, !(0...100_000).contains(replicates.value) {
      throw ValidationError("--replicates \(replicates) is out of range; give 0 to 100000")
    }
  }

  func run() throws {
    Interruption.install()
    try destination.check(inputs: traces.files)
    var options = TraceProfile.Options()
    options.isExact = isExact
    options.replicates = replicates?.value
    options.seed = random.seed
    var analyses: [TraceProfile] = []
    for place in traces.traces.indices {
      // One trace at a time is in memory.
      let loaded = try load(place)
      let line = ProgressLine()
      defer { line.clear() }
      analyses.append(
        try TraceProfile(loaded.trace, options: options) { done in
          line.show(
            "analysing \(loaded.trace.name)", requests: done,
            fraction: Double(done) / Double(loaded.trace.requests))
        })
    }
    try destination.write { format.form.render(analyses, style: $0) }
  }

  /// Reads a trace, with the prompts of one whose keys are blocks; where only these are wrong, without them.
  private func load(_ place: Int) throws(TraceError) -> TraceOptions.Loaded {
    let columns = TraceProfile.columns
    let loaded = try traces.load(place, columns: columns, needsChecksum: false)
    guard loaded.trace.hasChains,
      TraceLoader.files(ofTrace: traces.traces[place]).allSatisfy(TraceOptions.isRegularFile)
    else { return loaded }
    do {
      return try traces.load(place, columns: columns.union(.prompts), needsChecksum: false)
    } catch {
      if error.kind == .cancelled { throw error }
      StandardError.say("\(error): its prompts are left out")
      return loaded
    }
  }
}
