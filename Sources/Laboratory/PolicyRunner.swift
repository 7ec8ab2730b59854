import DiskTier
import Eviction
import Parameters

/// A policy that can be run by name: its type is erased here, once per run, behind closures that were
/// compiled for it.
public struct PolicyRunner: Sendable {
  /// What the catalog says of the policy.
  public let information: PolicyInformation
  /// What the policy reads of a request beyond slot and size.
  public let needs: RequestNeeds

  let create: @Sendable (PolicyConfiguration) throws(PolicyError) -> Void
  let simulate:
    @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
      throws(PolicyError) -> RequestCounts?
  let makeCache:
    @Sendable (Specification, SimulationOptions, Bool, CacheArrangement, () -> any CacheLock)
      throws(PolicyError) -> ReplayedCache
  let openDisk: @Sendable (String, DiskCacheOptions) throws(DiskCacheError) -> ReplayedDiskCache

  /// A runner for a policy's type.
  ///
  /// Inlinable, so that the loops are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(
      information: Policy.information, needs: Policy.needs,
      create: { (configuration) throws(PolicyError) in _ = try Policy(configuration) },
      simulate: { (stream, options, internals, observer) throws(PolicyError) in
        try Simulation<Policy>.run(
          stream, options: options, internals: &internals, observer: observer)
      },
      makeCache: { (parameters, options, isSized, arrangement, lock) throws(PolicyError) in
        try ReplayedCache(
          of: Policy.self, parameters: parameters, options: options, isSized: isSized,
          arrangement: arrangement, lock: lock)
      },
      openDisk: { (path, options) throws(DiskCacheError) in
        ReplayedDiskCache(
          try DiskCache<[UInt8], Policy>.open(path: path, options: options, coder: .bytes))
      })
  }

  @usableFromInline
  init(
    information: PolicyInformation, needs: RequestNeeds,
    create: @escaping @Sendable (PolicyConfiguration) throws(PolicyError) -> Void,
    simulate:
      @escaping @Sendable (RequestStream, SimulationOptions, inout InternalsSeries, (Int) -> Bool)
      throws(PolicyError) -> RequestCounts?,
    makeCache:
      @escaping @Sendable (
        Specification, SimulationOptions, Bool, CacheArrangement, () -> any CacheLock
      ) throws(PolicyError) -> ReplayedCache,
    openDisk:
      @escaping @Sendable (String, DiskCacheOptions) throws(DiskCacheError)
      -> ReplayedDiskCache
  ) {
    self.information = information
    self.needs = needs
    self.create = create
    self.simulate = simulate
    self.makeCache = makeCache
    self.openDisk = openDisk
  }

  /// The policy's own parameters, and those that every policy has.
  public var parameters: [Parameter] { information.parameters + PolicyRunner.commonParameters }

  /// Parameters that every policy has.
  public static let commonParameters = [
    Parameter(
      "resize", .flag, default: .flag(false),
      help: "in a sized run, a hit gives the object the size of the latest request"),
    PolicyRunner.admissionParameter,
  ]

  /// Runs the policy alone over `stream`.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: Capacity, parameters, seed and warm-up.
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
    try checkMinimum(options.capacity, isSized: stream.isSized)
    return try simulate(stream, options, &internals, observer)
  }

  /// Runs the policy alone over `stream`, without a look at what it learns.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: Capacity, parameters, seed and warm-up.
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

  /// Whether the policy can run at `capacity` with `arguments`, without running it.
  ///
  /// - Throws: The `PolicyError` that a run would throw.
  public func check(
    capacity: Int, isSized: Bool, arguments: Arguments
  ) throws(PolicyError) {
    try checkMinimum(capacity, isSized: isSized)
    try create(PolicyConfiguration(capacity: capacity, isSized: isSized, arguments: arguments))
    _ = try PolicyRunner.filter(
      SimulationOptions(capacity: capacity, arguments: arguments), policy: information.name,
      isSized: isSized)
  }

  private func checkMinimum(_ capacity: Int, isSized: Bool) throws(PolicyError) {
    if !isSized && capacity < information.minimumCapacity {
      throw .capacityTooSmall(
        policy: information.name, capacity: capacity, minimum: information.minimumCapacity)
    }
  }

  /// Replays `stream` through a real cache of this policy.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - options: How the cache is driven.
  ///   - policy: The policy's name and parameters.
  ///   - observer: Called now and then with the requests done in all passes; returning false
  ///     stops the replay.
  /// - Returns: What was measured, or nil if the observer stopped it.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  /// - Complexity: O(requests) times the cost of a get and a set, for each pass.
  public func replay(
    _ stream: RequestStream, options: ReplayOptions, policy: Specification,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> ReplayOutcome? {
    let parameters = cacheParameters(of: policy)
    return try CacheReplay(stream: stream, options: options) { (lock) throws(PolicyError) in
      try makeCache(
        parameters, options.run, stream.isSized, CacheArrangement(options), lock)
    }.run(observer: observer)
  }

  /// The parameters that are the policy's own.
  func cacheParameters(of policy: Specification) -> Specification {
    policy.withoutNested("admission").without(PolicyRunner.commonParameters)
  }

  /// Every policy of the catalog.
  public static let all: [PolicyRunner] = {
    struct Collector: PolicyVisitor {
      var all: [PolicyRunner] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(PolicyRunner(policy))
      }
    }
    var collector = Collector()
    PolicyCatalog.visit(&collector)
    return collector.all
  }()
}
