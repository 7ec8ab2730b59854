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

  private let beginObserved: BeginRun
  private let plain: PlainRuns

  @usableFromInline
  package typealias BeginRun =
    @Sendable (SimulationOptions, RequestShape) throws(PolicyError) -> BlockSimulation

  /// The simulator of a policy's type.
  ///
  /// Inlinable, so that the loops are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(policy, PolicyDescription(policy))
  }

  /// The simulator of a policy whose description is not that of its type.
  ///
  /// - Parameters:
  ///   - policy: The type.
  ///   - description: The description.
  ///   - plain: The runs of plain gets, where the policy has its own; nil for those of its type.
  @inlinable
  package init<Policy: ReplacementPolicy & ~Copyable>(
    _ policy: Policy.Type, _ description: PolicyDescription, plain own: PlainRuns? = nil
  ) {
    var plain = own ?? PlainRuns()
    if own == nil { policy.visitSimulated(&plain) }
    self.init(
      description,
      ErasedConformance(policy, information: description.information, needs: description.needs),
      begin: { (options, shape) throws(PolicyError) in
        try SimulationLoop<Policy>.begin(options, over: shape)
      }, plain: plain)
  }

  @usableFromInline
  init(
    _ description: PolicyDescription, _ conformance: ErasedConformance,
    begin: @escaping BeginRun, plain: PlainRuns
  ) {
    self.description = description
    self.conformance = conformance
    beginObserved = begin
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
    let simulation = try begin(
      options, over: RequestShape(stream), showsInternals: internals.points > 0)
    let requests = RequestColumns(stream, needs: description.needs)
    if options.answer == .compared && !options.areObserved {
      try check(options.run, of: RequestShape(stream), over: requests)
    }
    let isFinished = simulation.run(requests, internals: &internals, observer: observer)
    return isFinished ? simulation.counts : nil
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
    theorem(for: options.run, over: RequestShape(stream)) != nil
  }

  /// True if runs like this one, of several capacities, may share a pass over `stream`.
  package func sharesPass(_ stream: RequestStream, _ run: RunOptions) -> Bool {
    theorem(for: run, isPlain: stream.isPlain)?.shared != nil && stream.trace.distinct <= 1 << 30
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
    try compare(theorem, of: RequestShape(stream), over: RequestColumns(stream), runs)
    return shared(stream, runs, observer)
  }

  /// Begins a run of the policy alone; ``check(_:of:over:)`` looks at its first block.
  ///
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  package func begin(
    _ options: SimulationOptions, over shape: RequestShape, showsInternals: Bool = false
  ) throws(PolicyError) -> BlockSimulation {
    precondition(
      shape.requests != nil || !description.needs.contains(.nextUse),
      "blocks do not know the future")
    try description.checkMinimum(options.run.capacity, isSized: shape.isSized)
    guard shape.isPlain && options.run.isLeftToPolicy && !options.areObserved else {
      return try beginObserved(options, shape)
    }
    if options.answer != .policy, !showsInternals,
      let theorem = theorem(for: options.run, over: shape)
    {
      return theorem.begin(options, shape)
    }
    return try plain.begin(over: shape)(options, shape)
  }

  /// Compares what answers a run with the policy's own steps, where they are not the same, over the first requests.
  ///
  /// - Throws: `PolicyError` if they differ.
  package func check(
    _ run: RunOptions, of shape: RequestShape, over first: RequestColumns
  ) throws(PolicyError) {
    guard shape.isPlain && run.isLeftToPolicy else { return }
    try compare(theorem(for: run, isPlain: true), of: shape, over: first, [run])
  }

  /// The bytes of a run block by block over a number of distinct keys.
  package func bytes(keys: Int, _ run: RunOptions, isPlain: Bool) -> Int {
    if let theorem = theorem(for: run, isPlain: isPlain) { return theorem.bytes(keys) }
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

  private func theorem(for run: RunOptions, over shape: RequestShape) -> Theorem? {
    theorem(for: run, isPlain: shape.isPlain).flatMap { $0.covers(shape, run) ? $0 : nil }
  }

  /// Compares what answers such runs, a theorem or the policy over lists for simulations, with the policy's own steps.
  private func compare(
    _ theorem: Theorem?, of whole: RequestShape, over block: RequestColumns, _ runs: [RunOptions]
  ) throws(PolicyError) {
    let begin = plain.begin(over: whole)
    if theorem == nil && !plain.isAnotherText { return }
    let first = FirstRequests(block.ids, count: block.count, needs: description.needs)
    let (requests, shape) = (
      RequestColumns(first.stream, needs: description.needs), RequestShape(first.stream)
    )
    let file =
      theorem?.file ?? plain.text ?? "the form of \(description.information.file) for simulations"
    let policy = description.information
    for capacity in first.capacities(of: runs, atLeast: policy.minimumCapacity) {
      var options = SimulationOptions(runs[0])
      options.run.capacity = capacity
      options.run.warmup = 0
      // A stop would leave one of both without counts.
      options.run.cancellation = nil
      let simulated = try beginObserved(options, shape)
      let answered =
        if let theorem { theorem.begin(options, shape) } else {
          try begin(options, shape)
        }
      simulated.run(requests)
      answered.run(requests)
      if answered.counts == simulated.counts { continue }
      throw first.contradiction(
        policy, at: capacity, file: file, answered: answered.counts, simulated: simulated.counts)
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
  fileprivate var isLeftToPolicy: Bool {
    !expires && arguments.nested("admission") == nil && !prefetches && delay == nil
  }
}

/// The runs of plain gets, compiled for the type that a policy shows to simulations.
@usableFromInline
package struct PlainRuns: PolicyVisitor, Sendable {
  @usableFromInline var begin: PolicySimulator.BeginRun = { _, _ in
    preconditionFailure("no policy")
  }
  /// The text that is run, where it is not in the policy's file.
  @usableFromInline var text: String?

  @inlinable
  init() {}

  /// Runs that are not compiled for a type: another text than the policy's steps.
  package init(named text: String, begin: @escaping PolicySimulator.BeginRun) {
    self.text = text
    self.begin = begin
    isAnotherText = true
  }

  /// The runs over few keys, where they are of another type.
  @usableFromInline var few: PolicySimulator.BeginRun?
  @usableFromInline var hasType = false
  @usableFromInline var bytesPerObject = 0
  /// True if more than the policy's hit, insert and evict over links is run.
  @usableFromInline var isAnotherText = false

  @inlinable
  package mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    few = hasType ? begin : nil
    hasType = true
    bytesPerObject = Policy.bytesPerObject
    isAnotherText = Policy.fusesRequests || Policy.bytesPerObject > 0
    begin = { (options, shape) throws(PolicyError) in
      try SimulationLoop<Policy>.beginPlain(options, over: shape)
    }
  }

  /// The keys up to which a policy's own links run: they are in the processor's caches, and cost less than logs. Of more
  /// keys they are not, and logs, which are written in order, cost less.
  private static let fewKeys = 1 << 20

  /// The runs over a trace. The keys of one that is read block by block are not counted yet.
  func begin(over shape: RequestShape) -> PolicySimulator.BeginRun {
    shape.requests != nil && shape.slots <= PlainRuns.fewKeys ? few ?? begin : begin
  }
}
