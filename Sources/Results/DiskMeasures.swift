/// The measurements that only an experiment on disk has.
public struct DiskMeasures: Sendable, Equatable {
  /// The round of the experiment, from 1.
  public var round: Int
  /// Values of more bytes than this had files of their own.
  public var inlineThreshold: Int
  /// The bytes of a database page.
  public var pageSize: Int
  /// The store's promise, by name.
  public var durability: String

  /// Gets that hit.
  public var read: LatencySummary?
  /// Gets of values that were dropped from the system's memory before.
  public var coldRead: LatencySummary?
  /// Sets of new keys, with the evictions they brought.
  public var write: LatencySummary?
  /// Sets of keys that had a value, those of the sample after the trace included.
  public var replace: LatencySummary?

  /// Bytes of values that were set: in the warm-up, for the trace and for the sample after it.
  public var bytesSet = 0
  /// Bytes that the process wrote for them until the log was copied back into the database, at closing;
  /// nil where the system does not say.
  public var bytesWritten: Int?
  /// Transactions.
  public var commits = 0
  /// The longest that the write-ahead log was, in bytes.
  public var longestLog = 0
  /// Files at the end, the database's included.
  public var files = 0
  /// The bytes of disk that they took.
  public var allocatedBytes = 0
  /// Opening the folder as a kill would leave it.
  public var recovery: DiskRecovery?
  /// Times by size of value.
  public var sizes: [SizeTimes] = []

  /// Bytes written per byte set; nil where one of them is unknown or none.
  public var writeAmplification: Double? {
    bytesSet == 0 ? nil : bytesWritten.map { Double($0) / Double(bytesSet) }
  }

  /// Measures of which nothing is known yet.
  public init(round: Int, inlineThreshold: Int, pageSize: Int, durability: String) {
    self.round = round
    self.inlineThreshold = inlineThreshold
    self.pageSize = pageSize
    self.durability = durability
  }
}

/// The recovery of a store after a kill.
public struct DiskRecovery: Sendable, Equatable {
  /// The entries at the time of the kill.
  public var entries: Int
  /// Those that were gone afterwards.
  public var lost: Int
  /// Until the cache was open, its policy rebuilt, in seconds.
  public var openSeconds: Double
  /// Until files and rows were reconciled, in seconds.
  public var reconciledSeconds: Double

  package init(entries: Int, lost: Int, openSeconds: Double, reconciledSeconds: Double) {
    self.entries = entries
    self.lost = lost
    self.openSeconds = openSeconds
    self.reconciledSeconds = reconciledSeconds
  }
}

/// The durations of operations on values of some sizes, in nanoseconds; nil for those that did not happen.
public struct SizeTimes: Sendable, Equatable {
  /// The smallest size, a power of two or 0; the largest is one less than twice that.
  public var from: Int
  /// True if these values were in the database.
  public var isInline: Bool
  /// Gets of the trace that hit.
  public var reads = 0
  /// Their median.
  public var read: Double?
  /// The median of gets of values that were not in the system's memory.
  public var coldRead: Double?
  /// Sets of new keys, all for the trace.
  public var writes = 0
  /// Their mean, as some pay for others.
  public var write: Double?
  /// Sets of the trace of keys that had a value.
  public var replaces = 0
  /// Their mean, together with those of the sample after the trace.
  public var replace: Double?

  /// Times of which nothing is known yet.
  public init(from: Int, isInline: Bool) {
    self.from = from
    self.isInline = isInline
  }
}
