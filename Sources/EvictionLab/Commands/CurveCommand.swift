import ArgumentParser
import Experiments
import Runner
import Traces

/// `evict curve`: miss ratio by capacity.
struct CurveCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "curve",
    abstract: "Miss-ratio curves, and the cheapest capacity.",
    usage: "evict curve <trace> ... [<options>]",
    discussion: """
      Examples:
        evict curve traces/search.txt.zst --policy lru,arc --points 10
        evict curve traces/build.csv.zst --sized --price-per-gib 3.5/month \\
          --cost-per-miss 2e-6 --present 1MiB

      LRU's curve is exact. Others are simulated; of over a million requests a sample of the keys is \
      run (SHARDS). All options: --help-hidden, or man evict.
      """)

  @OptionGroup var traces: TraceOptions

  @OptionGroup var policies: PolicyOptions<LRUCurve>
  @OptionGroup var sizes: CapacityOptions<LRUCurve>

  @Option(
    help: ArgumentHelp(
      "Number of capacities, if none are given.",
      valueName: "n"))
  var points = Count(25)

  @Flag(name: .customLong("exact"), help: "Look at all keys, however long it takes.")
  var isExact = false

  @Option(
    help: ArgumentHelp("The fraction of the keys to sample, such as 0.01.", valueName: "fraction"))
  var rate: Rate?

  @OptionGroup var warmup: WarmupOption
  @OptionGroup var variation: VariationOptions
  @OptionGroup var expiry: ExpiryOption
  @OptionGroup var random: SeedOption

  @OptionGroup var prices: PriceOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var resumption: ResumeOptions
  @OptionGroup var parallel: JobOptions

  func validate() throws {
    if isExact && rate != nil { throw ValidationError("give --exact or --rate, not both") }
    if !(2...1_000).contains(points.value) {
      throw ValidationError("--points \(points) is out of range; give 2 to 1000")
    }
    if variation.sizeSpread != nil {
      throw ValidationError("a curve shows the sizes beside each other; leave out --size-spread")
    }
    try variation.check(warmup)
    // Words that are no capacities are refused later.
    if let text = prices.present, let present = try? prices.presentCapacity(), present.isCount,
      let capacities = try? sizes.capacities(), capacities.isSized
    {
      throw ValidationError(
        "--present \(text) has no unit, and capacities are bytes; give \(present)B, or a unit such as MiB"
      )
    }
  }

  var jobs: Int { parallel.count }
  var mayExpire: Bool { true }
  var mayCountBytes: Bool { true }

  func request() throws -> ExperimentRequest {
    let choices = try policies.policies()
    _ = try prices.presentCapacity()
    let capacities = try sizes.capacities()
    var options = CurvePlan.Options()
    options.points = points.value
    options.rate = isExact ? 1 : rate?.fraction
    let (prices, isSized, warmup) = (prices, capacities.isSized, warmup.requests)
    var request = ExperimentRequest(
      CurveExperiment(options) { trace in
        try prices.price(of: trace, from: warmup, isSized: isSized)
      },
      policies: choices, capacities: capacities.list, seeds: [random.seed],
      settings: ExperimentPlan.Settings(
        isSized: isSized, warmup: warmup, expires: expiry.isOn))
    request.variations = variation.variations
    request.columns.formUnion(prices.columns(isSized: isSized))
    return request
  }
}
