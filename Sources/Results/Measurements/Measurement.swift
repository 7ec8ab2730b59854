import Parameters

/// One run: a policy with its parameters, on a trace, at one capacity.
///
/// A replay adds threads, lock, latency and contention to what a simulation measures.
package struct Measurement: Sendable, Equatable {
  /// The kind of run.
  package enum Kind: String, Sendable, CaseIterable {
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
  package enum Form: String, Sendable, CaseIterable {
    /// The policy alone.
    case policy
    /// The policy inside the real cache in memory, on one thread.
    case cache
    /// A theorem about the policy: a loop that counts the same without it.
    case theorem
  }

  /// The unit of a capacity.
  package enum Unit: String, Sendable, CaseIterable {
    /// Objects, each of which counts one.
    case objects
    /// The objects' bytes.
    case bytes
    /// Blocks of prompts.
    case blocks
  }

  /// The kind of run.
  package var kind: Kind
  /// The trace's name: its file without folder.
  package var trace: String
  /// The policy's name.
  package var policy: String
  /// The parameters that were given, typed, in the order of their names.
  package var parameters: [JSON.Member] = []
  /// The capacity, in ``unit``.
  package var capacity: Int
  /// The unit of the capacity.
  package var unit = Unit.objects
  /// The random seed.
  package var seed = 42
  /// The form in which the policy ran; nil except for a run of `evict speed`.
  package var form: Form?

  /// Requests counted: those of the warm-up are not.
  package var requests = 0
  /// Counted requests that found their object resident.
  package var hits = 0
  /// The share of the requested bytes that was resident; nil where objects have no sizes.
  package var byteHitRatio: Double?
  /// The share of the misses' penalty that was saved; nil where requests have no costs.
  package var costHitRatio: Double?
  /// Objects that entered the cache.
  package var insertions = 0
  /// Objects that the policy evicted.
  package var evictions = 0
  /// Objects that left because their time to live was over.
  package var expirations = 0
  /// Counted requests of objects whose size no request had told yet: misses that admit nothing.
  package var unknownSizes = 0
  /// The time of set-up, next-use computation and run; never of loading.
  package var seconds = 0.0
  /// Requests run in a second, those of the warm-up included.
  package var requestsPerSecond = 0.0

  /// By how much of FIFO's miss ratio at this capacity, with as many threads, the miss ratio is smaller; negative
  /// where it is larger, nil where it was not compared.
  package var missRatioReduction: Double?
  /// The hit ratio of Belady's MIN with bypass at this capacity, less this one; nil where it is not known, and
  /// for several threads. Of caches of prefixes both are ``definedHitRatio``.
  package var distanceToOptimum: Double?

  /// For bounds, what the optimum's hit ratio lies between; nil for a policy's run.
  package var hitRatioBounds: ClosedRange<Double>?
  /// For bounds, what the byte hit ratio lies between of the policy that maximises it.
  package var byteHitRatioBounds: ClosedRange<Double>?

  /// The measurements that only a replay has.
  package var replay: Replay?
  /// The measurements that only an experiment on disk has.
  package var disk: DiskMeasures?
  /// The measures that only a cache of prefixes has.
  package var prefix: PrefixMeasures?
  /// The parameters that the policy had learned at points of the run; nil where none were recorded.
  package var internals: InternalsSeries?
  /// The speed of the run, to be compared with that of other days; nil where it was not measured.
  package var speed: SpeedFigures?
  /// The counts window by window; nil without windows.
  package var windows: RequestWindows?

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
package struct SpeedFigures: Sendable, Equatable {
  /// Machine instructions of the whole run, as callgrind counts them; nil where it is not installed.
  ///
  /// They depend on the program, its compiler and the kind of processor, hardly on anything else.
  package var instructions: Int?
  /// The processor time of a request in units of one step of the calibration loop, one figure a round.
  ///
  /// Both share a process and a moment, so what slows the machine down slows both.
  package var ratios: [Double]

  /// The figures of a run.
  package init(instructions: Int? = nil, ratios: [Double] = []) {
    self.instructions = instructions
    self.ratios = ratios
  }
}

extension Measurement {
  /// The capacity as one reads it: `1000`, `64MiB`, `1500B`.
  package var capacityLabel: String { Measurement.label(of: capacity, unit) }

  /// A capacity as one reads it.
  package static func label(of capacity: Int, _ unit: Unit) -> String {
    if unit != .bytes { return "\(capacity)" }
    let binary = ByteCount.units.filter { $0.suffix.contains("i") }.reversed()
    let unit = binary.first { capacity >= $0.bytes && capacity.isMultiple(of: $0.bytes) }
    return unit.map { "\(capacity / $0.bytes)\($0.suffix)" } ?? "\(capacity)B"
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
