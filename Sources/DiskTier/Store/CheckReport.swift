/// The findings of ``HybridStore/check(repair:)``, and its removals if it was to repair.
public struct CheckReport: Equatable, Sendable {
  /// Entries that were looked at.
  public var entries = 0
  /// The findings of SQLite's own check of the database; empty if it is whole.
  public var database: [String] = []
  /// Names in the store's folder, or its path, that were deleted, moved or replaced while it was open. What is still
  /// found there goes with the process.
  public var lost: [String] = []
  /// Keys of values whose length or checksum is wrong.
  public var mismatches: [String] = []
  /// Keys of rows whose file is gone.
  public var missingFiles: [String] = []
  /// Paths, inside the store's folder, of files without a row, temporary files included.
  public var orphans: [String] = []
  /// True if the recorded count and total size were those of the rows.
  public var totalsAgree = true

  /// Nothing yet.
  public init() {}

  /// True if nothing is wrong.
  public var isClean: Bool {
    database.isEmpty && lost.isEmpty && mismatches.isEmpty && missingFiles.isEmpty
      && orphans.isEmpty && totalsAgree
  }
}
