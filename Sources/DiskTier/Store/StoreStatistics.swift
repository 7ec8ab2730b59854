/// The counts of a ``HybridStore`` since it was opened.
public struct StoreStatistics: Equatable, Sendable {
  /// Values whose length or checksum was wrong; each became a miss, and its entry was removed.
  public var mismatches = 0
  /// Rows whose file was gone; each became a miss, and the row was removed.
  public var missingFiles = 0
  /// Files without a row, and temporary files, that were removed.
  public var orphans = 0
  /// Corrupt databases that were set aside.
  public var setAsides = 0
  /// Times that the folder or the database was found to be deleted, moved or replaced while it was open; then the
  /// store went on with what is at its path, which is made again if it is gone.
  public var losses = 0
  /// Transactions that have changed the database, since it was opened or begun anew.
  public var commits = 0
  /// Times that the write-ahead log was copied back into the database.
  public var checkpoints = 0
  /// Times that this failed; it is tried again after some more commits.
  public var failedCheckpoints = 0
  /// Bytes of values and extended data that were put.
  public var bytesPut = 0
  /// Times that gathered access times could not be written; they are kept and tried again.
  public var failedFlushes = 0
  /// Entries that left since another key had the same 64-bit hash.
  public var collisions = 0

  /// Nothing yet.
  public init() {}
}

/// A number of entries and the bytes of their values, or a difference of such.
struct Totals: Equatable {
  var count = 0
  var size = 0

  /// Wraps around, since a damaged row may claim any size.
  static func += (left: inout Totals, right: Totals) {
    left.count &+= right.count
    left.size &+= right.size
  }
}
