import ArgumentParser
import Experiments
import Parameters
import Results
import Runner
import Traces

/// `evict sweep`: hit ratios of policies × capacities × traces, by simulation.
struct SweepCommand: ExperimentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Simulate policies on traces: hit ratios.",
    usage: """
      evict sweep <trace> ... [<options>]
      evict sweep --merge <results> ... [--output <file>]
      """,
    discussion: """
      Examples:
        evict sweep traces/orders.txt.zst --policy lru,s3fifo,arc --capacity 1%,10%
        evict sweep traces/build.csv.zst --policy arc --capacity 5% --windows 100

      Each policy runs alone, on all cores, and is compared with FIFO and the optimum (Belady's MIN). \
      --shard splits the cells (trace × capacity × policy × seed) over machines, --merge joins the \
      documents; a merge that lacks cells says so and ends with exit code 1. All options: --help-hidden, \
      or man evict.
      """)

  @OptionGroup var options: ExperimentOptions

  @OptionGroup var parallel: JobOptions

  @OptionGroup var sharing: PartitionOptions

  @OptionGroup var variation: VariationOptions

  @Option(
    defaultAsFlag: Count(100), parsing: .next,
    help: ArgumentHelp(
      "Look n times in each run, evenly spaced, at what the policy has learned (ARC's p, a learner's "
        + "weights): into “internals” of the JSON document. Without n, put it before another option.",
      valueName: "n", visibility: .detail))
  var traceInternals: Count?

  @Option(
    help: ArgumentHelp(
      "Count windows of each run: 100, or of 10min.", valueName: "n|time"))
  var windows: WindowWidth?

  @Option(
    help: ArgumentHelp(
      "A miss takes this time of the trace's, in which further requests of its object wait for it: "
        + "latencies beside hits, against those of FIFO.",
      valueName: "time|nrequests", visibility: .detail))
  var delay: DelaySpan?

  @Flag(
    help: ArgumentHelp(
      "Charge each policy's own memory to its capacity, ghosts and their keys included: compares policies at "
        + "equal bytes. Bounds are charged nothing.",
      visibility: .detail))
  var chargeMetadata = false

  @Option(
    help: ArgumentHelp(
      "Bytes of an object for --charge-metadata, where a capacity counts objects.",
      valueName: "bytes", visibility: .detail))
  var objectSize: ByteSize?

  @Flag(
    help: ArgumentHelp(
      "Count the hits of each class: a tenant, a key's prefix, or a layer of experts.",
      visibility: .detail))
  var byClass = false

  @Flag(
    help: ArgumentHelp(
      "Check on the way that each policy keeps the contract with its host; takes up to twice as long.",
      visibility: .detail))
  var check = false

  @Flag(
    help: "Read block by block: memory grows with the keys only; a stopped pass keeps no cell.")
  var stream = false

  func validate() throws {
    try resumption.checkForm(options.output)
    if stream { try checkStream() }
    let whole = [("--windows", windows != nil), ("--trace-internals", traceInternals != nil)]
    if variation.variations != .none, let (name, _) = whole.first(where: \.1) {
      throw ValidationError(
        "\(name) is of the trace as it is; leave it out, or --jitter, --offset and --size-spread")
    }
    try variation.check(options.run.counting.warmup)
    if delay != nil {
      let others = [
        ("--check", check), ("--explain", options.explanation.explain),
        ("--expire", options.expiry.isOn), ("--count-sets", options.run.counting.countSets),
        ("--jitter, --offset and --size-spread", variation.variations != .none),
        ("--charge-metadata", chargeMetadata),
      ]
      if let (name, _) = others.first(where: \.1) {
        throw ValidationError("--delay does not go with \(name); leave one out")
      }
    }
    if objectSize != nil && !chargeMetadata {
      throw ValidationError("--object-size is for --charge-metadata; give both")
    }
    if let points = traceInternals, !(1...InternalsSeries.maximumPoints).contains(points.value) {
      throw ValidationError(
        "--trace-internals \(points) is out of range; give 1 to \(InternalsSeries.maximumPoints)")
    }
  }

  var traces: TraceOptions { options.traces }
  var resumption: ResumeOptions { options.resumption }
  var writesPlans: Bool { output.isDocument }
  var jobs: Int { parallel.count }
  var mayExpire: Bool { true }
  var mayCountBytes: Bool { true }

  /// The output; partitions and their merges write results documents, unless another form is given.
  var output: OutputOptions {
    var output = options.output
    if sharing.prefersDocument || resumption.resume { output.preferDocument() }
    return output
  }

  var isStreamed: Bool { stream }

  func run() throws {
    if sharing.merge { return try mergeDocuments() }
    do {
      try runExperiment()
    } catch let error as TraceError where error.kind == .memory && !stream {
      var streamed = self
      streamed.stream = true
      // Standard input is gone by now.
      guard traces.files.allSatisfy(TraceOptions.isRegularFile),
        (try? streamed.checkStream()) != nil,
        // A stream would replace the cells that are there.
        try resumption.earlierResults(options.output)?.results.measurements.isEmpty ?? true
      else { throw error }
      if case .tooLarge(let trace, let needed, let available) = error {
        StandardError.say(
          "\(trace) needs \(ByteCount.text(needed)) more memory, \(ByteCount.text(available)) are "
            + "available: it is read block by block, as by --stream")
      }
      try streamed.runExperiment()
    }
  }

  /// Refuses flags that need a trace in memory.
  private func checkStream() throws(ValidationError) {
    let areKnown =
      switch windows?.cut {
      case nil: true
      case .count: traces.traces.allSatisfy(TraceOptions.isRegularFile)
      // Where they end depends on the times of all requests.
      case .time: false
      }
    let refused: [(String, Bool)] = [
      ("--windows", !areKnown), ("--trace-internals", traceInternals != nil), ("--check", check),
      ("--by-class", byClass), ("--explain", options.explanation.explain),
      ("--delay", delay != nil), ("--charge-metadata", chargeMetadata),
      ("--shard", sharing.shard.partitionText != nil),
      ("--jitter, --offset and --size-spread", variation.variations != .none),
    ]
    let names = refused.filter(\.1).map(\.0).joined(separator: ", ")
    if !names.isEmpty {
      throw ValidationError(
        "--stream does not go with \(names); leave one out, or run a sample: evict trace sample")
    }
    for trace in traces.traces where TraceLoader.files(ofTrace: trace).count > 1 {
      throw ValidationError(
        "--stream reads one file at a time, and \(trace) joins several; leave it out, or join "
          + "those of one format with cat, and give - as the trace")
    }
  }

  func request() throws -> ExperimentRequest {
    var request = try options.request(
      SweepExperiment(
        internalsPoints: traceInternals?.value ?? 0, windows: windows?.cut, countsClasses: byClass,
        checksContract: check))
    if options.explanation.explain,
      let policy = request.policies.first(where: { $0.prefetcher != nil })
    {
      throw ValidationError(
        "--explain compares with an optimum that fetches nothing ahead; leave out \(policy.label)")
    }
    request.variations = variation.variations
    request.settings.delay = delay?.delay
    if case .time = delay?.delay { request.columns.insert(.times) }
    request.settings.charge = try charge(isSized: request.settings.isSized)
    if case .time = windows?.cut { request.columns.insert(.times) }
    if byClass { request.columns.insert(.classes) }
    if !stream { request.columns.insert(.groups) }
    // The curve of LRU is of runs without a charge, and of misses that take no time.
    request.hasReferences =
      output.showsReferences && request.baselines != nil && !stream && !chargeMetadata
      && delay == nil
    return request
  }

  /// The charge of the policies' own memory; nil for none.
  private func charge(isSized: Bool) throws(ValidationError) -> MetadataCharge? {
    if !chargeMetadata { return nil }
    if isSized == (objectSize != nil) {
      throw ValidationError(
        isSized
          ? "--object-size is for capacities in objects, and these are bytes; leave it out"
          : "--charge-metadata needs the bytes of an object; give --object-size, or --sized for the trace's"
      )
    }
    return MetadataCharge(objectSize: objectSize?.bytes)
  }

  /// Says where hits are not those of a cache of prefixes.
  func check(_ traces: [Trace]) throws {
    for trace in traces where trace.hasChains {
      StandardError.say(
        "\(trace.name): its keys are blocks, and hits count blocks that no prefix leads to; evict prefix "
          + "counts prefixes")
    }
  }

  /// The partition, and the document that it completes: a stream goes on from its journal alone, and names its plan
  /// where it is of one trace.
  func partition(of request: ExperimentRequest) throws -> Partition? {
    if stream && traces.names.count > 1 { return nil }
    return Partition(
      of: request, traces: traces.planned, options: options.members,
      as: sharing.shard.partition,
      resuming: stream ? nil : try resumption.earlierResults(options.output),
      acceptsOtherBuild: resumption.acceptOtherBuild)
  }
}

extension SweepCommand {
  /// Joins documents of one sweep's partitions; a joined document that lacks cells is written too, and the
  /// command fails.
  func mergeDocuments() throws {
    // A partition's document is no merged one, and is not replaced by it.
    WrittenMark.command.withLock { $0 = "sweep --merge" }
    try output.check(inputs: traces.traces)
    var parts: [SweepMerge.Part] = []
    for file in traces.traces {
      let results = try Document.results(of: file)
      parts.append(SweepMerge.Part(file: file, results: results))
    }
    let merge = try SweepMerge(parts, acceptsOtherBuild: resumption.acceptOtherBuild)
    for note in merge.notes { StandardError.say(note) }
    parts.map(\.results).warnOfDifferentEnvironments()
    try output.write(merge.results)
    if !merge.results.isComplete {
      throw Failed(
        description: "the merged sweep is not complete: \(merge.gaps.joined(separator: ", ")); "
          + "run what is missing and merge again")
    }
  }
}
