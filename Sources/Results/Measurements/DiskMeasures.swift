/// The measurements that only an experiment on disk has.
package struct DiskMeasures: Sendable, Equatable {
  /// The round of the experiment, from 1.
  package var round: Int
  /// Values of more bytes than this had files of their own.
  package var inlineThreshold: Int
  /// The bytes of a database page.
  package var pageSize: Int
  /// The store's promise, by name.
  package var durability: String

  /// Gets that hit.
  package var read: LatencySummary?
  /// Gets of values that were dropped from the system's memory before.
  package var coldRead: LatencySummary?
  /// Sets of new keys, with the evictions they brought.
  package var write: LatencySummary?
  /// Sets of keys that had a value, those of the sample after the trace included.
  package var replace: LatencySummary?

  /// Bytes of values that were set: in the warm-up, for the trace and for the sample after it.
  package var bytesSet = 0
  /// Bytes that the process wrote for them until the log was copied back into the database, at closing;
  /// nil where the system does not say.
  package var bytesWritten: Int?
  /// Transactions.
  package var commits = 0
  /// The longest that the write-ahead log was, in bytes.
  package var longestLog = 0
  /// Files at the end, the database's included.
  package var files = 0
  /// The bytes of disk that they took.
  package var allocatedBytes = 0
  /// Opening the folder as a kill would leave it.
  package var recovery: DiskRecovery?
  /// Times by size of value.
  package var sizes: [SizeTimes] = []

  /// Bytes written per byte set; nil where one of them is unknown or none.
  package var writeAmplification: Double? {
    bytesSet == 0 ? nil : bytesWritten.map { Double($0) / Double(bytesSet) }
  }

  /// Measures of which nothing is known yet.
  package init(round: Int, inlineThreshold: Int, pageSize: Int, durability: String) {
    self.round = round
    self.inlineThreshold = inlineThreshold
    self.pageSize = pageSize
    self.durability = durability
  }
}

/// The recovery of a store after a kill.
package struct DiskRecovery: Sendable, Equatable {
  /// The entries at the time of the kill.
  package var entries: Int
  /// Those that were gone afterwards.
  package var lost: Int
  /// Until the cache was open, its policy rebuilt, in seconds.
  package var openSeconds: Double
  /// Until files and rows were reconciled, in seconds.
  package var reconciledSeconds: Double

  package init(entries: Int, lost: Int, openSeconds: Double, reconciledSeconds: Double) {
    self.entries = entries
    self.lost = lost
    self.openSeconds = openSeconds
    self.reconciledSeconds = reconciledSeconds
  }
}

/// The durations of operations on values of some sizes, in nanoseconds; nil for those that did not happen.
package struct SizeTimes: Sendable, Equatable {
  /// The smallest size, a power of two or 0; the largest is one less than twice that.
  package var from: Int
  /// True if these values were in the database.
  package var isInline: Bool
  /// Gets of the trace that hit.
  package var reads = 0
  /// Their median.
  package var read: Double?
  /// The median of gets of values that were not in the system's memory.
  package var coldRead: Double?
  /// Sets of new keys, all for the trace.
  package var writes = 0
  /// Their mean, as some pay for others.
  package var write: Double?
  /// Sets of the trace of keys that had a value.
  package var replaces = 0
  /// Their mean, together with those of the sample after the trace.
  package var replace: Double?

  /// Times of which nothing is known yet.
  package init(from: Int, isInline: Bool) {
    self.from = from
    self.isInline = isInline
  }
}
