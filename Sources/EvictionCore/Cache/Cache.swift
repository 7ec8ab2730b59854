/// The operations that every cache of the package has: in memory, in shards, on disk and in tiers.
///
///     func page<Failure: Error>(
///       _ path: String, in pages: some Cache<String, Page, Failure>
///     ) async throws -> Page {
///       try await pages.value(forKey: path) { try await download(path) }
///     }
///
/// They are asynchronous, as some wait for a disk. The caches in memory have them as plain functions
/// (``InMemoryCache``), which need neither `await` nor `try`: their `Failure` is `Never`. Those on disk have
/// forms that block besides, for code that is no task.
public protocol Cache<Key, Value, Failure>: AnyObject, Sendable {
  /// The type of the keys.
  associatedtype Key: Hashable & Sendable
  /// The type of the values.
  associatedtype Value: Sendable
  /// The error of an operation that fails; `Never` in memory.
  associatedtype Failure: Error

  /// Returns the value of `key`, or nil. A hit tells the policy, a miss does not.
  func value(forKey key: Key) async throws(Failure) -> Value?

  /// Returns the value of `key`, whose entry has `expiration` from now on; nil if there is none.
  ///
  /// So a get can extend what it finds, as by its whole time to live once more. To the policy this is a get like any
  /// other.
  func value(forKey key: Key, extendingTo expiration: Expiration) async throws(Failure) -> Value?

  /// Returns the values of those of `keys` that have one, each as ``value(forKey:)`` does.
  func values(forKeys keys: some Sequence<Key> & Sendable) async throws(Failure) -> [Key: Value]

  /// Returns the value of `key`, or else what `load` returns, which is stored.
  ///
  /// A key is loaded once, however many callers want it. If the value is too large or refused, it is
  /// still returned.
  ///
  /// - Parameters:
  ///   - key: The key to find the value by.
  ///   - cost: The part of the cost limit that a loaded value takes; see ``set(_:forKey:cost:expiration:)``.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  ///   - load: Makes the value.
  /// - Throws: The error of `load`, here or for another caller; a ``Failure``; ``LoadError``; or `CancellationError`.
  func value(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value

  /// Returns the value of `key`, or else that of the entry that `load` returns, which is stored as it says: for loads that know
  /// only then what a value costs, how long it lives, or which tags it has.
  ///
  /// - Throws: The error of `load`, here or for another caller; a ``Failure``; ``LoadError``; or `CancellationError`.
  func value(
    forKey key: Key, orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value

  /// Returns the values of `keys`, and for those that have none those of the entries that `load` returns, which are stored
  /// as they say; otherwise as ``values(forKeys:expiration:orLoad:)``.
  func values(
    forKeys keys: some Sequence<Key> & Sendable,
    orLoadEntries load:
      @escaping @Sendable (_ missing: [Key]) async throws -> [Key: LoadedEntry<Value>]
  ) async throws -> [Key: Value]

  /// Returns the values of `keys`, and for those that have none what `load` returns, which is stored.
  ///
  /// `load` is called once, with all keys that are missing and that no other caller is loading. A key that it leaves out
  /// has no value. An error goes to all who wait for one of the keys.
  ///
  /// - Parameters:
  ///   - keys: The keys to find values by.
  ///   - expiration: The time for which loaded values can be found; nil for the cache's own.
  ///   - load: Makes the values.
  /// - Throws: The error of `load`, here or for another caller; a ``Failure``; ``LoadError``; or `CancellationError`.
  func values(
    forKeys keys: some Sequence<Key> & Sendable, expiration: Expiration?,
    orLoad load: @escaping @Sendable (_ missing: [Key]) async throws -> [Key: Value]
  ) async throws -> [Key: Value]

  /// Stores `value` under `key`. A value that is too large or refused is not stored, and the key's former
  /// value is gone.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes, not negative; nil for what the cache takes it to
  ///     cost: what it weighs in memory (``EntryCosts``), or 1; its bytes on disk.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) async throws(Failure) -> Bool

  /// Stores `value` under `key`, at the cost and for the time that the cache gives its entries.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(_ value: Value, forKey key: Key) async throws(Failure) -> Bool

  /// Stores `value` under `key` for as long as the cache keeps its entries, at a cost.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(_ value: Value, forKey key: Key, cost: Int) async throws(Failure) -> Bool

  /// Stores `value` under `key` for a time, at what the cache takes it to cost.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, expiration: Expiration
  ) async throws(Failure) -> Bool

  /// Stores `value` under `key` with tags, by which ``removeAll(tagged:)`` finds it.
  ///
  /// An entry has its tags as long as its value: another value of the key has those that it is set with, or none, and an
  /// update keeps them.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - tags: Any texts.
  ///   - cost: The part of the cost limit that it takes; see ``set(_:forKey:cost:expiration:)``.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int?, expiration: Expiration?
  ) async throws(Failure) -> Bool

