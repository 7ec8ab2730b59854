import Dispatch
import EvictionCore
import Foundation
import Synchronization

/// A persistent cache of typed values that evicts by any policy of the family.
///
///     var options = DiskCacheOptions()
///     options.costLimit = 512 << 20                        // bytes
///     let cache = try DiskCache<Page, SIEVE>.open(path: "/var/cache/pages", options: options)
///     try cache.set(page, forKey: "a", expiration: .after(.seconds(3_600)))
///     try cache.value(forKey: "a")
///
/// Limits are strict: when a set returns, the cache is within them, on the disk too. It decides exactly as
/// a `MemoryCache` with the same policy and limits would: a get that misses does not reach the policy, a
/// set of a key that is there is a hit, a value that is too large or refused is not stored, and what its key
/// had before is gone. So it is after a set that fails: an outdated value is never returned.
///
/// Opening tells the policy of all entries in the order of their accesses, or, where reads are not recorded
/// (``AccessRecording``), of their insertion; ghosts and bits are lost. Where several processes share the
/// path (``StoreOptions/Sharing/shared``), the order is in the rows alone, and the policy is `LRU` or `FIFO`.
///
/// There is one cache a path in a process: ``open(path:options:coder:)`` returns it again as long as it is in
/// use.
///
/// - Complexity: A get is one call to the store, besides O(1) in memory; a get that misses is none, unless
///   the path is shared. Values are encoded and decoded without any lock, and reads wait for no writes.
///   Memory per entry: about 50 bytes, the key if it is longer than 15 bytes, and what the policy needs;
///   none if the path is shared.
public final class DiskCache<
  Value: Sendable, Policy: ReplacementPolicy & ~Copyable
>: Sendable {
  /// The folder.
  public let path: String
  /// How it was opened.
  public let options: DiskCacheOptions
  let coder: ValueCoder<Value>
  private let reservation: DiskCacheRegistry.Reservation

  let store: HybridStore
  let directory: any DiskDirectory
  /// Whether reads are recorded.
  let recordsAccesses: Bool
  /// Held while something changes, so that directory and rows change alike; how many databases that were
  /// set aside the directory knows of.
  let writing = Mutex(0)
  let counters = Mutex(DiskCacheStatistics())
  private let isClosed = Atomic<Bool>(false)
  private let trimming = Mutex<RepeatedTask?>(nil)
  /// The writes that others have delayed, and which closing does first.
  let lastWrites = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])
  /// Where the asynchronous forms read and write.
  let readQueue = DispatchQueue(label: "evictionlab.disk.read", attributes: .concurrent)
  let writeQueue = DispatchQueue(label: "evictionlab.disk.write")

  init(
    path: String, options: DiskCacheOptions, coder: ValueCoder<Value>,
    environment: StoreEnvironment, reservation: DiskCacheRegistry.Reservation
  ) throws(DiskCacheError) {
    self.path = path
    self.options = options
    self.coder = coder
    self.reservation = reservation
    recordsAccesses = options.accessRecording.isOn(for: Policy.information)
    if options.store.sharing == .shared {
      let policy = Policy.information.name
      guard let order = RowDirectory.Order(rawValue: policy) else {
        throw .shared(path: path, problem: "only lru and fifo can run, not \(policy)")
      }
      if order == .lru && !recordsAccesses {
        throw .shared(path: path, problem: "lru needs its reads recorded")
      }
      if options.admission != nil {
        throw .shared(path: path, problem: "no admission filter can run")
      }
      do {
        store = try HybridStore(path: path, options: options.store, environment: environment)
      } catch { throw .store(error) }
      directory = RowDirectory(store: store, order: order, options: options)
    } else {
      let entries: PolicyDirectory<Policy>
      do { entries = try PolicyDirectory(options) } catch { throw .policy(error) }
      directory = entries
      do throws(StoreError) {
        store = try HybridStore(path: path, options: options.store, environment: environment)
        try entries.rebuild(
          from: store, byAccess: recordsAccesses, deadline: { options.deadline(of: $0) })
      } catch { throw .store(error) }
    }
    do {
      try writing.withLock { known throws(StoreError) in
        forgetSetAside(&known)
        try removeLeaving()
      }
    } catch { throw .store(error) }
    if let interval = options.trimInterval {
      let task = RepeatedTask(every: interval) { [weak self] in try? self?.trim() }
      trimming.withLock { $0 = task }
    }
  }

  deinit { shutDown() }

  /// Writes what is gathered in memory, and the values that a ``TieredCache`` has delayed, and closes the
  /// cache; every later call throws ``StoreError/closed(path:)``. The cache closes by itself when it is
  /// released.
  public func close() {
    for write in lastWrites.withLock({ Array($0.values) }) { write() }
    shutDown()
  }

  private func shutDown() {
    // First, so that whoever finds the cache closed can open another one.
    reservation.close()
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    trimming.withLock { $0 = nil }
    // What could not be written is lost as it would be without closing.
    writing.withLock { _ in _ = try? removeLeaving() }
    try? store.close()
    reservation.end()
  }

  /// The directory of a cache that is not closed.
  var entries: any DiskDirectory {
    get throws(StoreError) {
      if isClosed.load(ordering: .acquiring) { throw .closed(path: path) }
      return directory
    }
  }
}

