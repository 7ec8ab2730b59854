/// The options of a ``HybridStore``.
public struct StoreOptions: Sendable {
  /// The others who may open the store.
  public enum Sharing: String, CaseIterable, Sendable {
    /// None: a second opening, from this process or another, is refused. The faster one.
    case exclusive
    /// Other processes, and this one again, that also ask for `shared`.
    case shared
  }

  /// Values of more bytes than this go to files of their own; 0 means all (but empty ones), `Int.max`
  /// none.
  ///
  /// A file is limited by the file system; a value in the database by SQLite, at 10^9 bytes.
  public var inlineThreshold = 20_480

  /// The promise about an operation that has returned.
  public var durability = Durability.processCrash

  /// The others who may open the store.
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

  /// The bytes of the database that are read by memory mapping; 0, the default, turns it off.
  ///
  /// A mapped page that the disk fails to read, or that another program has cut off, kills the process by
  /// `SIGBUS`: read without a mapping, it is an error. The entries are as safe with a mapping as without.
  public var mappedBytes = 0

  /// The seconds that an operation waits for another process before it fails with
  /// ``StoreError/busy(path:action:)``.
  public var busyTimeout = 5.0

  /// The seconds for which a shared store's reconciliation leaves a file without a row alone.
  ///
  /// It must exceed the time that any process takes to write one value. An exclusive store knows that
  /// no other process is writing, and needs no grace.
  public var orphanGrace = 3_600.0

  /// True if opening starts a reconciliation of files and rows in the background.
  public var reconcilesOnOpen = true

  /// The outcome of opening a store that cannot be read: another version of the schema or another
  /// ``StoreOptions/format`` wrote it.
  public enum Incompatible: String, CaseIterable, Sendable {
    /// ``StoreError/incompatible(path:problem:)``; the store is left as it is.
    case refuse
    /// Its entries are removed, and an empty store begins, unless another process has it open.
    case beginAnew
  }

  /// The outcome of opening a store of another version or format.
  public var incompatible = Incompatible.refuse

  /// The name of the format that the values have; nil for any.
  ///
  /// It is written into the database when it is made, or when one without a name is first opened with one, and
  /// compared at every later opening. A cache whose options name none gives the name of its ``ValueCoder``.
  public var format: String?

  /// The permissions of files that the store makes, SQLite's included; the umask changes nothing about them.
  ///
  /// Folders can be entered by those who may read files. 0o660 is for processes of several users of one group.
  public var fileMode = 0o600

  /// The number of corrupt databases that are kept after they were set aside, each with the files of its values.
  ///
  /// When one more is set aside, the oldest beyond this number is deleted; 0 keeps none. They count for no limit
  /// of a cache. Nothing else deletes them.
  public var setAsidesKept = 1

  /// Called when a corrupt database was set aside, with the folder that it is in and what was wrong.
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
    try demand(
      (1...1 << 20).contains(touchesPerFlush), "touchesPerFlush", "must be 1 to 1048576")
    try demand(
      secondsPerFlush > 0 && secondsPerFlush <= 86_400, "secondsPerFlush",
      "must be more than 0 and at most 86400 seconds")
    try demand((1 << 16...1 << 40).contains(logLimit), "logLimit", "must be 64 KiB to 1 TiB")
    try demand(
      (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0, "pageSize",
      "must be a power of two from 512 to 65536 bytes")
    try demand((0...1 << 40).contains(pageCache), "pageCache", "must be 0 bytes to 1 TiB")
    try demand((0...1 << 40).contains(mappedBytes), "mappedBytes", "must be 0 bytes to 1 TiB")
    try demand((0...86_400).contains(busyTimeout), "busyTimeout", "must be 0 to 86400 seconds")
    try demand(orphanGrace >= 0, "orphanGrace", "must be 0 or more seconds")
    try demand(
      fileMode & 0o600 == 0o600 && fileMode & ~0o666 == 0, "fileMode",
      "must let the owner read and write, and no one execute")
    try demand(setAsidesKept >= 0, "setAsidesKept", "must be 0 or more")
  }
}