  /// Stores `value` under `key` with tags, at the cost and for the time that the cache gives its entries.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(_ value: Value, forKey key: Key, tags: Set<String>) async throws(Failure) -> Bool

  /// Stores `value` under `key` in one step, unless the key has a value: then nothing changes, and the policy does not learn
  /// of it.
  ///
  /// - Parameters:
  ///   - value: The value to store.
  ///   - key: The key to find it by.
  ///   - cost: The part of the cost limit that it takes; see ``set(_:forKey:cost:expiration:)``.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @discardableResult
  func insert(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) async throws(Failure) -> (isInserted: Bool, value: Value?)

  /// Stores `value` under `key` unless the key has a value, at the cost and for the time that the cache gives its entries.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @discardableResult
  func insert(
    _ value: Value, forKey key: Key
  ) async throws(Failure) -> (isInserted: Bool, value: Value?)

  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; nil for none.
  ///
  ///     try await visits.update(forKey: page) { $0 = ($0 ?? 0) + 1 }
  ///
  /// Of several updates of a key one runs at a time, in the order in which they came; those of other keys run beside
  /// it. `body` runs without a lock. If another thread sets or removes the value meanwhile, or it leaves the cache,
  /// `body` runs again with what there is now. If it throws, nothing changes. It may use the cache, but an update of the
  /// same key within it would never end, and traps.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes; nil for that of the value before, or its bytes
  ///     on disk.
  ///   - expiration: The time for which it can be found, from now on. Nil leaves a value that is there the time that it
  ///     has left; a new one gets the cache's own.
  ///   - body: Changes the value.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or a ``Failure``.
  @discardableResult
  func update<Result: Sendable>(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    _ body: @escaping @Sendable (inout Value?) throws -> Result
  ) async throws -> Result

  /// Changes the value of `key` in one step, at the cost and for the time that it has; otherwise as the form that names them.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or a ``Failure``.
  @discardableResult
  func update<Result: Sendable>(
    forKey key: Key, _ body: @escaping @Sendable (inout Value?) throws -> Result
  ) async throws -> Result

  /// Stores the value of each pair under its key, each in a step of its own.
  ///
  /// - Returns: The number of them that are in the cache.
  @discardableResult
  func set(
    contentsOf pairs: some Sequence<(Key, Value)> & Sendable, expiration: Expiration?
  ) async throws(Failure) -> Int

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value.
  @discardableResult
  func remove(_ key: Key) async throws(Failure) -> Bool

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value that it had, or nil.
  @discardableResult
  func removeValue(forKey key: Key) async throws(Failure) -> Value?

  /// Removes every entry.
  func removeAll() async throws(Failure)

  /// Removes `keys`, each as ``remove(_:)`` does.
  ///
  /// - Returns: The number of them that had a value.
  @discardableResult
  func removeAll(forKeys keys: some Sequence<Key> & Sendable) async throws(Failure) -> Int

  /// Removes the entries that have `tag`.
  ///
  /// A load under way that brings an entry with the tag has its value returned to those who wait by then, and not stored. So
  /// nothing from before a change of the source comes back: change the source first, and then remove.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(k log k) for k entries that have it; on a disk that several processes share, O(n).
  @discardableResult
  func removeAll(tagged tag: String) async throws(Failure) -> Int

  /// Removes the entries whose keys satisfy the predicate. The policy learns of the removals only.
  ///
  /// Entries that are set meanwhile may stay, and what is being loaded for such a key is not stored. The predicate is called
  /// without a lock, and may use the cache.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(n).
  @discardableResult
  func removeAll(where shouldRemove: @escaping @Sendable (Key) -> Bool) async throws(Failure) -> Int

