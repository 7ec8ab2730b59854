import Dispatch
import Foundation
import Synchronization

/// A persistent store of bytes by key: small values in SQLite, large ones in files beside it.
///
///     let store = try HybridStore(path: "/var/cache/images")
///     try store.put([1, 2, 3], forKey: "a")
///     try store.get("a")?.bytes                             // [1, 2, 3]
///     try store.close()
///
/// It is the ground that caches stand on: it keeps what it is given until it is told to remove it, and
/// remembers the order of accesses. It has no limits and evicts nothing.
///
/// Keys are compared by their UTF-8 bytes. All methods may be called from any thread; values are hashed,
/// and written to and read from files, outside the store's one lock. The folder holds
/// `manifest.sqlite` (with `-wal`), `data/`, `temporary/`, `trash/`, `lock`, `reserve` (room for
/// removals on a full disk) and perhaps a database that was set aside, in `corrupt-<number>/`. A folder with other things in it that is no store is refused; what is put
/// into a store's folder by others is left alone.
public final class HybridStore: @unchecked Sendable {
  /// The store's folder.
  public let path: String
  /// The options of the store.
  public let options: StoreOptions

  /// Only used with `lock` held, except for what in it is constant.
  let core: StoreCore
  let lock = StoreLock()
  let queue = DispatchQueue(label: "EvictionLab.HybridStore", qos: .utility)
  let isClosing = Atomic(false)
  private let isFlushDue = Atomic(false)

  /// Opens the store in the folder at `path`, making it (and the folders above it) if there is none.
  ///
  /// A database that is corrupt is moved into a folder `corrupt-<number>` with the files of its values, counted
  /// in ``StoreStatistics/setAsides``, and a new one begun. One that the disk fails to read is not: that is an
  /// error, and costs nothing.
  /// Entries that lost their file, and files without an entry, are removed in the background.
  ///
  /// - Complexity: O(1) after ``close()``; O(entries) after a crash, when totals are counted again.
  public convenience init(path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    try self.init(path: path, options: options, environment: StoreEnvironment())
  }

  package init(
    path: String, options: StoreOptions, environment: StoreEnvironment
  ) throws(StoreError) {
    try options.check()
    if path.isEmpty { throw .option(name: "path", problem: "must name a folder") }
    self.path = path
    self.options = options
    core = try StoreCore(path: path, options: options, environment: environment)
    core.filesWereOrphaned = { [weak self] in self?.reconcileSoon() }
    if options.reconcilesOnOpen || core.statistics.setAsides > 0 { reconcileSoon() }
    FolderWatch.shared.add(self)
  }

  deinit {
    FolderWatch.shared.remove(self)
    try? core.close()
  }

  /// Finds out whether the folder and the database are still at the path; if not, the next operation begins anew
  /// there. Another operation is not waited for.
  func lookAround() { lock.withLockIfAvailable { core.leaveIfLost() } }

  /// Begins anew now if the folder or the database is no longer at the path.
  func ensureInPlace() throws(StoreError) {
    try locked { () throws(StoreError) in
      core.leaveIfLost()
      try core.perform { _ in }
    }
  }

  /// The number of times that a database was lost or set aside: others know by it that entries are gone.
  var beginnings: Int { lock.withLock { core.statistics.setAsides + core.statistics.losses } }

  /// Runs `body` with the lock held.
  ///
  /// - Parameter settingAside: True if a database that is found to be corrupt is set aside.
  func locked<Result>(
    settingAside: Bool = true, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try lock.withLock { () throws(StoreError) in
      core.setsAside = settingAside
      defer { core.setsAside = true }
      return try body()
    }
  }

  // MARK: Reading

  /// The value of a key with all that belongs to it; nil if there is none, or if it is damaged.
  ///
  /// A value of the wrong length or checksum is removed and counted, and so is a row whose file is gone.
  ///
  /// - Parameters:
  ///   - key: Any text.
  ///   - touching: True if the get counts as an access, as ``touch(_:)-(String)`` does; the metadata are those
  ///     before it.
  public func get(_ key: String, touching: Bool = false) throws(StoreError) -> StoredValue? {
    try EntryKey.with(key) { key throws(StoreError) in
      switch try load(key, touching: touching) {
      case .absent: return nil
      case .intact(let value): return value
      case .damaged(let damage):
        repair(damage)
        return nil
      }
    }
  }

  /// Returns the metadata of a key; its bytes are not looked at; nil if it isn't there.
  public func metadata(_ key: String) throws(StoreError) -> StoredMetadata? {
    try EntryKey.with(key) { key throws(StoreError) in
      try locked { () throws(StoreError) in try core.describe(key) }
    }
  }

  /// Returns true if there is a row for the key. No access is noted, and no byte of the value is looked at.
  public func contains(_ key: String) throws(StoreError) -> Bool { try metadata(key) != nil }

  /// The number of entries.
  public var count: Int {
    get throws(StoreError) {
      try locked { () throws(StoreError) in try core.currentTotals().count }
    }
  }

