import ArgumentParser
import Laboratory
import Traces

/// `evict curve`: miss ratio by capacity.
struct CurveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "curve",
    abstract: "Miss-ratio curves, and the cheapest capacity.",
    usage: "evict curve <trace> ... [<options>]",
    discussion: """
      LRU's curve on objects has all capacities, exact, in one pass by stack distances. Other curves \
      are simulated, a capacity at a time. Of more than a million requests a sample of the keys is \
      looked at (SHARDS; for other policies than LRU miniature simulations), and every miss ratio has \
      a 95 % interval; --exact and --rate say otherwise. Capacities of which a sample holds fewer than \
      ten objects are left out.

      Examples:
        evict curve OLTP.lis.zst
        evict curve OLTP.lis.zst --policy lru,arc --format html --output curve.html
        evict curve web.csv --sized --policy lru,sieve --rate 0.01
        evict curve web.csv --price-per-gib 3.5/30d --cost-per-miss 2e-6
      """)

  @OptionGroup var traces: TraceOptions

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp("Policies, such as lru,arc; all: every one.", valueName: "list"))
  var policyTexts: [String] = ["lru"]

  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Capacities, such as 1000,5% or 64MiB; else from a thousandth to all of the keys.",
      valueName: "list"))
  var capacityTexts: [String] = []

  @Flag(name: .customLong("sized"), help: "Objects count their bytes; else each counts one.")
  var asksForSizes = false

  @Option(help: ArgumentHelp("How many capacities, if none are given.", valueName: "n"))
  var points = Count(25)

  @Flag(name: .customLong("exact"), help: "Look at all keys, however long it takes.")
  var isExact = false

  @Option(help: ArgumentHelp("The share of the keys to look at, such as 0.01.", valueName: "share"))
  var rate: Rate?

  @Option(help: ArgumentHelp("Where every random draw starts from.", valueName: "n"))
  var seed = Count(42)

  @OptionGroup var prices: PriceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var parallel: JobOptions

  func validate() throws {
    if isExact && rate != nil { throw ValidationError("give --exact or --rate, not both") }
    if !(2...1_000).contains(points.value) {
      throw ValidationError("--points \(points) is out of range; give 2 to 1000")
    }
  }

  func run() throws {
    Interruption.install()
    let policies = try PolicyChoice.parse(policyTexts, among: EvictionLabCommand.policies)
    var options = CurvePlan.Options()
    options.capacities =
      capacityTexts.isEmpty ? [] : try Capacity.list(parsing: capacityTexts.joined(separator: ","))
    options.isSized = try SweepPlan.isSized(options.capacities, asked: asksForSizes)
    options.points = points.value
    options.rate = isExact ? 1 : rate?.share
    options.seed = seed.value
    try output.check()
    let columns = SweepPlan.columns(for: policies, isSized: options.isSized)
      .union(prices.columns(isSized: options.isSized))
    var results = ResultSet(environment: .ofThisCommand)
    Interruption.keepWork()
    for path in traces.traces {
      // One trace at a time is in memory.
      guard
        let loaded = try traces.load(
          path, columns: columns, needsChecksum: output.showsChecksums,
          cancellation: Interruption.cancellation)
      else { break }
      let price = try prices.price(of: loaded.trace, isSized: options.isSized)
      let plan = try CurvePlan(loaded.trace, policies: policies, options: options)
      for note in plan.notes { StandardError.say(note) }
      results.traces.append(loaded.summary)
      let line = ProgressLine()
      var curves = try CurveRun(plan).run(
        jobs: parallel.count, cancellation: Interruption.cancellation, progress: { line.show($0) })
      line.clear()
      for index in curves.indices { curves[index].cheapest = price?.cheapest(of: curves[index]) }
      results.curves += curves
    }
    results.isComplete = !Interruption.cancellation.isCancelled
    try output.write(results)
    if !results.isComplete {
      throw Stopped(of: traces.traces.count * policies.count, written: results.curves.count)
    }
  }
}
