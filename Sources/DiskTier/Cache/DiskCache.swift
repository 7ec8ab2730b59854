import Dispatch
@_exported import EvictionCore
import Foundation
import Synchronization

/// A persistent cache of typed values that evicts by any policy of the family.
///
///     let pages = try await DiskCache<String, Page>.open(
///       path: "/var/cache/pages", costLimit: 512 << 20 /* bytes */, coder: .json)
///     try await pages.set(page, forKey: "/", expiration: .after(.seconds(3_600)))
///     try await pages.value(forKey: "/")
///
/// Keys are strings, integers, UUIDs, or a ``DiskKey`` that supplies its bytes. The operations have two forms:
/// tasks await, and other code blocks. There is no subscript, as setting by one can neither throw nor wait for a disk.
///
/// Limits are strict: when a set returns, the cache is within them, on the disk too. It decides exactly as
/// a `MemoryCache` with the same policy and limits would: a get that misses does not reach the policy, a
/// set of a key that is there is a hit, a value that is too large or refused is not stored, and what its key
/// had before is gone. So it is after a set that fails: an outdated value is never returned.
///
/// Opening tells the policy of all entries in the order of their accesses, or, where reads are not recorded
/// (``AccessRecording``), of their insertion; ghosts and bits are lost. Where several processes share the
/// path (``StoreOptions/Sharing/shared``), the order is in the rows alone, and the policy is `.lru` or `.fifo`.
///
/// There is one cache a path in a process: `open` returns it again as long as it is in use.
///
/// - Complexity: A get is one call to the store, besides O(1) in memory; a get that misses makes no call, unless
///   the path is shared. Values are encoded and decoded without any lock, and reads wait for no writes.
///   Memory per entry: about 50 bytes, the key if it is longer than 15 bytes, and what the policy needs;
///   none if the path is shared.
public final class DiskCache<Key: DiskKey, Value: Sendable>: Sendable {
  /// Called with the key of an entry that has left, and the cause.
  public typealias RemovalCallback = @Sendable (Key, RemovalCause) -> Void

  /// The folder.
  public let path: String
  /// The policy that decides who leaves.
  public let policy: CachePolicy
  /// The options of the cache.
  public let options: DiskCacheOptions
  /// The limits and the rest that it was opened with.
  let opened: DiskCacheLimits
  let coder: ValueCoder<Value>
  private let reservation: DiskCacheRegistry.Reservation

