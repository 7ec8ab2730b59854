/// The counts of a cache since it was created.
public struct CacheStatistics: Sendable, Equatable {
  /// Gets that found a value.
  public var hits = 0
  /// Gets that found none.
  public var misses = 0
  /// Objects that became resident.
  public var insertions = 0
  /// Objects that left because of the limits, a trim or a purge.
  public var evictions = 0
  /// Residents that a set gave another value.
  public var replacements = 0
  /// Objects whose time was over.
  public var expirations = 0
  /// Objects that had discarded their own content.
  public var discards = 0
  /// Residents that left as they grew: larger than an entry may be.
  public var outgrown = 0
  /// Objects that were not admitted: larger than the cost limit, or refused by the policy.
  public var rejections = 0
  /// Objects removed by the user.
  public var removals = 0
  /// Loads that brought a value.
  public var loads = 0
  /// Loads that failed or were given up.
  public var failedLoads = 0
  /// Writes to a disk that failed after the operation that brought the value had returned: of loaded values, and
  /// of those that a cache in tiers writes back. None in memory.
  public var failedWrites = 0
  /// The number of objects resident when the statistics were read.
  public var count = 0
  /// The sum of their costs, or the largest number.
  public var totalCost = 0

  /// Nothing counted yet.
  @inlinable
  public init() {}

  /// The number of gets: ``hits`` and ``misses`` together.
  public var requests: Int { hits + misses }

  /// The number of values that left for `cause`.
  public func removals(for cause: RemovalCause) -> Int {
    switch cause {
    case .size: evictions + outgrown
    case .expired: expirations
    case .replaced: replacements
    case .removed: removals
    case .discarded: discards
    }
  }

  /// Hits ÷ gets; nil before the first get.
  public var hitRatio: Double? { requests == 0 ? nil : Double(hits) / Double(requests) }

  /// Counts what another cache, or another part of this one, has counted.
  public mutating func add(_ other: CacheStatistics) {
    hits += other.hits
    misses += other.misses
    insertions += other.insertions
    evictions += other.evictions
    replacements += other.replacements
    expirations += other.expirations
    discards += other.discards
    outgrown += other.outgrown
    rejections += other.rejections
    removals += other.removals
    loads += other.loads
    failedLoads += other.failedLoads
    failedWrites += other.failedWrites
    count += other.count
    totalCost = totalCost.saturatingAdd(other.totalCost)
  }
}

extension CacheStatistics: CustomStringConvertible {
  /// The counts that say how well the cache does: `requests 10, hits 7 (70.0 %), evictions 2`.
  public var description: String {
    let percent = hitRatio.map { " (\((1_000 * $0).rounded() / 10) %)" } ?? ""
    return "requests \(requests), hits \(hits)\(percent), evictions \(evictions)"
  }
}