  /// The bytes of all values together, without keys and extended data.
  public var totalSize: Int {
    get throws(StoreError) {
      try locked { () throws(StoreError) in try core.currentTotals().size }
    }
  }

  /// The bytes of the database that nothing is in: the next rows take them before it grows.
  var unusedSize: Int {
    get throws(StoreError) {
      try locked { () throws(StoreError) in try core.unusedSize() }
    }
  }

  /// Gives back the space of a database that has become empty.
  func giveSpaceBack() {
    try? locked { () throws(StoreError) in try core.giveSpaceBack() }
    deleteFiles(progress: nil)
  }

  /// Gives back the space of the write-ahead log, except for a small part; returns the bytes of that.
  func shrinkLog() throws(StoreError) -> Int {
    try locked { () throws(StoreError) in try core.shrinkLog() }
  }

  // MARK: Writing

  /// Puts a value, in the place of an older one if there is one.
  ///
  /// When it returns, the value is as safe as ``StoreOptions/durability`` says. When it throws, the older
  /// value is still there.
  ///
  /// - Parameters:
  ///   - value: The bytes.
  ///   - key: Any text.
  ///   - extended: Bytes that are kept beside the value.
  ///   - expires: The time at which it expires, in nanoseconds since 1970; only kept, never acted upon.
  ///   - cost: Any number; only kept.
  @discardableResult
  public func put(
    _ value: UnsafeRawBufferPointer, forKey key: String, extended: [UInt8]? = nil,
    expires: Int64? = nil, cost: Int = 1
  ) throws(StoreError) -> PutOutcome {
    try put(
      value, forKey: key, extended: extended, expires: expires, cost: cost, removing: [])
  }

  /// Puts a value, and removes other keys in the same transaction.
  ///
  /// - Parameters:
  ///   - naming: True to learn which of them were there.
  ///   - expected: The row that the key must have, or nothing is done; nil for any.
  func put(
    _ value: UnsafeRawBufferPointer, forKey key: String, extended: [UInt8]?, expires: Int64?,
    cost: Int, tags: Set<String> = [], removing leaving: [String], naming: Bool = false,
    expecting expected: ExpectedRow? = nil
  ) throws(StoreError) -> PutOutcome {
    let extended = ExtendedColumn.bytes(extended, tags: tags)
    return try EntryKey.with(key) { key throws(StoreError) in
      let isInline = value.count <= options.inlineThreshold
      try checkSize(
        key: key.bytes.count, value: value.count, extended: extended?.count ?? 0)
      var entry = StoreCore.NewEntry(
        value: value, checksum: key.checksum(of: value, extended), file: nil, extended: extended,
        expires: expires, cost: cost, expected: expected)
      var attempts = 0
      while true {
        attempts += 1
        do throws(StoreError) {
          entry.file = isInline ? nil : try core.area.write(value)
          let (outcome, files) = try locked { () throws(StoreError) in
            try core.put(key, entry, removing: leaving, naming: naming)
          }
          for file in files { core.area.remove(file.hash, file.number) }
          if outcome.isRefused, let file = entry.file { core.area.discard(key.hash, file) }
          return outcome
        } catch {
          // After an I/O error a crash may yet bring the row to light: its file is left to the reconciliation.
          if let file = entry.file, !error.leavesCommitUnknown { core.area.discard(key.hash, file) }
          guard attempts < 4, case .io(_, _, ENOENT) = error else { throw error }
          // The folder is gone, or a part of it.
          try ensureInPlace()
        }
      }
    }
  }

  /// Puts a value, as ``put(_:forKey:extended:expires:cost:)-(UnsafeRawBufferPointer,_,_,_,_)`` does.
  @discardableResult
  public func put(
    _ value: [UInt8], forKey key: String, extended: [UInt8]? = nil, expires: Int64? = nil,
    cost: Int = 1
  ) throws(StoreError) -> PutOutcome {
    try put(
      value, forKey: key, extended: extended, expires: expires, cost: cost, removing: [])
  }

  /// The same for a value that is an array.
  func put(
    _ value: [UInt8], forKey key: String, extended: [UInt8]?, expires: Int64?, cost: Int,
    tags: Set<String> = [], removing leaving: [String], naming: Bool = false,
    expecting expected: ExpectedRow? = nil
  ) throws(StoreError) -> PutOutcome {
    var result: Result<PutOutcome, StoreError>?
    value.withUnsafeBytes { bytes in
      do throws(StoreError) {
        result = .success(
          try put(
            bytes, forKey: key, extended: extended, expires: expires, cost: cost, tags: tags,
            removing: leaving, naming: naming, expecting: expected))
      } catch {
        result = .failure(error)
      }
    }
    return try result!.get()
  }

  /// Returns the tags of an entry; none if it has no row.
  func tags(_ key: String) throws(StoreError) -> Set<String> {
    try EntryKey.with(key) { key throws(StoreError) in
      try locked { () throws(StoreError) in try core.tags(key) }
    }
  }

