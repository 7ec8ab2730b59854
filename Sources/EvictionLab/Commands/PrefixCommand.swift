import ArgumentParser
import EvictionCore
import Experiments
import Parameters
import Prefixes
import Results
import Runner
import Traces

/// `evict prefix`: policies as caches of prefixes for language models.
struct PrefixCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefix",
    abstract: "Simulate prefix caches of language models.",
    usage: "evict prefix <trace> ... [<options>]",
    discussion: """
      Examples:
        evict prefix mooncake-synthetic.jsonl --policy lru,arc --capacity 10%
        evict prefix prompts/ --policy lru,opt --format html --output prefix.html

      Hits are a prompt's longest resident prefix of blocks. Only ends of chains leave. “opt” is the \
      optimum. Orders (evict policies): \(LeafOrders.all.map(\.information.name).joined(separator: ", ")). All options: --help-hidden, or man evict.
      """)

  @OptionGroup var inputs: TraceOptions
  @OptionGroup var policies: PolicyOptions<EveryPolicy>

  @Option(
    name: .customLong("capacity"),
    help: ArgumentHelp(
      "Blocks (1000), a fraction of all (1%), or bytes (64GiB).", valueName: "list"))
  var capacityTexts = EveryPolicy.capacities

  @OptionGroup var model: ModelOption

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Count as others do.", valueName: "name"))
  var definition = PrefixSetup.Definition.own

  @Flag(help: "Evict any block, as a cache that knows no chains.")
  var free = false

  @Flag(help: "Find lru's hits at every size too, exact, in one pass.")
  var curve = false

  @Option(
    help: ArgumentHelp(
      "Workers, each with a cache of the whole capacity; 1 by default.", valueName: "n",
      visibility: .detail))
  var workers: Count?

  @Option(
    help: ArgumentHelp(
      "Router of prompts to workers; by default sticky where the trace has sessions, else "
        + "round-robin.",
      valueName: "name", visibility: .detail))
  var router: RouterName?

  @Option(
    help: ArgumentHelp(
      "Prices of tokens and memory, a file of JSON: finds costs, and runs caches rented by time to live.",
      valueName: "file", visibility: .detail))
  var prices: String?

  @Option(
    name: .customLong("worker-changes"),
    help: ArgumentHelp(
      "Workers lost and added on the way: lose:worker=2:at=50%,add:at=75%; at counts prompts, "
        + "workers from 0.",
      valueName: "list", visibility: .detail))
  var workerChanges: String?

  @Option(
    help: ArgumentHelp(
      "Tiers below, as in host:capacity=5%,disk:capacity=20%:policy=arc:load=2 (microseconds a "
        + "token).",
      valueName: "list", visibility: .detail))
  var tiers: String?

  @Option(
    help: ArgumentHelp(
      "exclusive, inclusive or write-back; behind it :promotion=second; exclusive by default.",
      valueName: "rules", visibility: .detail))
  var tierRules: RulesOfTiers?

  @Option(
    help: ArgumentHelp(
      "Microseconds to compute a token, for the mean load time with --tiers.", valueName: "n",
      visibility: .detail))
  var compute: Double?

  @OptionGroup var variation: VariationOptions
  @OptionGroup var run: RunOptions
  @OptionGroup var baseline: BaselineOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var resumption: ResumeOptions
  @OptionGroup var parallel: JobOptions

  var jobs: Int { parallel.count }

  /// The traces, those of folders in the place of these.
  var traces: TraceOptions {
    get throws {
      var traces = inputs
      traces.traces = try PromptTraces.files(
        of: inputs.traces, format: inputs.traceFormat, expansion: inputs.expansion.value)
      return traces
    }
  }

  /// The most workers.
  private static let mostWorkers = 1_000

  /// A router on the command line. Its name is known; its parameters are not checked yet.
  struct RouterName: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
      if Routers.named(String(argument.prefix { $0 != ":" })) == nil { return nil }
      text = argument
    }

    static var allValueStrings: [String] { Routers.all.map { $0.information.name } }
  }

  /// The rules between tiers on the command line, such as `exclusive:promotion=second`.
  struct RulesOfTiers: ExpressibleByArgument {
    let rules: TierRules

    init?(argument: String) {
      let promotions = TierRules.Promotion.allCases.map(\.rawValue)
      let parameter = Parameter(
        "promotion", .choice(promotions), default: .text(promotions[0]),
        help: "the hit at which a block below moves up")
      guard let specification = try? Specification(parsing: argument),
        let kind = TierRules.Kind(rawValue: specification.name),
        let arguments = try? specification.arguments(for: [parameter]),
        let promotion = TierRules.Promotion(rawValue: arguments.text("promotion"))
      else { return nil }
      rules = TierRules(kind, promotion: promotion)
    }

    static var allValueStrings: [String] {
      TierRules.Kind.allCases.flatMap { [$0.rawValue, "\($0.rawValue):promotion=second"] }
    }
  }

  func validate() throws {
    try resumption.check(inputs, output)
    try variation.check(run.counting.warmup)
    if let workers, !(1...Self.mostWorkers).contains(workers.value) {
      throw ValidationError(
        "--workers \(workers) is out of range; give 1 to \(Self.mostWorkers)")
    }
    if router != nil && workers == nil {
      throw ValidationError(
        "--router divides prompts among workers; give their number, --workers 4")
    }
    if prices != nil && definition == .kvcacheSimulator {
      throw ValidationError(
        "--as kvcache-simulator counts caches only that are full, and rented ones never are; leave it "
          + "out beside --prices")
    }
    if prices != nil && workerChanges != nil {
      throw ValidationError(
        "--prices are of workers that stay to the end; leave out --worker-changes")
    }
    if workerChanges != nil && workers == nil {
      throw ValidationError(
        "--worker-changes needs the workers at the beginning; give their number, --workers 4")
    }
    do { _ = try setup() } catch { throw ValidationError("\(error)") }
    if workerChanges != nil && curve {
      throw ValidationError("--curve is of one cache; leave out --worker-changes")
    }
    if let workers, curve && workers.value > 1 {
      throw ValidationError("--curve is of one cache; leave out --workers")
    }
    try checkTiers()
    if curve && (free || run.counting.warmup.requests > 0) {
      throw ValidationError(
        "--curve is of caches that keep chains, and of all prompts; "
          + "leave out \(free ? "--free" : "--warmup")")
    }
  }

  /// The rules, with router and changes as results name them.
  private func setup() throws -> PrefixSetup {
    let count = workers?.value ?? 1
    return PrefixSetup(
      definition, residency: free ? .free : .leaves, workers: count,
      router: try router.flatMap { try RouterChoice(parsing: $0.text)?.label },
      workerChanges: try workerChanges.map {
        try WorkerChanges(parsing: $0, workers: count).description
      })
  }

  private func checkTiers() throws {
    if tiers == nil {
      if tierRules != nil || compute != nil {
        throw ValidationError(
          "--\(tierRules != nil ? "tier-rules" : "compute") goes with tiers below the device; give them, "
            + "--tiers host:capacity=5%")
      }
      return
    }
    if let compute, !(compute >= 0 && compute <= 1e6) {
      throw ValidationError("--compute \(compute) is out of range; give 0 to 1000000 microseconds")
    }
    if curve { throw ValidationError("--curve is of one cache; leave out --tiers") }
    if prices != nil { throw ValidationError("--prices are of one cache; leave out --tiers") }
    if free { throw ValidationError("--tiers keep chains; leave out --free") }
    if definition == .kvcacheSimulator {
      throw ValidationError("--as kvcache-simulator is of one cache; leave out --tiers")
    }
  }

  func request() throws -> ExperimentRequest {
    var setup = try setup()
    setup.prices = try promptPrices()
    setup.tiers = tiers
    setup.tierRules = tierRules?.rules ?? TierRules()
    setup.computeTime = compute
    let below = try tiers.map { try TierChoice.parse($0, among: KnownPolicies.all) } ?? []
    let (orders, others) = try LeafOrderChoice.parse(policies.policyTexts)
    // Its hits by every way of counting stand beside those of all others.
    let names = others.flatMap(\.listItems)
    let optimum =
      names.contains("all") && !names.contains("-opt") && !baseline.isOff ? ["opt"] : []
    var request = ExperimentRequest(
      PrefixExperiment(
        setup, bytesPerToken: model.bytes, hasOptimum: !baseline.isOff, orders: orders,
        tiers: below),
      policies: try policies(others + optimum),
      capacities: try Capacity.list(parsing: capacityTexts.joined(separator: ",")),
      seeds: run.seeds, settings: run.counting.settings(isSized: false))
    request.columns = PrefixExperiment.columns
    request.variations = variation.variations
    request.hasReferences = curve || output.showsReferences && !baseline.isOff
    return request
  }

  /// The prices; nil where none are given.
  private func promptPrices() throws -> PromptPrices? {
    guard let prices else { return nil }
    let read = try PromptPrices(reading: Document.bytes(of: prices), file: prices)
    if read.gibHour != nil && model.bytes == nil {
      throw ValidationError(
        "\(prices) has a price of GiB-hours, which depends on the bytes of a token; give --model or "
          + "--bytes-per-token, or leave out its “gibHour”")
    }
    return read
  }

  /// The policies beside the orders, which are known here, too.
  private func policies(_ texts: [String]) throws(PolicyError) -> [PolicyChoice] {
    do throws(PolicyError) {
      return try KnownPolicies.named(texts)
    } catch {
      guard case .unknown(let name, let known) = error else { throw error }
      throw .unknown(name: name, known: known + LeafOrders.all.map(\.information.name))
    }
  }

  /// Leaves out the caches that by the definition had to be full, and were not.
  func finish(_ results: inout ResultSet) {
    let empty = results.measurements.filter { $0.prefix?.prompts == 0 }
    if empty.isEmpty { return }
    results.measurements.removeAll { $0.prefix?.prompts == 0 }
    let cells = empty.map { "\($0.policyLabel) at \($0.capacity)" }.joined(separator: ", ")
    StandardError.say("not full before the first counted prompt, so left out: \(cells)")
  }
}

extension PrefixSetup.Definition: ExpressibleByArgument {}
