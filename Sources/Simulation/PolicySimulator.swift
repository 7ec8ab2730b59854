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
  private let simulatePrefixes:
    @Sendable (PromptForest, PrefixOptions, (Int) -> Bool) throws(PolicyError) -> PrefixCounts?
  private let beginBlocks: @Sendable (BlockOptions) throws(PolicyError) -> BlockSimulation
  /// The reason why the policy cannot run as a cache of prefixes; nil if it can.
  package let pinRefusal: String?
  /// Counts without the policy, for some of the catalog's.
  private var counted: CountedPolicy?

  /// The simulator of a policy's type.
  ///
  /// Inlinable, so that the loops are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(
      PolicyDescription(policy), ErasedConformance(policy), pinRefusal: policy.pinRefusal,
      simulate: { (stream, options, internals, observer) throws(PolicyError) in
        try SimulationLoop<Policy>.run(
          stream, options: options, internals: &internals, observer: observer)
      },
      simulatePrefixes: { (forest, options, observer) throws(PolicyError) in
        try PrefixLoop<Policy>.run(forest, options: options, observer: observer)
      },
      beginBlocks: { (options) throws(PolicyError) in try SimulationLoop<Policy>.begin(options) })
  }

  @usableFromInline
  init(
    _ description: PolicyDescription, _ conformance: ErasedConformance, pinRefusal: String?,
    simulate:
      @escaping @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
      throws(PolicyError) -> RequestCounts?,
    simulatePrefixes:
      @escaping @Sendable (PromptForest, PrefixOptions, (Int) -> Bool)
      throws(PolicyError) -> PrefixCounts?,
    beginBlocks: @escaping @Sendable (BlockOptions) throws(PolicyError) -> BlockSimulation
  ) {
    self.description = description
    self.conformance = conformance
    self.simulate = simulate
    self.simulatePrefixes = simulatePrefixes
    self.beginBlocks = beginBlocks
    self.pinRefusal = pinRefusal
  }

  /// Runs the policy alone over `stream`.
  ///
  /// A policy that is an optimum by its page (`PolicyInformation.baselines`, `isOptimumWithoutSizes`) is Belady's
  /// MIN. Where nothing but counts is wanted of one, or of some other policies of the catalog, over plain gets of
  /// objects that count one, a loop counts them without the policy, and they are the same.
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
  public func run(
    _ stream: RequestStream, options: SimulationOptions, internals: inout InternalsSeries,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> RequestCounts? {
    try description.checkMinimum(options.run.capacity, isSized: stream.isSized)
    if internals.points == 0, stream.isPlain, !options.areObserved, !options.run.expires,
      options.run.arguments.nested("admission") == nil
    {
      if let bypasses = bypasses(with: options.run.arguments), OptimumLoop.covers(stream, options) {
        return OptimumLoop.run(stream, options: options, bypasses: bypasses, observer: observer)
      }
      if let loop = loop(for: options.run, isPlain: true) {
        return loop.run(stream, options, observer)
      }
    }
    return try simulate(stream, options, &internals, observer)
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
  public func run(
    _ stream: RequestStream, options: SimulationOptions, observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> RequestCounts? {
    var internals = InternalsSeries(points: 0)
    return try run(stream, options: options, internals: &internals, observer: observer)
  }

  /// True if runs like this one, of several capacities, may share a pass over `stream`.
  package func sharesPass(_ stream: RequestStream, _ run: RunOptions) -> Bool {
    loop(for: run, isPlain: stream.isPlain)?.shared?.covers(stream) ?? false
  }

  /// Runs the policy alone at several capacities in one pass over `stream`.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - runs: Options that differ in their capacities only; ``sharesPass(_:_:)`` is true of each.
  ///   - observer: Called at least every million requests with the number done; returning false stops the runs.
  /// - Returns: The counts of each, which are those of ``run(_:options:observer:)``; nil if the observer stopped them.
  package func runShared(
    _ stream: RequestStream, _ runs: [RunOptions], observer: (Int) -> Bool = { _ in true }
  ) -> [RequestCounts]? {
    guard let shared = counted?.shared else { preconditionFailure("no pass to share") }
    return shared.run(stream, runs, observer)
  }

  /// Begins a run of the policy alone that is handed its requests block by block.
  ///
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  package func begin(_ options: BlockOptions) throws(PolicyError) -> BlockSimulation {
    precondition(!description.needs.contains(.nextUse), "blocks do not know the future")
    try description.checkMinimum(options.run.capacity, isSized: options.isSized)
    if let loop = loop(for: options.run, isPlain: options.isPlain) { return loop.begin(options) }
    return try beginBlocks(options)
  }

  /// The bytes of a run block by block over a number of distinct keys.
  package func bytes(keys: Int, _ run: RunOptions, isPlain: Bool) -> Int {
    if let loop = loop(for: run, isPlain: isPlain) { return loop.bytes(keys, run) }
    let isFiltered = run.arguments.nested("admission") != nil
    let hostBytes = isPlain && !isFiltered && !run.expires ? 0 : 8
    let lifetimeBytes = run.expires ? SlotLifetimes.bytesPerSlot : 0
    return keys * (description.information.bytesPerSlot + hostBytes + lifetimeBytes)
  }

  /// True where the policy is Belady's MIN over objects that count one and may refuse a newcomer, false where it is
  /// and may not; nil where it is another one.
  private func bypasses(with arguments: Arguments) -> Bool? {
    switch description.baseline(with: arguments) {
    case .optimum: false
    case .bypassingOptimum: true
    case .fifo, .lru, .infinite, nil:
      description.information.isOptimumWithoutSizes(arguments) ? false : nil
    }
  }

  private func loop(for run: RunOptions, isPlain: Bool) -> CountedPolicy? {
    guard isPlain, !run.expires, run.arguments.nested("admission") == nil, let counted,
      counted.covers(run)
    else { return nil }
    return counted
  }

  /// Runs the policy as a cache of prefixes.
  ///
  /// A policy that is LRU by its page (`PolicyInformation.baselines`) runs segment by segment where chains are kept,
  /// and one that is FIFO by arrivals where none are: without the policy, and the counts are the same.
  ///
  /// - Parameters:
  ///   - forest: The prompts.
  ///   - options: Capacity, parameters, seed, warm-up and rules.
  ///   - observer: Called every few thousand prompts with the number of blocks done; returning false stops the run.
  /// - Returns: The counts, or nil if the observer stopped the run.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  public func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> PrefixCounts? {
    try description.checkMinimum(options.run.capacity, isSized: false)
    precondition(pinRefusal == nil || !options.keepsChains, "the policy cannot keep chains")
    let (capacity, warmup) = (options.run.capacity, options.warmup)
    switch (description.baseline(with: options.run.arguments), options.keepsChains) {
    case (.lru, true):
      return PrefixRecency.run(forest, capacity: capacity, warmup: warmup, observer: observer)
    case (.fifo, false):
      return FreeArrivals.run(forest, capacity: capacity, warmup: warmup, observer: observer)
    default: return try simulatePrefixes(forest, options, observer)
    }
  }

  /// True for a policy of which a loop counts plain runs without it.
  package static func isCounted(_ policy: PolicyInformation) -> Bool {
    CountedPolicy.of(policy) != nil
  }

  /// The simulators of the catalog's policies, compiled for each of them here.
  package static let catalog: [PolicySimulator] = {
    struct Collector: PolicyVisitor {
      var all: [PolicySimulator] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        var simulator = PolicySimulator(policy)
        simulator.counted = CountedPolicy.of(policy.information)
        all.append(simulator)
      }
    }
    var collector = Collector()
    PolicyCatalog.visit(&collector)
    return collector.all
  }()
}
