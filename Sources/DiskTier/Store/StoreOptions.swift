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

  /// The bytes of a database page, 512 to 65536; a database that exists keeps its own.
  public var pageSize = 4_096

  /// The bytes of database pages that are kept in memory.
  public var pageCache = 8 << 20

  /// The bytes of the database that are read by memory mapping; 0 turns it off.
  ///
  /// Where another program may truncate the database while it is open, turn it off: reading a page that is no
  /// longer there would kill the process.
  public var mappedBytes = 1 << 30

  /// The seconds that an operation waits for another process before it fails with
  /// ``StoreError/busy(path:action:)``.
  public var busyTimeout = 5.0

  /// The seconds for which a shared store's reconciliation leaves a file without a row alone.
  ///
  /// It must exceed the time that any process takes to write one value. An exclusive store knows that
  /// nobody else is writing, and needs no grace.
  public var orphanGrace = 3_600.0

  /// Whether opening starts a reconciliation of files and rows in the background.
  public var reconcilesOnOpen = true

  /// Called when a corrupt database was set aside, with its new path and what was wrong.
  ///
  /// It is called in the middle of an operation, and must not use the store.
  public var onSetAside: (@Sendable (_ path: String, _ problem: String) -> Void)?

  /// The defaults.
  public init() {}

  /// Refuses what makes no sense.
  func check() throws(StoreError) {
    func demand(_ isMet: Bool, _ name: String, _ problem: String) throws(StoreError) {
      if !isMet { throw .option(name: name, problem: problem) }
    }
    try demand(inlineThreshold >= 0, "inlineThreshold", "must be 0 or more bytes")
    try demand(touchesPerFlush > 0, "touchesPerFlush", "must be 1 or more")
    try demand(secondsPerFlush > 0, "secondsPerFlush", "must be more than 0 seconds")
    try demand(logLimit >= 1 << 16, "logLimit", "must be 64 KiB or more")
    try demand(
      (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0, "pageSize",
      "must be a power of two from 512 to 65536 bytes")
    try demand(pageCache >= 0, "pageCache", "must be 0 or more bytes")
    try demand(mappedBytes >= 0, "mappedBytes", "must be 0 or more bytes")
    try demand((0...86_400).contains(busyTimeout), "busyTimeout", "must be 0 to 86400 seconds")
    try demand(orphanGrace >= 0, "orphanGrace", "must be 0 or more seconds")
  }
}