  /// Throws if the row of an entry, whose parts have these bytes, is larger than a database can hold.
  func checkSize(key: Int, value: Int, extended: Int) throws(StoreError) {
    let row = key + extended + (value <= options.inlineThreshold ? value : 0)
    if row > HybridStore.rowLimit {
      throw .tooLarge(what: "row", bytes: row, limit: HybridStore.rowLimit)
    }
  }

  /// The bytes of a row: SQLite's limit, less what the other columns take.
  package static let rowLimit = 999_999_000

  /// Changes the time at which the value of a key that was put at `created` expires; returns whether it was there.
  func setExpires(
    _ expires: Int64?, forKey key: String, created: Int64
  ) throws(StoreError) -> Bool {
    try EntryKey.with(key) { key throws(StoreError) in
      try locked { () throws(StoreError) in
        try core.setExpires(expires, of: key, created: created)
      }
    }
  }

  /// Removes a key; returns the size of its value, nil if it wasn't there.
  @discardableResult
  public func remove(_ key: String) throws(StoreError) -> Int? {
    let outcome = try remove([key])
    return outcome.count == 0 ? nil : outcome.bytes
  }

  /// Removes many keys in one transaction: all of them or, if it throws, none. For evictions.
  @discardableResult
  public func remove(_ keys: [String]) throws(StoreError) -> RemovalOutcome {
    try remove(keys, naming: false)
  }

  /// The same.
  ///
  /// - Parameter naming: True to learn which of them were there.
  func remove(_ keys: [String], naming: Bool) throws(StoreError) -> RemovalOutcome {
    if keys.isEmpty { return RemovalOutcome(count: 0, bytes: 0) }
    let (outcome, files) = try locked { () throws(StoreError) in
      try core.remove(keys, naming: naming)
    }
    for file in files { core.area.remove(file.hash, file.number) }
    return outcome
  }

  /// Removes all entries.
  ///
  /// On return nothing is to be found any more. The files are deleted afterwards in the background, unless
  /// there is a `progress`: then here, with a call now and then of how many are deleted out of how many.
  public func removeAll(
    progress: ((_ deleted: Int, _ total: Int) -> Void)? = nil
  ) throws(StoreError) {
    try removeRows()
    deleteFiles(progress: progress)
  }

  /// Removes all entries; their files are out of the way.
  func removeRows() throws(StoreError) {
    try locked { () throws(StoreError) in try core.removeAll() }
  }

  /// Deletes the files that are out of the way: in the background, or here if there is a `progress`.
  func deleteFiles(progress: ((_ deleted: Int, _ total: Int) -> Void)?) {
    if let progress {
      core.area.emptyTrash(progress: progress)
    } else {
      queue.async { [weak self, area = core.area] in
        area.emptyTrash(goOn: { self?.isClosing.load(ordering: .relaxed) == false })
      }
    }
  }

  // MARK: Access times

  /// Notes an access to a key, whether it is there or not.
  ///
  /// Accesses are gathered and written together: every ``StoreOptions/touchesPerFlush``, after
  /// ``StoreOptions/secondsPerFlush``, in ``flush()`` and in ``close()``.
  public func touch(_ key: String) { touch(CollectionOfOne(key)) }

  /// Notes accesses to many keys, in this order.
  public func touch(_ keys: some Collection<String>) {
    lock.withLock {
      for key in keys { core.touch(EntryKey.hash(key)) }
    }
    flushLater()
  }

  /// Sees to it that gathered access times are written before long.
  func flushLater() {
    if isFlushDue.exchange(true, ordering: .relaxed) { return }
    queue.asyncAfter(deadline: .now() + options.secondsPerFlush) { [weak self] in
      guard let self else { return }
      isFlushDue.store(false, ordering: .relaxed)
      lock.withLock { if !isClosing.load(ordering: .relaxed) { core.tryFlushingTouches() } }
    }
  }

  // MARK: Upkeep

  /// Writes what is gathered in memory: access times and totals.
  public func flush() throws(StoreError) {
    try locked { () throws(StoreError) in try core.flush() }
  }

  /// Flushes, waits for work in the background, and closes. Every later call throws
  /// ``StoreError/closed(path:)``; closing again does nothing.
  ///
  /// What it throws is the flush's error; the store is closed nevertheless.
  public func close() throws(StoreError) {
    isClosing.store(true, ordering: .relaxed)
    FolderWatch.shared.remove(self)
    waitForBackgroundWork()
    try locked { () throws(StoreError) in try core.close() }
  }

  /// Waits until the reconciliation that opening started, and deletions in the background, are done.
  public func waitForBackgroundWork() { queue.sync {} }

  /// The counts since the store was opened.
  public var statistics: StoreStatistics {
    lock.withLock {
      var statistics = core.statistics
      statistics.commits = core.commits
      return statistics
    }
  }
}