// MARK: - Entries

extension DiskCache where Policy: ~Copyable {
  /// The value of `key`, or nil. A hit tells the policy, a miss does not.
  public func value(forKey key: String) throws(DiskCacheError) -> Value? {
    try entry(forKey: key)?.value
  }

  /// The value of `key` with all that belongs to it, or nil; otherwise as `value(forKey:)`.
  public func entry(forKey key: String) throws(DiskCacheError) -> DiskEntry<Value>? {
    let found: DiskEntry<Value>?
    do { found = try find(key) } catch { throw .store(error) }
    counters.withLock {
      if found == nil { $0.misses += 1 } else { $0.hits += 1 }
    }
    return found
  }

  /// Stores `value` under `key`.
  ///
  /// - Parameters:
  ///   - value: What the coder makes bytes of.
  ///   - key: Any text.
  ///   - cost: What it takes of the cost limit; by default the bytes of the encoded value and the key, and
  ///     ``DiskCacheOptions/rowOverhead``. Where several processes share the path, nothing else can be given.
  ///   - expiration: The time for which it may be returned, without a time to idle, which rows do not keep;
  ///     by default as the options say.
  /// - Returns: Whether the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    try set(value, forKey: key, extended: nil, cost: cost, expiration: expiration)
  }

  /// Stores `value` under `key`, and other bytes beside it.
  ///
  /// - Parameters:
  ///   - value: What the coder makes bytes of.
  ///   - key: Any text.
  ///   - extended: Bytes that are kept beside the value, and not encoded; nil for none.
  ///   - cost: What it takes of the cost limit; by default the bytes of the encoded value, the key and the
  ///     extended data, and ``DiskCacheOptions/rowOverhead``. Where several processes share the path, nothing
  ///     else can be given.
  ///   - expiration: The time for which it may be returned, without a time to idle, which rows do not keep;
  ///     by default as the options say.
  /// - Returns: Whether the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, extended: [UInt8]?, cost: Int? = nil,
    expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    precondition((cost ?? 0) >= 0, "a cost is not negative")
    if cost != nil && options.store.sharing == .shared {
      throw .shared(path: path, problem: "costs are bytes; leave the cost out")
    }
    let life = try timeToLive(expiration, ofKey: key)
    let bytes: [UInt8]
    do { bytes = try coder.encode(value) } catch {
      throw .encoding(key: key, problem: "\(error)")
    }
    let cost =
      cost ?? bytes.count + key.utf8.count + (extended?.count ?? 0) + DiskCacheOptions.rowOverhead
    let expires = life.map { WallClock.time($0, after: WallClock.now) }
    do {
      return try put(bytes, forKey: key, extended: extended, cost: cost, expires: expires)
    } catch { throw .store(error) }
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: Whether it had a value; on a shared path, one that is too old counts as well.
  @discardableResult
  public func remove(_ key: String) throws(DiskCacheError) -> Bool {
    let name = TextKey(key)
    let isRemoved: Bool
    do {
      isRemoved = try writing.withLock { _ throws(StoreError) in
        let wasHeld = directory.holds(name) != false
        return try remove(name) != nil && wasHeld
      }
    } catch { throw .store(error) }
    if isRemoved { counters.withLock { $0.removals += 1 } }
    return isRemoved
  }

  /// Removes everything. On return nothing is to be found any more; files are deleted in the background.
  public func removeAll() throws(DiskCacheError) { try removeAll(progress: nil) }

  /// Removes everything. On return nothing is to be found any more.
  ///
  /// - Parameter progress: Called now and then with how many files are deleted, out of how many. Without it
  ///   files are deleted in the background.
  public func removeAll(
    progress: ((_ deleted: Int, _ total: Int) -> Void)?
  ) throws(DiskCacheError) {
    do {
      try writing.withLock { _ throws(StoreError) in
        try store.removeRows()
        directory.removeAll()
      }
    } catch { throw .store(error) }
    store.deleteFiles(progress: progress)
  }

  /// Whether `key` has a value that is not too old. The policy does not learn of the question.
  public func contains(_ key: String) throws(DiskCacheError) -> Bool {
    do {
      let name = TextKey(key)
      if try entries.holds(name) == false { return false }
      guard let metadata = try store.metadata(key) else { return false }
      return !isTooOld(metadata) && !directory.leaving.contains(name, created: metadata.created)
    } catch { throw .store(error) }
  }

  /// What the cache has counted since it was opened.
  public var statistics: DiskCacheStatistics {
    var statistics = counters.withLock { $0 }
    statistics.evictions = directory.leaving.evictions
    statistics.expirations = directory.leaving.expirations
    return statistics
  }

  /// What the store below has counted since it was opened.
  public var storeStatistics: StoreStatistics { store.statistics }

  /// Writes what is gathered in memory: access times.
  public func flush() throws(DiskCacheError) {
    do { try store.flush() } catch { throw .store(error) }
  }

  /// Waits until what opening started, and deletions in the background, are done.
  public func waitForBackgroundWork() { store.waitForBackgroundWork() }

  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  ///
  /// - Complexity: It reads everything.
  public func check(repair: Bool = false) throws(DiskCacheError) -> CheckReport {
    do {
      return try writing.withLock { known throws(StoreError) in
        let report = try store.check(repair: repair)
        forgetSetAside(&known)
        if repair {
          for key in report.mismatches + report.missingFiles { directory.removed(TextKey(key)) }
        }
        return report
      }
    } catch { throw .store(error) }
  }
}