  /// Removes the entries that satisfy the predicate, which is called without a lock and may use the cache. The policy
  /// learns of the removals only. An entry that gets another value meanwhile may leave with that, and what is being loaded
  /// is stored.
  ///
  /// - Returns: The number of entries that were removed.
  /// - Complexity: O(n); on disk it reads every value.
  @discardableResult
  func removeEntries(
    where shouldRemove: @escaping @Sendable (CacheEntry<Key, Value>) -> Bool
  ) async throws(Failure) -> Int

  /// Returns true if `key` has a value. The policy does not learn of the question.
  func contains(_ key: Key) async throws(Failure) -> Bool

  /// Returns the value of `key`, or nil, without a trace: nothing is counted, no lifetime is extended, and no policy learns
  /// of it.
  func peek(_ key: Key) async throws(Failure) -> Value?

  /// Returns the part of the cost limit that the entry of `key` takes, or nil. The policy does not learn of the question.
  func cost(forKey key: Key) async throws(Failure) -> Int?

  /// Returns the tags of the entry of `key`; none if there is none. The policy does not learn of the question.
  func tags(forKey key: Key) async throws(Failure) -> Set<String>

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  ///
  /// This is no request. One that is over at once removes the entry.
  func setExpiration(_ expiration: Expiration, forKey key: Key) async throws(Failure)

  /// Returns the time for which the entry of `key` stays if it is not used, limits aside; nil if it does not expire, or if
  /// there is none. The policy does not learn of the question.
  func timeRemaining(forKey key: Key) async throws(Failure) -> Duration?

  /// True if the cache holds no entries.
  var isEmpty: Bool { get async throws(Failure) }

  /// Returns the keys that would be evicted next if `count` entries were to leave, the first to leave first; nil if the
  /// policy can't tell without evicting.
  func coldest(_ count: Int) async throws(Failure) -> [Key]?

  /// Returns the keys that would be evicted last, the last first; nil if the policy can't tell without evicting.
  func hottest(_ count: Int) async throws(Failure) -> [Key]?

  /// The policy that decides who leaves, with its parameters.
  var policy: CachePolicy { get }

  /// The numbers that the policy has learned by now (ARC's p, a learner's weights), by short names.
  var policyInternals: [String: Double] { get async throws(Failure) }

  /// The number of entries; in tiers, of those in memory.
  var count: Int { get async throws(Failure) }

  /// The sum of their costs.
  var totalCost: Int { get async throws(Failure) }

  /// The most entries that the cache may hold; nil for no limit.
  var countLimit: Int? { get }

  /// The largest sum of costs; nil for no limit.
  var costLimit: Int? { get }

  /// Changes both limits. A lower one evicts before the call returns.
  func setLimits(count: Int?, cost: Int?) async throws(Failure)

  /// Removes what has expired. The limits hold without it.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim() async throws(Failure) -> Int

  /// Evicts, by the policy, until at most `count` entries are left.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim(toCount count: Int) async throws(Failure) -> Int

  /// Evicts, by the policy, until the entries cost at most `cost`.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim(toCost cost: Int) async throws(Failure) -> Int

  /// The cache's counts since it was created or opened.
  var statistics: CacheStatistics { get }

  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// Gets find the old value meanwhile. A load of the key that is under way counts as this one. If the key is set or
  /// removed meanwhile, or an update of it runs at the end, that stays, and the result is returned only. If the load
  /// fails, the old value stays.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - cost: The part of the cost limit that the new value takes; see ``set(_:forKey:cost:expiration:)``.
  ///   - expiration: The time for which it can be found; nil for the cache's own.
  ///   - load: Makes the value.
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; a ``Failure``; ``LoadError``; or `CancellationError`.
  @discardableResult
  func refreshValue(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value

  /// Loads `key` anew, and stores the entry that `load` returns as it says; otherwise as
  /// ``refreshValue(forKey:cost:expiration:byLoading:)``.
  @discardableResult
  func refreshValue(
    forKey key: Key, byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value
}
