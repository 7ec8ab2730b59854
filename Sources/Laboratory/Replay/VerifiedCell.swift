import Eviction

/// What a verification found of one cell.
public struct VerifiedCell: Sendable {
  /// The trace's name.
  public let trace: String
  /// The policy as it is written.
  public let policy: String
  /// The capacity at the start, in objects.
  public let capacity: Int
  /// Where every random draw started from.
  public let seed: Int
  /// The cache's lock, and how often there is one.
  public let lock: LockChoice
  /// When the policy learned of hits.
  public let reads: CacheReads
  /// Threads that used the cache.
  public let threads: Int
  /// Gets, sets, removals, trims and changes of the limit.
  public let operations: Int
  /// Values that were returned, each of which was judged.
  public let judged: Int
  /// How long they took.
  public let seconds: Double
  /// What a get returned that no cache may return, in a line each; a cell ends with its first.
  public let violations: [String]
}

/// How far a verification has come.
public struct VerificationProgress: Sendable {
  /// Cells done.
  public let cells: Int
  /// Cells of the plan.
  public let totalCells: Int
  /// Operations so far.
  public let operations: Int
  /// Time since the start.
  public let seconds: Double
  /// The share of the whole that is done, from 0 to 1.
  public let fraction: Double
}