extension DiskCache: Cache where Policy: ~Copyable {
  /// The error of a cache on disk.
  public typealias Failure = DiskCacheError
}

// MARK: - Store and directory

extension DiskCache where Policy: ~Copyable {
  private func find(_ key: String) throws(StoreError) -> DiskEntry<Value>? {
    let name = TextKey(key)
    guard try entries.use(name) else { return nil }
    var found = try store.get(key, touching: recordsAccesses)
    if found == nil { found = try findAgain(key) }
    guard let stored = found else { return nil }
    if options.store.sharing == .shared,
      directory.leaving.contains(name, created: stored.metadata.created)
    {
      return nil
    }
    if isTooOld(stored.metadata) {
      if removeUseless(name, stored.metadata) { directory.leaving.countExpirations(1) }
      return nil
    }
    guard let value = try? coder.decode(stored.bytes) else {
      counters.withLock { $0.undecodable += 1 }
      removeUseless(name, stored.metadata)
      return nil
    }
    return DiskEntry(value: value, extended: stored.extended, metadata: stored.metadata)
  }

  /// The directory has a key that the store has not: either it is just being put or removed, or its row
  /// was damaged, and then the directory must learn of it.
  private func findAgain(_ key: String) throws(StoreError) -> StoredValue? {
    if options.store.sharing == .shared { return nil }
    return try writing.withLock { known throws(StoreError) in
      let stored = try store.get(key)
      if !forgetSetAside(&known) && stored == nil { directory.discard(TextKey(key)) }
      return stored
    }
  }

