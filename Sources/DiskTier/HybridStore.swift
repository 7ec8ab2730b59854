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
/// `manifest.sqlite` (with `-wal`), `data/`, `temporary/`, `trash/` and `lock`, and nothing else
/// should be put there.
public final class HybridStore: Sendable {
  /// The store's folder.
  public let path: String
  /// How the store works.
  public let options: StoreOptions

  /// Opens the store in the folder at `path`, making it (and the folders above it) if there is none.
  ///
  /// A database that is corrupt is renamed, counted in ``StoreStatistics/setAsides``, and a new one begun.
  /// Entries that lost their file, and files without an entry, are removed in the background.
  ///
  /// - Complexity: O(1) after ``close()``; O(entries) after a crash, when totals are counted again.
  public init(path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    self.path = path
    self.options = options
  }

  // MARK: Reading

  /// The value of a key with all that belongs to it; nil if there is none, or if it is damaged.
  ///
  /// A value of the wrong length or checksum is removed and counted, and so is a row whose file is gone.
  ///
  /// - Parameter touching: Whether the get counts as an access; see ``touch(_:)``.
  public func get(_ key: String, touching: Bool = false) throws(StoreError) -> StoredValue? {
    fatalError()
  }

  /// What is known of a key besides its bytes, which are not looked at; nil if it isn't there.
  public func metadata(_ key: String) throws(StoreError) -> StoredMetadata? { fatalError() }

  /// Whether there is a row for the key. No access is noted, and no byte of the value is looked at.
  public func contains(_ key: String) throws(StoreError) -> Bool { fatalError() }

  /// The number of entries.
  public var count: Int { get throws(StoreError) { fatalError() } }

  /// The bytes of all values together, without keys and extended data.
  public var totalSize: Int { get throws(StoreError) { fatalError() } }

  /// Hands out all entries, least recently accessed first, in batches of at most `size`.
  ///
  /// Entries put meanwhile are not handed out; those removed meanwhile may be missing, and the store may be
  /// used from `body`, which returns whether to go on.
  ///
  /// - Complexity: O(n log n) time, 16 bytes an entry.
  public func forEachBatch(
    of size: Int = 512, _ body: ([StoredRow]) -> Bool
  ) throws(StoreError) { fatalError() }

  // MARK: Writing

  /// Puts a value, in the place of an older one if there is one.
  ///
  /// When it returns, the value is as safe as ``StoreOptions/durability`` says. When it throws, the older
  /// value is still there.
  ///
  /// - Parameters:
  ///   - expires: When it expires, in nanoseconds since 1970; only kept, never acted upon.
  ///   - cost: Any number; only kept.
  @discardableResult
  public func put(
    _ value: UnsafeRawBufferPointer, forKey key: String, extended: [UInt8]? = nil,
    expires: Int64? = nil, cost: Int = 1
  ) throws(StoreError) -> PutOutcome { fatalError() }

  /// Puts a value, as ``put(_:forKey:extended:expires:cost:)`` does.
  @discardableResult
  public func put(
    _ value: [UInt8], forKey key: String, extended: [UInt8]? = nil, expires: Int64? = nil,
    cost: Int = 1
  ) throws(StoreError) -> PutOutcome { fatalError() }

  /// Removes a key; returns the size of its value, nil if it wasn't there.
  @discardableResult
  public func remove(_ key: String) throws(StoreError) -> Int? { fatalError() }

  /// Removes many keys in one transaction: all of them or, if it throws, none. For evictions.
  @discardableResult
  public func remove(_ keys: [String]) throws(StoreError) -> RemovalOutcome { fatalError() }

  /// Removes all entries.
  ///
  /// On return nothing is to be found any more. The files are deleted afterwards in the background, unless
  /// there is a `progress`: then here, with a call now and then of how many are deleted out of how many.
  public func removeAll(
    progress: ((_ deleted: Int, _ total: Int) -> Void)? = nil
  ) throws(StoreError) { fatalError() }

  // MARK: Access times

  /// Notes an access to a key, whether it is there or not.
  ///
  /// Accesses are gathered and written together: every ``StoreOptions/touchesPerFlush``, after
  /// ``StoreOptions/secondsPerFlush``, in ``flush()`` and in ``close()``.
  public func touch(_ key: String) { fatalError() }

  /// Notes accesses to many keys, in this order.
  public func touch(_ keys: [String]) { fatalError() }

  // MARK: Upkeep

  /// Writes what is gathered in memory: access times and totals.
  public func flush() throws(StoreError) { fatalError() }

  /// Flushes, waits for work in the background, and closes. Every later call throws
  /// ``StoreError/closed(path:)``; closing again does nothing.
  public func close() throws(StoreError) { fatalError() }

  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  ///
  /// - Complexity: It reads everything.
  public func check(repair: Bool) throws(StoreError) -> CheckReport { fatalError() }

  /// Waits until the reconciliation that opening started, and deletions in the background, are done.
  public func waitForBackgroundWork() { fatalError() }

  /// What has happened since the store was opened.
  public var statistics: StoreStatistics { fatalError() }
}
