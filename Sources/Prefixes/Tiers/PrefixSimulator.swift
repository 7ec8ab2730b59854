import Eviction
import EvictionCore
import Requests

/// A policy that can be run as a cache of prefixes by name: its type is erased here, once per run, behind closures
/// that were compiled for it.
public struct PrefixSimulator: Sendable {
  @usableFromInline typealias Run =
    @Sendable (PromptForest, PrefixOptions, (Int) -> Bool) throws(PolicyError) -> PrefixCounts?
  @usableFromInline typealias MakeTier =
    @Sendable (TierSetting) throws(PolicyError) -> PrefixTier

  package let description: PolicyDescription
  private let runFreely: Run
  private let runChains: Run?
  private let makeTier: MakeTier?

  /// The simulator of a policy that cannot keep chains.
  ///
  /// Inlinable, as the other is, so that the loops are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(
      PolicyDescription(policy),
      runFreely: { (forest, options, observer) throws(PolicyError) in
        try PrefixLoop<Policy>.runFreely(forest, options: options, observer: observer)
      }, runChains: nil, makeTier: nil)
  }

  /// The simulator of a policy that can.
  @inlinable
  public init<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(policy, PolicyDescription(policy), keepsChains: true)
  }

  /// The simulator of a policy whose description is not that of its type.
  ///
  /// - Parameter keepsChains: False for one that does not pass over pinned slots, though its type may.
  @inlinable
  package init<Policy: PinnablePolicy & ~Copyable>(
    _ policy: Policy.Type, _ description: PolicyDescription, keepsChains: Bool
  ) {
    var chains = ChainRun()
    policy.visitPinned(&chains)
    self.init(
      description,
      runFreely: { (forest, options, observer) throws(PolicyError) in
        try PrefixLoop<Policy>.runFreely(forest, options: options, observer: observer)
      }, runChains: keepsChains ? chains.run : nil,
      makeTier: keepsChains ? chains.makeTier : nil)
  }

  @usableFromInline
  init(
    _ description: PolicyDescription, runFreely: @escaping Run, runChains: Run?,
    makeTier: MakeTier?
  ) {
    self.description = description
    self.runFreely = runFreely
    self.runChains = runChains
    self.makeTier = makeTier
  }

  /// True if the policy can keep chains: if it is a `PinnablePolicy`.
  package var keepsChains: Bool { runChains != nil }

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
  package func run(
    _ forest: PromptForest, options: PrefixOptions, observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> PrefixCounts? {
    try description.checkMinimum(options.run.capacity, isSized: false)
    let (capacity, warmup) = (options.run.capacity, options.warmup)
    switch (description.baseline(with: options.run.arguments), options.keepsChains) {
    case (.lru, true):
      return PrefixRecency.run(forest, capacity: capacity, warmup: warmup, observer: observer)
    case (.fifo, false):
      return FreeArrivals.run(forest, capacity: capacity, warmup: warmup, observer: observer)
    case (_, true):
      guard let runChains else { preconditionFailure("the policy cannot keep chains") }
      return try runChains(forest, options, observer)
    case (_, false): return try runFreely(forest, options, observer)
    }
  }

  /// A tier of the policy, which can keep chains.
  ///
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  func tier(_ setting: TierSetting) throws(PolicyError) -> PrefixTier {
    try description.checkMinimum(setting.options.capacity, isSized: false)
    guard let makeTier else { preconditionFailure("the policy cannot keep chains") }
    return try makeTier(setting)
  }

  /// The simulators of the catalog's policies, compiled for each of them here.
  package static let catalog: [PrefixSimulator] = {
    struct Collector: PolicyVisitor {
      var all: [PrefixSimulator] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(PrefixSimulator(policy))
      }
      mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(PrefixSimulator(policy))
      }
    }
    var collector = Collector()
    PolicyCatalog.visit(&collector)
    return collector.all
  }()
}

/// The run of the type that a policy shows to hosts that pin slots, compiled for it.
@usableFromInline
struct ChainRun: PolicyVisitor {
  @usableFromInline var run: PrefixSimulator.Run?
  @usableFromInline var makeTier: PrefixSimulator.MakeTier?

  @inlinable
  init() {}

  @inlinable
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {}

  @inlinable
  mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type) {
    run = { (forest, options, observer) throws(PolicyError) in
      try PrefixLoop<Policy>.run(forest, options: options, observer: observer)
    }
    makeTier = { (setting) throws(PolicyError) in
      PrefixTier(try PolicyTier<Policy>(setting))
    }
  }
}