  private func put(
    _ bytes: [UInt8], forKey key: String, extended: [UInt8]?, cost: Int, expires: Int64?
  ) throws(StoreError) -> Bool {
    let name = TextKey(key)
    let deadline = options.deadline(expires: expires, created: WallClock.now)
    let isStored = try writing.withLock { known throws(StoreError) in
      do throws(StoreError) {
        guard try makeFreeSpace(for: bytes.count),
          directory.admit(name, cost: cost, deadline: deadline)
        else {
          directory.discard(name)
          try removeLeaving()
          return false
        }
        // A file needs the space before it is written; a row, and what leaves for it, are one transaction.
        if bytes.count > options.store.inlineThreshold { try removeLeaving() }
        let gone = directory.leaving.all.prefix(512).filter { !directory.keeps($0) }
        let outcome = try store.put(
          bytes, forKey: key, extended: extended, expires: expires, cost: cost,
          removing: gone.map(\.text))
        directory.leaving.removed(gone)
        if let displaced = outcome.displacedKey { directory.removed(TextKey(displaced)) }
        if forgetSetAside(&known) { _ = directory.admit(name, cost: cost, deadline: deadline) }
        // Its time may have been over before its row was there.
        if directory.holds(name) == false { directory.leaving.add(name) }
        try directory.enforceLimits()
        try removeLeaving()
        return true
      } catch {
        directory.discard(name)
        _ = try? removeLeaving()
        throw error
      }
    }
    counters.withLock {
      if isStored { $0.sets += 1 } else { $0.rejections += 1 }
    }
    return isStored
  }

  /// Removes a key from both; the caller holds ``writing``. A row that cannot be removed is leaving.
  private func remove(_ key: TextKey) throws(StoreError) -> Int? {
    directory.discard(key)
    let size = try removing { () throws(StoreError) in try store.remove(key.text) }
    directory.leaving.removed([key])
    return size
  }

  /// Removes a key whose value a read could not return, unless it was set again since; returns whether.
  ///
  /// A failure is no reason for the read to fail: the row is leaving then.
  @discardableResult
  private func removeUseless(_ key: TextKey, _ found: StoredMetadata) -> Bool {
    writing.withLock { _ in
      guard let metadata = try? store.metadata(key.text), metadata.created == found.created else {
        return false
      }
      _ = try? remove(key)
      return true
    }
  }

  /// Removes the rows of what has left, many at a time; returns their bytes. The caller holds ``writing``.
  @discardableResult
  func removeLeaving() throws(StoreError) -> Int {
    var bytes = 0
    var keys = directory.leaving.all[...]
    while !keys.isEmpty {
      let gone = keys.prefix(512).filter { !directory.keeps($0) }
      keys = keys.dropFirst(512)
      bytes &+= try removing { () throws(StoreError) in try store.remove(gone.map(\.text)).bytes }
      directory.leaving.removed(gone)
    }
    return bytes
  }

  private func removing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      directory.removalFailed()
      throw error
    }
  }

  /// Has the directory forget what was in a database that was set aside since; returns whether one was. The
  /// caller holds ``writing``.
  @discardableResult
  private func forgetSetAside(_ known: inout Int) -> Bool {
    let setAsides = store.statistics.setAsides
    if setAsides == known { return false }
    known = setAsides
    directory.removeAll()
    return true
  }
}
