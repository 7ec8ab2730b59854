import Parameters

/// One run: a policy with its parameters, on a trace, at one capacity.
///
/// A replay adds threads, lock, latency and contention to what a simulation measures.
package struct Measurement: Documented {
  /// The kind of run.
  package enum Kind: String, Sendable, CaseIterable, JSONValue {
    /// The policy alone.
    case sweep
    /// The policy in the real cache.
    case replay
    /// Bounds of what any policy could hit.
    case bounds
    /// The policy in the real cache on disk.
    case disk
    /// The policy as a cache of prefixes.
    case prefix
    /// Miss ratio by capacity: a ``MissRatioCurve``, and no measurement.
    case curve
  }

  /// The form in which `evict speed` runs a policy.
  package enum Form: String, Sendable, CaseIterable, JSONValue {
    /// The policy alone.
    case policy
    /// The policy inside the real cache in memory, on one thread.
    case cache
    /// A theorem about the policy: a loop that counts the same without it.
    case theorem
  }

  /// The unit of a capacity.
  package enum Unit: String, Sendable, CaseIterable, JSONValue {
    /// Objects, each of which counts one.
    case objects
    /// The objects' bytes.
    case bytes
    /// Blocks of prompts.
    case blocks
  }

  package var kind: Kind
  package var trace: String
  package var policy: String
  package var parameters: [JSON.Member] = []
  package var capacity: Int
  package var unit = Unit.objects
  package var seed = 42
  /// Nil except for a run of `evict speed`.
  package var form: Form?

  package var requests = 0
  package var hits = 0
  /// Nil where objects have no sizes.
  package var byteHitRatio: Double?
  /// Nil where requests have no costs.
  package var costHitRatio: Double?
  package var insertions = 0
  package var evictions = 0
  package var expirations = 0
  package var unknownSizes = 0
  package var seconds = 0.0
  package var requestsPerSecond = 0.0

  /// Against FIFO at this capacity with as many threads; negative where it is larger, nil where it was not compared.
  package var missRatioReduction: Double?
  /// Nil where it is not known, and for several threads. Of caches of prefixes both ratios are
  /// ``definedHitRatio``.
  package var distanceToOptimum: Double?

  /// Against FIFO with the same delay; negative where it is larger, nil where it was not compared and where FIFO's is 0.
  package var latencyReduction: Double?

  /// Nil for a policy's run.
  package var hitRatioBounds: ClosedRange<Double>?
  package var byteHitRatioBounds: ClosedRange<Double>?

  package var replay: Replay?
  package var disk: DiskMeasures?
  package var prefix: PrefixMeasures?
  /// Nil where none were recorded.
  package var internals: InternalsSeries?
  /// Nil without a prefetcher.
  package var prefetch: PrefetchCounts?
  /// Nil for a policy that does not learn by trainings.
  package var learning: LearningMeasures?
  /// Nil where the policy's own memory is not charged to the capacity.
  package var metadata: MetadataMeasures?
  /// Nil where a miss takes no time.
  package var latency: LatencyMeasures?
  /// Nil where it was not measured.
  package var speed: SpeedFigures?
  /// Nil without windows.
  package var windows: RequestWindows?
  /// Nil where they are not counted one by one.
  package var classes: ClassCounts?
  /// Nil for a run of the trace as it is.
  package var variation: Variation?
  /// By how much variations move the hit ratio; they stand in results of their own.
  package var spreads: [VariationSpread] = []

  /// A run of which nothing is measured yet.
  package init(
    kind: Kind, trace: String, policy: String, parameters: [JSON.Member] = [], capacity: Int,
    unit: Unit = .objects, seed: Int = 42
  ) {
    self.kind = kind
    self.trace = trace
    self.policy = policy
    self.parameters = parameters
    self.capacity = capacity
    self.unit = unit
    self.seed = seed
  }

  package init() { self.init(kind: .sweep, trace: "", policy: "", capacity: 0) }

  /// The share of the requests that were hits; nil when none was counted.
  package var hitRatio: Double? { requests == 0 ? nil : Double(hits) / Double(requests) }

  /// The policy as it is written on the command line: `slru:protected=0.8`.
  package var policyLabel: String { Measurement.label(of: policy, parameters) }

  /// A policy with its parameters as it is written on the command line.
  package static func label(of policy: String, _ parameters: [JSON.Member]) -> String {
    parameters.reduce(policy) { $0 + ":\($1.key)=\($1.value.plainText)" }
  }

  /// Takes over what a run counted.
  ///
  /// - Parameters:
  ///   - counts: The counts of the run.
  ///   - isSized: True if bytes were counted.
  ///   - hasCosts: True if requests had costs.
  package mutating func record(_ counts: RequestCounts, isSized: Bool, hasCosts: Bool) {
    requests = counts.requests
    hits = counts.hits
    insertions = counts.insertions
    evictions = counts.evictions
    expirations = counts.expirations
    unknownSizes = counts.unknownSizes
    prefetch = counts.prefetch
    learning = counts.learning
    if isSized && counts.bytes > 0 {
      byteHitRatio = Double(counts.byteHits) / Double(counts.bytes)
    }
    if hasCosts && counts.cost > 0 { costHitRatio = counts.costHits / counts.cost }
  }

  /// Takes over how long the run took, and how many requests it ran, the warm-up's included.
  package mutating func record(seconds: Double, requestsRun: Int) {
    self.seconds = seconds
    requestsPerSecond = seconds > 0 ? Double(requestsRun) / seconds : 0
  }

  package static let fields: [Field<Measurement>] = [
    Field("kind", \.kind, "the kind of run", .exact),
    Field("trace", \.trace, "the trace's name", .exact),
    Field("policy", \.policy, "the policy's name", .exact),
    Field("parameters", \.parameters, "the parameters given, typed, by name", .exact, as: .members),
    Field("capacity", \.capacity, "the capacity, in `unit`", .exact, as: .from(0)),
    Field("unit", \.unit, "what the capacity counts", .exact),
    Field("seed", \.seed, "the random seed", .exact),
    .omittable(
      "variation", \.variation,
      "in what the run differs from the planned one (`--jitter`, `--offset`, `--size-spread`)"
    ),
    .omittable(
      "form", \.form,
      "how `evict speed` ran the policy: alone (`policy`), inside `MemoryCache` (`cache`), or a loop that counts the same without it (`theorem`)",
      .descriptive),
    Field(
      "requests", \.requests, "requests counted: those of the warm-up are not", .exact, as: .count),
    Field("hits", \.hits, "counted requests that found their object", .exact, as: .count),
    .derived("hitRatio", \.hitRatio, "`hits` / `requests`", .exact),
    Field(
      "byteHitRatio", \.byteHitRatio, "the fraction of the requested bytes that was resident",
      .exact),
    Field(
      "costHitRatio", \.costHitRatio, "the fraction of the misses' cost that was saved", .exact),
    Field("insertions", \.insertions, "objects that entered the cache", .exact, as: .count),
    Field("evictions", \.evictions, "objects that the policy evicted", .exact, as: .count),
    .omittable(
      "expirations", \.expirations,
      "objects that left because their time to live was over (`--expire`)", .exact),
    .omittable(
      "unknownSizes", \.unknownSizes,
      "counted requests of objects whose size no request had told yet: misses that admit nothing",
      .exact),
    Field(
      "seconds", \.seconds,
      "the time of set-up and run, in seconds, without loading; of a run block by block, its threads' time; of n cells in one pass, its time divided by n",
      .timed),
    Field(
      "requestsPerSecond", \.requestsPerSecond, "requests in a second, with the warm-up's", .timed),
    Field(
      "missRatioReduction", \.missRatioReduction, "FIFO's miss ratio is reduced by this", .exact),
    Field(
      "distanceToOptimum", \.distanceToOptimum,
      "the hit ratio of the optimum, Belady's MIN with bypass, less this one", .exact),
    .omittable(
      "latencyReduction", \.latencyReduction,
      "the mean latency of FIFO with the same `--delay` is reduced by this", .exact),
    .only(
      "of kind `bounds`", if: { $0.kind == .bounds },
      Field("hitRatioBounds", \.hitRatioBounds, "bounds of the optimum's hit ratio", .exact),
      Field("byteHitRatioBounds", \.byteHitRatioBounds, "bounds of the best byte hit ratio", .exact)
    ),
    .spread(only: "of kind `replay`", \.replay),
    .omittable("disk", \.disk, "the measures of an experiment on disk"),
    .spread(only: "of kind `prefix`", \.prefix),
    .omittable("prefetch", \.prefetch, "the counts of a prefetcher (`lru:prefetch=obl`)"),
    .omittable("learning", \.learning, "the costs of learning (`lrb`)"),
    .omittable(
      "metadata", \.metadata, "the policy's own memory (`evict sweep --charge-metadata`)"),
    .omittable("virtualLatency", \.latency, "latencies in virtual time (`evict sweep --delay`)"),
    .omittable("internals", \.internals, "values that the policy learned along the run"),
    .omittable("windows", \.windows, "the counts of each window (`--windows`)"),
    .omittable("classes", \.classes, "the counts of each class (`--by-class`)"),
    .omittable("speed", \.speed, "instructions and times (`evict speed`)"),
  ]

  package func finish(reading object: JSONNode) throws(ResultSetError) {
    if hits > requests { throw object["hits"].wrong("at most “requests”") }
  }
}

