import ArgumentParser
import EvictionCore
import Experiments
import Parameters
import Results
import Runner
import Synchronization
import TraceAnalysis
import Traces

/// `evict suite`: the ranking of policies over a frozen list of traces.
struct SuiteCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "suite",
    abstract: "Rank policies over many traces.",
    usage: "evict suite [<folder> ...] [<options>]",
    discussion: """
      Examples:
        evict suite --policy lru,sieve,arc --limit 1e4
        evict suite --policy lru,sieve --limit 1e4 --format html --output rank.html
        evict suite traces/ --policy lru,sieve --limit 1e4

      A policy's value at a capacity of a trace is the reduction of the miss ratio against FIFO, from -1 to \
      1, and on a trace the mean over its capacities. With folders, all traces in them are run, each folder \
      a collection. Else those of a frozen list: bundled traces always, public ones where they \
      were fetched: in --folder, in the folder that EVICTIONLAB_TRACES names, or where evict trace fetch \
      puts them. --shard splits the runs over machines; evict sweep --merge joins their documents. Anyone who \
      has a trace needs no ranking: evict sweep.
      """)

  @Argument(
    help: ArgumentHelp("Run all traces in these folders.", valueName: "folder"),
    completion: .directory)
  var collections: [String] = []

  @OptionGroup var policies: PolicyOptions<EveryPolicy>

  @Option(
    help: ArgumentHelp(
      "A list of traces (evictionlab.suite/1); else the tool's own.", valueName: "file"))
  var list: String?

  @Option(
    help: ArgumentHelp("Look for the traces here first; repeat it for more.", valueName: "folder"))
  var folder: [String] = []

  @Option(help: ArgumentHelp("Read only the first requests of each trace.", valueName: "n"))
  var limit: Count?

  @Option(
    help: ArgumentHelp(
      "A miss takes this time of the traces', or of n requests, and policies are ranked by their mean "
        + "latency against FIFO's (evict sweep --delay).",
      valueName: "time|nrequests", visibility: .detail))
  var delay: DelaySpan?

  @OptionGroup var expiry: ExpiryOption
  @OptionGroup var variation: VariationOptions
  @OptionGroup var sharing: ShardOption
  @OptionGroup var parallel: JobOptions
  @OptionGroup var resumption: ResumeOptions
  @OptionGroup var form: OutputOptions

  func validate() throws {
    MemoryOptions.limit.note()
    if !collections.isEmpty && (list != nil || !folder.isEmpty) {
      throw ValidationError(
        "the traces of \(collections[0]) are run, and no list; leave out --list and --folder")
    }
    if limit?.value == 0 { throw ValidationError("--limit 0 reads nothing; give 1 or more") }
    if delay != nil && (expiry.isOn || variation.variations != .none) {
      let name = expiry.isOn ? "--expire" : "--jitter, --offset and --size-spread"
      throw ValidationError("--delay does not go with \(name); leave one out")
    }
    try resumption.checkForm(form)
  }

  /// The output; partitions write results documents, unless another form is given.
  var output: OutputOptions {
    var output = form
    if sharing.prefersDocument || resumption.resume { output.preferDocument() }
    return output
  }

  var jobs: Int { parallel.count }
  var writesPlans: Bool { output.isDocument }
  var mayExpire: Bool { true }

  var traces: TraceOptions {
    get throws { TraceOptions(paths: try files(of: suite()).found.map(\.path), limit: limit) }
  }

  var otherInputs: [String] { list.map { [$0] } ?? [] }

  /// The lists that were read, by name: a pipe is read once.
  private static let lists = Mutex<[String: [UInt8]]>([:])

  /// The traces of folders, by the folders: each file is read once for its checksum.
  private static let folders = Mutex<[[String]: TraceList]>([:])

  private func suite() throws -> TraceList {
    if !collections.isEmpty {
      return try SuiteCommand.folders.withLock { known in
        if let suite = known[collections] { return suite }
        let suite = try TraceList.traces(in: collections) { path, reason in
          StandardError.say("not run: \(reason)")
        }
        known[collections] = suite
        return suite
      }
    }
    guard let list else { return try .bundled() }
    let bytes = try SuiteCommand.lists.withLock { known in
      let bytes = try known[list] ?? Document.bytes(of: list)
      known[list] = bytes
      return bytes
    }
    return try TraceList(reading: bytes, file: list)
  }

  /// Further forms in a ranking of all policies: the original's code of S3-FIFO, and LRU that admits an object
  /// at its second request (B-LRU).
  private static let forms: [Specification] = [
    "s3fifo:form=libcachesim:fill=main", "lru:admission=bloom",
  ]

  /// The policies; templates only where they are named.
  private func contenders() throws(PolicyError) -> [PolicyChoice] {
    var choices = try policies.policies()
    // `all` stands for policies that are not named.
    if choices.allSatisfy(\.isNamed) {
      // Capacities are those of the list: a policy is left out of a trace that is too small for it, as of `all`.
      return try choices.map { (choice) throws(PolicyError) in
        try PolicyChoice(choice.specification, among: KnownPolicies.all, isNamed: false)
      }
    }
    choices.removeAll { !$0.isNamed && $0.information.isTemplate }
    // Misses that take time are of policies alone.
    let forms = SuiteCommand.forms.filter { form in
      delay == nil || !form.given.contains { $0.key == "admission" }
    }
    for form in forms {
      let choice = try PolicyChoice(form, among: KnownPolicies.all, isNamed: false)
      if !choices.contains(where: { $0.label == choice.label }) { choices.append(choice) }
    }
    return choices
  }

  private func files(of suite: TraceList) throws -> FoundTraces {
    try FoundTraces(suite, folders: folder)
  }

  func request() throws -> ExperimentRequest {
    let suite = try suite()
    let missing = try files(of: suite).missing.map(\.name)
    if !missing.isEmpty {
      StandardError.say(
        "not there and not run: \(missing.joined(separator: ", ")); evict trace fetch brings them")
    }
    let entries = suite.entries.reduce(into: [:]) { $0[$1.name] = $1 }
    var request = ExperimentRequest(
      SuiteExperiment(list: suite.sha256, missing: missing) { trace in
        guard let entry = entries[trace.name] else { preconditionFailure("a trace of the list") }
        return try SuiteTrace(trace, entry)
      },
      policies: try contenders(), capacities: suite.capacities,
      settings: ExperimentPlan.Settings(expires: expiry.isOn))
    request.baselines = Baselines()
    request.variations = variation.variations
    request.settings.delay = delay?.delay
    if case .time = delay?.delay { request.columns.insert(.times) }
    return request
  }

  func partition(of request: ExperimentRequest) throws -> Partition? {
    let suite = try suite()
    let files = try files(of: suite)
    let partition = Partition(
      of: request,
      traces: files.found.map {
        PlanRecord.Trace(
          name: $0.entry.name, bytes: limit == nil ? TraceOptions.bytes(of: $0.path) : nil)
      },
      options: [
        JSON.Member("list", .string(suite.sha256)),
        JSON.Member("limit", .optional(limit?.value)),
      ], as: sharing.partition,
      resuming: try resumption.earlierResults(form),
      acceptsOtherBuild: resumption.acceptOtherBuild)
    try files.check(partition.part.traces)
    return partition
  }
}

extension SuiteTrace {
  /// A trace of a list: the class of its workload, and the checksum of its requests.
  fileprivate init(_ trace: Trace, _ entry: TraceList.Entry) throws(TraceError) {
    let line = ProgressLine()
    defer { line.clear() }
    var options = TraceProfile.Options()
    // The test of the popularity fit decides no class.
    options.replicates = 0
    let profile = try TraceProfile(trace, options: options) { done in
      line.show(
        "analysing \(trace.name)", requests: done,
        fraction: Double(done) / Double(trace.requests))
    }
    self.init()
    name = entry.name
    group = entry.group
    collection = entry.collection
    isGenerated = entry.isGenerated
    pattern = profile.reading.pattern.rawValue
    stability = profile[Drift.self]?.stability?.rawValue
    order = profile[RequestOrder.self]?.repetition?.rawValue
    requests = trace.requestChecksum
  }
}