  let store: HybridStore
  let directory: any DiskDirectory
  let clock: WallClock
  /// True if reads are recorded.
  let recordsAccesses: Bool
  /// Held while something changes, so that index and rows change alike; the number of databases, set aside or
  /// lost, that the index knows of.
  let writing = Mutex(0)
  let counters = Mutex(Counters())
  private let isClosed = Atomic<Bool>(false)
  private let trimming = Mutex<RepeatedWork?>(nil)
  /// The writes that others have delayed, and which closing does first.
  let lastWrites = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])
  /// The loads under way.
  let flights: SingleFlight<TextKey, Value>
  /// The updates under way.
  let turns = KeyTurns<TextKey>()
  /// The keys that loads have tried to renew.
  let refreshTries = RefreshTries()
  /// The draws by which times to live are shortened.
  let draws: Mutex<SplitMix64>
  /// The values that loads brought, until they are written.
  let loaded = LoadedValues()
  /// The listeners to removals and loads.
  let listeners: DiskCacheListeners<Key, Value>
  private let sends = Atomic(false)
  /// The entries that have left, until they are reported.
  let removals: RemovalLog
  /// The queue on which the asynchronous forms read; another one writes, and a third one trims.
  let readQueue = DispatchQueue(label: "evictionlab.disk.read", attributes: .concurrent)
  let writeQueue = DispatchQueue(label: "evictionlab.disk.write")
  let trimQueue = DispatchQueue(label: "evictionlab.disk.trim")

  /// The counts that the directory does not have.
  struct Counters {
    var cache = CacheStatistics()
    var undecodable = 0
  }

  init(
    path: String, limits: DiskCacheLimits, options: DiskCacheOptions, coder: ValueCoder<Value>,
    environment: StoreEnvironment, listeners: DiskCacheListeners<Key, Value>,
    reservation: DiskCacheRegistry.Reservation
  ) throws(DiskCacheError) {
    do { try PolicyError.checkLimits(count: limits.count, cost: limits.cost) } catch {
      throw .policy(error)
    }
    do { try options.check() } catch { throw .store(error) }
    let clock = WallClock(environment)
    self.path = path
    self.clock = clock
    opened = limits
    self.options = options
    self.coder = coder
    self.reservation = reservation
    self.listeners = listeners
    removals = RemovalLog(listeners.removal)
    flights = SingleFlight(waitLimit: options.loadWaitLimit)
    draws = Mutex(SplitMix64(seed: limits.seed ?? .random(in: .min ... .max)))
    policy = limits.policy
    recordsAccesses = options.accessRecording.isOn(for: policy.information)
    if options.expiration.timeToIdle != nil { throw .timeToIdle(key: "every key") }
    var storeOptions = options.store
    storeOptions.format = storeOptions.format ?? coder.name
    if options.store.sharing == .shared {
      let name = policy.information.name
      guard let order = RowDirectory.Order(rawValue: name) else {
        throw .shared(path: path, problem: "only lru and fifo can run, not \(name)")
      }
      if order == .lru && !recordsAccesses {
        throw .shared(path: path, problem: "lru needs its reads recorded")
      }
      if limits.admission != nil {
        throw .shared(path: path, problem: "no admission filter can run")
      }
      if limits.observer != nil {
        throw .shared(path: path, problem: "no observer can be told of all operations")
      }
      do {
        store = try HybridStore(path: path, options: storeOptions, environment: environment)
      } catch { throw .store(error) }
      directory = RowDirectory(store: store, order: order, limits: limits)
    } else {
      let entries: PolicyDirectory
      do {
        entries = try PolicyDirectory(
          limits, clock: clock, cacheClock: environment.entryClock?.clock ?? .coarse)
      } catch { throw .policy(error) }
      directory = entries
      do throws(StoreError) {
        store = try HybridStore(path: path, options: storeOptions, environment: environment)
        try entries.rebuild(
          from: store, byAccess: recordsAccesses,
          deadline: { row in
            // A clock was ahead when the row was put, so that its age is unknown.
            options.deadline(of: row).map { row.created > clock.now ? .min : $0 }
          })
      } catch { throw .store(error) }
      entries.beginObservation()
    }
    do {
      try writing.withLock { known throws(StoreError) in
        try forgetLost(&known)
        // A process that died may have left a shared path over its limits.
        try directory.enforceLimits()
        do throws(StoreError) { try removeLeaving() } catch {
          // What is not removed yet is not found either.
          guard case .full = error else { throw error }
        }
      }
    } catch { throw .store(error) }
    if let interval = options.trimInterval {
      let work = RepeatedWork(every: interval, on: .disk) { [weak self] in _ = try? self?.trim() }
      trimming.withLock { $0 = work }
    }
    listeners.events?.begin()
    sends.store(true, ordering: .releasing)
  }

  deinit {
    shutDown()
    // Otherwise opening has failed.
    if sends.load(ordering: .acquiring) { listeners.events?.end() }
  }

  /// Writes what is gathered in memory, loaded values and those that a ``TieredCache`` has delayed, and closes the
  /// cache; every later call throws ``StoreError/closed(path:)``. The cache closes by itself when it is
  /// released.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func close() {
    for write in lastWrites.withLock({ Array($0.values) }) { write() }
    writeLoaded()
    shutDown()
  }

  private func shutDown() {
    // First, so that anyone who finds the cache closed can open another one.
    reservation.close()
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    trimming.withLock { $0 = nil }
    // What could not be written is lost as it would be without closing.
    writing.withLock { _ in _ = try? removeLeaving() }
    try? store.close()
    reservation.end()
    removals.report()
  }

  /// Throws if the cache is closed.
  func checkIsOpen() throws(DiskCacheError) {
    do { _ = try directoryInUse } catch { throw .store(error) }
  }

  /// The directory of a cache that is not closed.
  var directoryInUse: any DiskDirectory {
    get throws(StoreError) {
      if isClosed.load(ordering: .acquiring) { throw .closed(path: path) }
      return directory
    }
  }
}

// MARK: - Entries

