import Conformance
import Eviction
import EvictionCore
import Parameters
import Requests
import Results

/// A policy that can be simulated by name: its type is erased here, once per run, behind a closure that
/// was compiled for it.
public struct PolicySimulator: Sendable {
  package let description: PolicyDescription
  /// The policy's conformance suite.
  package let conformance: ErasedConformance

  private let simulate:
    @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
      throws(PolicyError) -> RequestCounts?
  private let plain: PlainRuns
  private let beginBlocks: @Sendable (BlockOptions) throws(PolicyError) -> BlockSimulation

  /// The simulator of a policy's type.
  ///
  /// Inlinable, so that the loops are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    var plain = PlainRuns()
    policy.visitSimulated(&plain)
    self.init(
      PolicyDescription(policy), ErasedConformance(policy),
      simulate: { (stream, options, internals, observer) throws(PolicyError) in
        try SimulationLoop<Policy>.run(
          stream, options: options, internals: &internals, observer: observer)
      },
      beginBlocks: { (options) throws(PolicyError) in try SimulationLoop<Policy>.begin(options) },
      plain: plain)
  }

  @usableFromInline
  init(
    _ description: PolicyDescription, _ conformance: ErasedConformance,
    simulate:
      @escaping @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
      throws(PolicyError) -> RequestCounts?,
    beginBlocks: @escaping @Sendable (BlockOptions) throws(PolicyError) -> BlockSimulation,
    plain: PlainRuns
  ) {
    self.description = description
    self.conformance = conformance
    self.simulate = simulate
    self.beginBlocks = beginBlocks
    self.plain = plain
  }

  /// Runs the policy alone over `stream`.
  ///
  /// A policy that is LRU, FIFO or Belady's MIN by its page (`PolicyInformation.baselines`, `optimumWithoutSizes`) is
  /// answered by a theorem where nothing but counts is wanted over plain gets of objects that count one.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: Capacity, parameters, seed, warm-up and logs.
  ///   - internals: Takes what the policy has learned at its points.
  ///   - observer: Called at least every million requests with the number done; returning false stops
  ///     the run.
  /// - Returns: The counts, or nil if the observer stopped the run.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  /// - Complexity: O(requests) times the policy's own cost.
  package func run(
    _ stream: RequestStream, options: SimulationOptions, internals: inout InternalsSeries,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> RequestCounts? {
    try description.checkMinimum(options.run.capacity, isSized: stream.isSized)
    guard stream.isPlain && options.run.isLeftToPolicy && !options.areObserved else {
      return try simulate(stream, options, &internals, observer)
    }
    var theorem = internals.points == 0 ? theorem(for: options.run, isPlain: true) : nil
    if options.answer == .policy || theorem?.covers(stream, options.run) == false { theorem = nil }
    if options.answer == .compared {
      try compare(theorem, stream.ids, requests: stream.requests, [options.run])
    }
    if let theorem { return theorem.run(stream, options, observer) }
    return try plain.run(stream, options, &internals, observer)
  }

  /// Runs the policy alone over `stream`, without a look at what it learns.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: Capacity, parameters, seed, warm-up and logs.
  ///   - observer: Called at least every million requests with the number done; returning false stops
  ///     the run.
  /// - Returns: The counts, or nil if the observer stopped the run.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  /// - Complexity: O(requests) times the policy's own cost.
  package func run(
    _ stream: RequestStream, options: SimulationOptions, observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> RequestCounts? {
    var internals = InternalsSeries(points: 0)
    return try run(stream, options: options, internals: &internals, observer: observer)
  }

  /// True if a theorem answers such a run, of which nothing else is wanted.
  package func counts(_ stream: RequestStream, _ options: SimulationOptions) -> Bool {
    theorem(for: options.run, isPlain: stream.isPlain)?.covers(stream, options.run) ?? false
  }

  /// True if runs like this one, of several capacities, may share a pass over `stream`.
  package func sharesPass(_ stream: RequestStream, _ run: RunOptions) -> Bool {
    guard let theorem = theorem(for: run, isPlain: stream.isPlain) else { return false }
    return theorem.shared != nil && stream.trace.distinct <= 1 << 30
  }

  /// Runs the policy alone at several capacities in one pass over `stream`.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - runs: Options that differ in their capacities only; ``sharesPass(_:_:)`` is true of each.
  ///   - observer: Called at least every million requests with the number done; returning false stops the runs.
  /// - Returns: The counts of each, which are those of ``run(_:options:observer:)``; nil if the observer stopped them.
  /// - Throws: `PolicyError` if the policy is not what its page declares.
  package func runShared(
    _ stream: RequestStream, _ runs: [RunOptions], observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> [RequestCounts]? {
    guard let theorem = theorem(for: runs[0], isPlain: true), let shared = theorem.shared else {
      preconditionFailure("no pass to share")
    }
    try compare(theorem, stream.ids, requests: stream.requests, runs)
    return shared(stream, runs, observer)
  }

  /// Begins a run of the policy alone that is handed its requests block by block; ``check(_:isPlain:over:)`` looks at the
  /// first of these.
  ///
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  package func begin(_ options: BlockOptions) throws(PolicyError) -> BlockSimulation {
    precondition(!description.needs.contains(.nextUse), "blocks do not know the future")
    try description.checkMinimum(options.run.capacity, isSized: options.isSized)
    if let theorem = theorem(for: options.run, isPlain: options.isPlain),
      let blocks = theorem.blocks
    {
      return blocks.begin(options)
    }
    return try options.isPlain && options.run.isLeftToPolicy
      ? plain.begin(options) : beginBlocks(options)
  }

  /// Compares a run block by block with the policy's own steps, where something else answers it, over the first requests.
  ///
  /// - Throws: `PolicyError` if they differ.
  package func check(
    _ run: RunOptions, isPlain: Bool, over first: RequestColumns
  ) throws(PolicyError) {
    guard isPlain && run.isLeftToPolicy else { return }
    let theorem = theorem(for: run, isPlain: true)
    try compare(
      theorem?.blocks == nil ? nil : theorem, first.ids, requests: first.count, [run])
  }

  /// The bytes of a run block by block over a number of distinct keys.
  package func bytes(keys: Int, _ run: RunOptions, isPlain: Bool) -> Int {
    if let blocks = theorem(for: run, isPlain: isPlain)?.blocks { return blocks.bytes(keys) }
    if isPlain && run.isLeftToPolicy {
      let ghosts =
        description.parameters.contains { $0.name == "ghosts" } ? run.arguments.ghosts : nil
      let objects = ghosts.map { run.capacity &+ $0.floor(of: run.capacity) } ?? run.capacity
      return keys * description.information.bytesPerSlot
        + plain.bytesPerObject * min(keys, objects)
    }
    let sizeBytes = 8
    let lifetimeBytes = run.expires ? SlotLifetimes.bytesPerSlot : 0
    return keys * (description.information.bytesPerSlot + sizeBytes + lifetimeBytes)
  }

  /// The theorem that answers such a run; nil if the policy itself has to.
  private func theorem(for run: RunOptions, isPlain: Bool) -> Theorem? {
    guard isPlain && run.isLeftToPolicy && run.capacity <= Theorem.mostObjects else { return nil }
    return Theorem.about(description, with: run.arguments)
  }

  /// Compares what answers such runs, a theorem or the policy over lists for simulations, with the policy's own steps.
  private func compare(
    _ theorem: Theorem?, _ ids: UnsafePointer<UInt32>, requests: Int, _ runs: [RunOptions]
  ) throws(PolicyError) {
    if theorem == nil && !plain.isAnotherText { return }
    let first = FirstRequests(ids, count: requests, needs: description.needs)
    let file = theorem?.file ?? "the form of \(description.information.file) for simulations"
    let policy = description.information
    for capacity in first.capacities(of: runs, atLeast: policy.minimumCapacity) {
      var options = SimulationOptions(runs[0])
      options.run.capacity = capacity
      options.run.warmup = 0
      // A stop would leave one of both without counts.
      options.run.cancellation = nil
      var internals = InternalsSeries(points: 0)
      let simulated = try simulate(first.stream, options, &internals) { _ in true }
      let answered: RequestCounts?
      if let theorem {
        answered = theorem.run(first.stream, options) { _ in true }
      } else {
        answered = try plain.run(first.stream, options, &internals) { _ in true }
      }
      if answered == simulated { continue }
      throw first.contradiction(
        policy, at: capacity, file: file, answered: answered, simulated: simulated)
    }
  }

  /// The simulators of the catalog's policies, compiled for each of them here.
  package static let catalog: [PolicySimulator] = {
    struct Collector: PolicyVisitor {
      var all: [PolicySimulator] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(PolicySimulator(policy))
      }
    }
    var collector = Collector()
    PolicyCatalog.visit(&collector)
    return collector.all
  }()
}

extension RunOptions {
  /// True where nothing but the policy decides what enters and what leaves.
  fileprivate var isLeftToPolicy: Bool { !expires && arguments.nested("admission") == nil }
}

/// The runs of plain gets, compiled for the type that a policy shows to simulations.
@usableFromInline
struct PlainRuns: PolicyVisitor, Sendable {
  @usableFromInline
  typealias Run =
    @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
    throws(PolicyError) -> RequestCounts?

  @usableFromInline var run: Run = { (_, _, _, _) in nil }
  @usableFromInline var begin: @Sendable (BlockOptions) throws(PolicyError) -> BlockSimulation = {
    _ in preconditionFailure("no policy")
  }

  @inlinable
  init() {}

  @usableFromInline var bytesPerObject = 0
  /// True if more than the policy's hit, insert and evict over links is run.
  @usableFromInline var isAnotherText = false

  @inlinable
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    bytesPerObject = Policy.bytesPerObject
    isAnotherText = Policy.fusesRequests || Policy.bytesPerObject > 0
    run = { (stream, options, internals, observer) throws(PolicyError) in
      try SimulationLoop<Policy>.runPlain(
        stream, options: options, internals: &internals, observer: observer)
    }
    begin = { (options) throws(PolicyError) in try SimulationLoop<Policy>.beginPlain(options) }
  }
}
