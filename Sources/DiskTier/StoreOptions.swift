/// How a ``HybridStore`` works.
public struct StoreOptions: Sendable {
  /// Who else may open the store.
  public enum Sharing: String, CaseIterable, Sendable {
    /// Nobody: a second opening, from this process or another, is refused. The faster one.
    case exclusive
    /// Other processes, and this one again, that also ask for `shared`.
    case shared
  }

  /// Values of more bytes than this go to files of their own; 0 means all (but empty ones), `Int.max`
  /// none.
  ///
  /// A file is limited by the file system; a value in the database by SQLite, at 10^9 bytes.
  public var inlineThreshold = 20_480

  /// What is promised about an operation that has returned.
  public var durability = Durability.processCrash

  /// Who else may open the store.
  public var sharing = Sharing.exclusive

  /// The number of access times that are gathered in memory before they are written together.
  ///
  /// What was not written is lost with the process: the order of access goes back a little.
  public var touchesPerFlush = 256

  /// The seconds after which gathered access times are written, however few they are.
  public var secondsPerFlush = 5.0

  /// The bytes of write-ahead log above which it is copied back into the database.
  ///
  /// The log stays below this plus the size of the largest single transaction.
  public var logLimit = 4 << 20

  /// The bytes of database pages that are kept in memory.
  public var pageCache = 8 << 20

  /// The bytes of the database that are read by memory mapping; 0 turns it off.
  public var mappedBytes = 1 << 30

  /// The seconds that an operation waits for another process before it fails with ``StoreError/busy``.
  public var busyTimeout = 5.0

  /// The seconds for which a file without a row is left alone by the reconciliation at the start.
  ///
  /// In a shared store it must exceed the time that any process takes to write one value.
  public var orphanGrace = 3_600.0

  /// Whether opening starts a reconciliation of files and rows in the background.
  public var reconcilesOnOpen = true

  /// The defaults.
  public init() {}
}
