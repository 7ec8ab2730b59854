/// What ``HybridStore/check(repair:)`` found, and, if it was to repair, removed.
public struct CheckReport: Equatable, Sendable {
  /// Entries that were looked at.
  public var entries = 0
  /// What SQLite's own check says about the database; empty if it is whole.
  public var database: [String] = []
  /// Keys of values whose length or checksum is wrong.
  public var mismatches: [String] = []
  /// Keys of rows whose file is gone.
  public var missingFiles: [String] = []
  /// Paths, inside the store's folder, of files without a row, temporary files included.
  public var orphans: [String] = []
  /// Whether the recorded count and total size were those of the rows.
  public var totalsAgree = true

  /// Nothing yet.
  public init() {}

  /// Whether nothing is wrong.
  public var isClean: Bool {
    database.isEmpty && mismatches.isEmpty && missingFiles.isEmpty && orphans.isEmpty
      && totalsAgree
  }
}