extension Measurement {
  /// Parameters as results hold them: those given, typed, in the order of their names.
  package static func parameters(_ arguments: Arguments) -> [JSON.Member] {
    arguments.given.sorted { $0.key < $1.key }.map { JSON.Member($0.key, JSON($0.value)) }
  }
}

extension JSON {
  /// A parameter's value, typed.
  package init(_ value: Parameter.Value) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .fraction(let value):
      let (whole, rest) = value.numerator.quotientAndRemainder(dividingBy: value.denominator)
      self = rest == 0 ? .integer(whole) : .number(value.double)
    case .text(let value): self = .string(value)
    case .flag(let value): self = .boolean(value)
    }
  }
}

/// The speed of a run, in metrics that can be compared with those of another day.
package struct SpeedFigures: Documented {
  /// Counted by callgrind; nil where it is not installed. They depend on the program, its compiler and the
  /// kind of processor, hardly on anything else.
  package var instructions: Int?
  /// Both share a process and a moment, so what slows the machine down slows both.
  package var ratios: [Double] = []

  package init() {}

  /// The figures of a run.
  package init(instructions: Int? = nil, ratios: [Double] = []) {
    self.instructions = instructions
    self.ratios = ratios
  }

  package static let fields: [Field<SpeedFigures>] = [
    Field("instructions", \.instructions, "machine instructions of the whole run", .estimated),
    Field(
      "ratios", \.ratios, "the time of a request in steps of a calibration loop, by round", .timed),
  ]
}

