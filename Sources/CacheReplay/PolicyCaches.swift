import DiskTier
import Eviction
import EvictionCore
import Parameters
import Requests

/// A policy that can run inside real caches, in memory and on disk, by name: its type is erased here, once
/// per cache, behind closures that were compiled for it.
public struct PolicyCaches: Sendable {
  package let description: PolicyDescription

  private let makeCache:
    @Sendable (Specification, RunOptions, Bool, CacheArrangement, () -> any CacheLock)
      throws(PolicyError) -> ReplayedCache
  package let openDisk: ReplayedDiskCache.Open

  /// The caches of a policy's type.
  ///
  /// Inlinable, so that memory caches are specialised where the type is known, in other packages too.
  @inlinable
  public init<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    self.init(
      PolicyDescription(policy),
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
    _ description: PolicyDescription,
    makeCache:
      @escaping @Sendable (
        Specification, RunOptions, Bool, CacheArrangement, () -> any CacheLock
      ) throws(PolicyError) -> ReplayedCache,
    openDisk: @escaping ReplayedDiskCache.Open
  ) {
    self.description = description
    self.makeCache = makeCache
    self.openDisk = openDisk
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
    let parameters = PolicyDescription.ownParameters(of: policy)
    return try ReplayPasses(stream: stream, options: options) { (lock) throws(PolicyError) in
      try makeCache(
        parameters, options.run, stream.isSized, CacheArrangement(options), lock)
    }.run(observer: observer)
  }

  /// The caches of the catalog's policies, compiled for each of them here.
  package static let catalog: [PolicyCaches] = {
    struct Collector: PolicyVisitor {
      var all: [PolicyCaches] = []
      mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
        all.append(PolicyCaches(policy))
      }
    }
    var collector = Collector()
    PolicyCatalog.visit(&collector)
    return collector.all
  }()
}