extension DiskCache {
  /// Returns the value of `key`, or nil. A hit tells the policy, a miss does not.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(forKey key: Key) throws(DiskCacheError) -> Value? {
    try entry(TextKey(key))?.value
  }

  /// Returns the value of `key` with all that belongs to it, or nil; otherwise as `value(forKey:)`.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func entry(forKey key: Key) throws(DiskCacheError) -> DiskEntry<Value>? {
    try entry(TextKey(key))
  }

  /// Returns the values of those of `keys` that have one; each is a get of its own.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func values(forKeys keys: some Sequence<Key>) throws(DiskCacheError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for key in keys {
      if let value = try value(forKey: key) { values[key] = value }
    }
    return values
  }

  /// Stores `value` under `key`.
  ///
  /// - Parameters:
  ///   - value: The value, of which the coder makes bytes.
  ///   - key: The key to find it by.
  ///   - extended: Bytes that are kept beside the value, and not encoded; nil for none.
  ///   - tags: Any texts, by which `removeAll(tagged:)` finds the entry. They are kept with the row.
  ///   - cost: The part of the cost limit that it takes; nil for the bytes of the encoded value, the key,
  ///     the extended data and the tags, and ``DiskCacheOptions/rowOverhead``. Where several processes share the path,
  ///     nothing else can be given.
  ///   - expiration: The time for which it can be found, without a time to idle, which rows do not keep; nil
  ///     for the cache's own. Rows keep no time of a refresh either: loads bring theirs.
  /// - Returns: True if the value is in the cache.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, extended: [UInt8]? = nil, tags: Set<String> = [],
    cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    defer { removals.report() }
    return try set(
      value, TextKey(key), extended: extended, tags: tags, cost: cost, expiration: expiration)
  }

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value; on a shared path, one that is too old counts as well.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func remove(_ key: Key) throws(DiskCacheError) -> Bool {
    defer { removals.report() }
    return try removeEntry(TextKey(key))
  }

  /// Removes `keys`, each in a step of its own.
  ///
  /// - Returns: The number of them that had a value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(forKeys keys: some Sequence<Key>) throws(DiskCacheError) -> Int {
    var count = 0
    for key in keys where try remove(key) { count += 1 }
    return count
  }

  /// Removes the entries whose keys satisfy the predicate, which is called without a lock.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: It reads every row, though no value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func removeAll(where shouldRemove: (Key) -> Bool) throws(DiskCacheError) -> Int {
    defer { removals.report() }
    var count = 0
    // First, as the value of a load is in the cache when that is over.
    let loading = flights.keys
    for key in Set(loading + (try storedKeys())) {
      if key.key(as: Key.self).map(shouldRemove) ?? false, try removeEntry(key) { count += 1 }
    }
    return count
  }

  /// Removes everything. On return nothing is to be found any more; files are deleted in the background.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func removeAll() throws(DiskCacheError) { try removeAll(progress: nil) }

  /// Removes everything. On return nothing is to be found any more.
  ///
  /// - Parameter progress: Called now and then with the numbers of files that are deleted, and of all. Without
  ///   it files are deleted in the background.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func removeAll(
    progress: ((_ deleted: Int, _ total: Int) -> Void)?
  ) throws(DiskCacheError) {
    try removeAllRows()
    removals.report()
    store.deleteFiles(progress: progress)
  }

  /// Returns true if `key` has a value that is not too old. The policy does not learn of the question.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func contains(_ key: Key) throws(DiskCacheError) -> Bool { try contains(TextKey(key)) }

  /// The cache's counts since it was opened.
  ///
  /// On a shared path a set counts as an insertion whatever the key had before, and `count` and `totalCost`
  /// are what the rows say, or 0 where they cannot be read.
  public var statistics: CacheStatistics {
    var statistics = counters.withLock { $0.cache }
    statistics.evictions = directory.leaving.evictions
    statistics.expirations = directory.leaving.expirations
    statistics.count = (try? count) ?? 0
    statistics.totalCost = (try? totalCost) ?? 0
    return statistics
  }

  /// The number of values that could not be decoded; each became a miss, and its entry was removed.
  public var undecodableValues: Int { counters.withLock { $0.undecodable } }

  /// The counts of the store below since it was opened.
  public var storeStatistics: StoreStatistics { store.statistics }

  /// Writes what is gathered in memory: loaded values and access times.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func flush() throws(DiskCacheError) {
    writeLoaded()
    do { try store.flush() } catch { throw .store(error) }
  }

  /// Waits until what opening started, writes of loaded values and deletions in the background are done.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func waitForBackgroundWork() {
    writeLoaded()
    store.waitForBackgroundWork()
  }

  /// Looks at every row, every value's bytes and every file, and, if `repair`, removes what is wrong.
  ///
  /// - Complexity: It reads everything.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func check(repair: Bool = false) throws(DiskCacheError) -> CheckReport {
    writeLoaded()
    defer { removals.report() }
    do {
      return try writing.withLock { known throws(StoreError) in
        let report = try store.check(repair: repair)
        try forgetLost(&known)
        if repair {
          for key in (report.mismatches + report.missingFiles).map(TextKey.init) {
            if directory.holds(key) != false { removals.note(key, .discarded) }
            directory.removed(key)
          }
        }
        return report
      }
    } catch { throw .store(error) }
  }
}

extension DiskCache: Cache {
  /// The error of a cache on disk.
  public typealias Failure = DiskCacheError
}