extension Measurement {
  /// The capacity as one reads it: `1000`, `64MiB`, `1500B`.
  package var capacityLabel: String { Measurement.label(of: capacity, unit) }

  /// A capacity as one reads it.
  package static func label(of capacity: Int, _ unit: Unit) -> String {
    if unit != .bytes { return "\(capacity)" }
    let binary = ByteCount.units.filter { $0.suffix.contains("i") }.reversed()
    let unit = binary.first { capacity >= $0.bytes && capacity.isMultiple(of: $0.bytes) }
    let label = unit.map { "\(capacity / $0.bytes)\($0.suffix)" } ?? "\(capacity)B"
    if label.count < 8 { return label }
    // 256 MB are 250000 KiB.
    let decimal = ByteCount.units.filter { $0.bytes.isMultiple(of: 1_000_000) }.reversed()
    let round = decimal.first { capacity.isMultiple(of: $0.bytes) && capacity < 10_000 * $0.bytes }
    return round.map { "\(capacity / $0.bytes)\($0.suffix)" } ?? label
  }

  /// A capacity in a sentence, of bytes to four digits: `1000`, `64MiB`, `265.9MiB`.
  package static func text(of capacity: Int, _ unit: Unit) -> String {
    let label = label(of: capacity, unit)
    return label.hasSuffix("iB") || unit != .bytes || capacity < 1_000
      ? label : "\(ByteCount.mebibytes(capacity))MiB"
  }

  /// The contender: the policy with its parameters, in the system or the form it runs in.
  package var contender: String {
    if let system = replay?.system { return "\(system) (\(policyLabel))" }
    guard let form, form != .policy else { return policyLabel }
    return "\(policyLabel) (\(form.rawValue))"
  }

  /// The trace and the capacity.
  package var place: CellKey.Place { CellKey.Place(self) }
}
