/// A cache in memory: ``MemoryCache``, and ``ShardedCache``, which consists of several.
///
/// It has the operations of a ``Cache`` as plain functions, which never fail and never wait for a disk, and
/// some more. Their parameters mean what they mean for a ``MemoryCache``.
public protocol InMemoryCache<Key, Value>: Cache where Failure == Never {
  /// Returns the value of `key`, or nil. A hit tells the policy, a miss does not.
  func value(forKey key: Key) -> Value?

  /// Stores `value` under `key`.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> Bool

  /// Returns the value of `key`, whose entry has `expiration` from now on; nil if there is none.
  func value(forKey key: Key, extendingTo expiration: Expiration) -> Value?

  /// Stores `value` under `key` with tags, by which ``removeAll(tagged:)`` finds it.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int?, missCost: Double,
    expiration: Expiration?
  ) -> Bool

  /// Stores `value` under `key` unless the key has a value, in one step.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @discardableResult
  func insert(
    _ value: Value, forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> (isInserted: Bool, value: Value?)

  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; nil for none.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @discardableResult
  func update<Result, Problem: Error>(
    forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?,
    _ body: (inout Value?) throws(Problem) -> Result
  ) throws(Problem) -> Result

  /// Returns the value of `key`, or else what `load` returns, which is stored.
  ///
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  func value(
    forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?, orLoad load: () throws -> Value
  ) throws -> Value

  /// Returns the value of `key`, or else what `load` returns, which is stored.
  ///
  /// - Throws: The error of `load`, ``LoadError``, or `CancellationError`.
  func value(
    forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value

  /// Returns the value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  ///
  /// - Throws: The error of `load`, ``LoadError``, or `CancellationError`.
  func value(
    forKey key: Key, rememberingFailuresFor duration: Duration?,
    orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value

  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  func refreshValue(
    forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?,
    byLoading load: () throws -> Value
  ) throws -> Value

  /// Loads `key` anew though it may have a value, which the result replaces.
  ///
  /// - Returns: The new value.
  /// - Throws: The error of `load`, ``LoadError``, or `CancellationError`.
  @discardableResult
  func refreshValue(
    forKey key: Key, cost: Int?, missCost: Double, expiration: Expiration?,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: The value it had, or nil.
  @discardableResult
  func removeValue(forKey key: Key) -> Value?

  /// Removes `key`, and what the policy remembers about it.
  ///
  /// - Returns: True if it had a value.
  @discardableResult
  func remove(_ key: Key) -> Bool

  /// Removes every entry.
  func removeAll()

  /// Removes the entries whose keys satisfy the predicate; see ``Cache/removeAll(where:)``.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  func removeAll(where shouldRemove: (Key) -> Bool) -> Int

  /// Removes the entries that have `tag`.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  func removeAll(tagged tag: String) -> Int

  /// Returns the tags of the entry of `key`; none if there is none.
  func tags(forKey key: Key) -> Set<String>

  /// Returns true if `key` has a value. The policy does not learn of the question.
  func contains(_ key: Key) -> Bool

  /// Returns the cost of a resident key, or nil. The policy does not learn of the question.
  func cost(forKey key: Key) -> Int?

  /// Corrects the cost of a resident key; an absent key changes nothing.
  func setCost(_ cost: Int, forKey key: Key)

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  func setExpiration(_ expiration: Expiration, forKey key: Key)

  /// Returns the time for which the entry of `key` stays if it is not used, limits aside; nil if it does not expire, or if
  /// there is none.
  func timeRemaining(forKey key: Key) -> Duration?

  /// Removes what has expired or was discarded.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim() -> Int

  /// Evicts until at most `count` entries are left; those that have expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim(toCount count: Int) -> Int

  /// Evicts until the entries cost at most `cost`; those that have expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  func trim(toCost cost: Int) -> Int

  /// The number of entries.
  @_nonoverride var count: Int { get }

  /// The sum of their costs.
  @_nonoverride var totalCost: Int { get }

  /// The most entries that the cache may hold; nil for no limit.
  ///
  /// - Precondition: 0, or at least ``minimumCountLimit``.
  var countLimit: Int? { get set }

  /// The largest sum of costs; nil for no limit.
  var costLimit: Int? { get set }

  /// The smallest limit above 0 that the cache can have.
  var minimumCountLimit: Int { get }

  /// Returns the value of `key`, or nil, without a trace: nothing is counted, no lifetime is extended, and the policy
  /// does not learn of it.
  func peek(_ key: Key) -> Value?

  /// True if the cache holds nothing.
  @_nonoverride var isEmpty: Bool { get }

  /// Returns the keys that would be evicted next if `count` entries were to leave; nil if the policy can't tell.
  func coldest(_ count: Int) -> [Key]?

  /// Returns the keys that would be evicted last, the last first; nil if the policy can't tell.
  func hottest(_ count: Int) -> [Key]?

  /// The numbers that the policy has learned by now, by short names.
  @_nonoverride var policyInternals: [String: Double] { get }

  /// The entries, in no promised order, read a few at a time; see ``CacheEntries``.
  var entries: CacheEntries<Key, Value> { get }

  /// Returns the entries whose values can be found at one moment, in no order. The policy does not learn of
  /// it.
  ///
  /// - Complexity: O(n).
  func snapshot() -> [CacheEntry<Key, Value>]
}

extension InMemoryCache {
  /// Stores `value` under `key`, at what the cache takes it to cost (``EntryCosts``).
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(_ value: Value, forKey key: Key) -> Bool {
    set(value, forKey: key, cost: nil, missCost: 1, expiration: nil)
  }

  /// Stores `value` under `key`, at a cost; see ``Cache/set(_:forKey:cost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(_ value: Value, forKey key: Key, cost: Int) -> Bool {
    set(value, forKey: key, cost: cost, missCost: 1, expiration: nil)
  }

  /// Stores `value` under `key` for a time; see ``Cache/set(_:forKey:cost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(_ value: Value, forKey key: Key, expiration: Expiration) -> Bool {
    set(value, forKey: key, cost: nil, missCost: 1, expiration: expiration)
  }

  /// Stores `value` under `key`; see ``Cache/set(_:forKey:cost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @inlinable @discardableResult
  public func set(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) -> Bool {
    set(value, forKey: key, cost: cost, missCost: 1, expiration: expiration)
  }

  /// Stores `value` under `key` with tags, at what the cache takes it to cost.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  public func set(_ value: Value, forKey key: Key, tags: Set<String>) -> Bool {
    set(value, forKey: key, tags: tags, cost: nil, missCost: 1, expiration: nil)
  }

  /// Stores `value` under `key` with tags; see ``Cache/set(_:forKey:tags:cost:expiration:)``.
  ///
  /// - Returns: True if the value is in the cache.
  @discardableResult
  public func set(
    _ value: Value, forKey key: Key, tags: Set<String>, cost: Int?, expiration: Expiration?
  ) -> Bool {
    set(value, forKey: key, tags: tags, cost: cost, missCost: 1, expiration: expiration)
  }

  /// Stores `value` under `key` unless the key has a value, at what the cache takes it to cost, in one step.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @inlinable @discardableResult
  public func insert(
    _ value: Value, forKey key: Key
  ) -> (isInserted: Bool, value: Value?) {
    insert(value, forKey: key, cost: nil, missCost: 1, expiration: nil)
  }

  /// Stores `value` under `key` unless the key has a value, in one step; see ``Cache/insert(_:forKey:cost:expiration:)``.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @inlinable @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int?, expiration: Expiration?
  ) -> (isInserted: Bool, value: Value?) {
    insert(value, forKey: key, cost: cost, missCost: 1, expiration: expiration)
  }

  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; nil for none.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @inlinable @discardableResult
  public func update<Result, Problem: Error>(
    forKey key: Key, _ body: (inout Value?) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    try update(forKey: key, cost: nil, missCost: 1, expiration: nil, body)
  }

  /// Changes the value of `key` in one step; see ``Cache/update(forKey:cost:expiration:_:)``.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  @inlinable @discardableResult
  public func update<Result, Problem: Error>(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    _ body: (inout Value?) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    try update(forKey: key, cost: cost, missCost: 1, expiration: expiration, body)
  }

  /// Returns the value of `key`, or else what `load` returns, which is stored; see
  /// ``Cache/value(forKey:cost:expiration:orLoad:)``.
  @inlinable
  public func value(
    forKey key: Key, cost: Int?, expiration: Expiration?,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(
      forKey: key, cost: cost, missCost: 1, expiration: expiration, rememberingFailuresFor: nil,
      orLoad: load)
  }

  /// Returns the value of `key`, or else that of the entry that `load` returns, which is stored as it says; see
  /// ``Cache/value(forKey:orLoadEntry:)``.
  @inlinable
  public func value(
    forKey key: Key, orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await value(forKey: key, rememberingFailuresFor: nil, orLoadEntry: load)
  }

  /// Returns the values of those of `keys` that have one; each is a get of its own.
  @inlinable
  public func values(forKeys keys: some Sequence<Key>) -> [Key: Value] {
    var values: [Key: Value] = [:]
    for key in keys {
      if let value = value(forKey: key) { values[key] = value }
    }
    return values
  }

  /// Stores the value of each pair under its key, at what the cache takes it to cost, each in a step of its own.
  ///
  /// - Returns: The number of them that are in the cache.
  @inlinable @discardableResult
  public func set(
    contentsOf pairs: some Sequence<(Key, Value)>, expiration: Expiration? = nil
  ) -> Int {
    pairs.reduce(0) { count, pair in
      count + (set(pair.1, forKey: pair.0, cost: nil, expiration: expiration) ? 1 : 0)
    }
  }

  /// Removes the entries that satisfy the predicate; see ``Cache/removeEntries(where:)``.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  public func removeEntries(where shouldRemove: (CacheEntry<Key, Value>) -> Bool) -> Int {
    var count = 0
    for entry in entries where shouldRemove(entry) {
      if remove(entry.key) { count += 1 }
    }
    return count
  }

  /// Removes `keys`, each in a step of its own.
  ///
  /// - Returns: The number of them that had a value.
  @inlinable @discardableResult
  public func removeAll(forKeys keys: some Sequence<Key>) -> Int {
    keys.reduce(0) { count, key in count + (remove(key) ? 1 : 0) }
  }

  /// The keys, in no promised order, read a few at a time; see ``CacheEntries``.
  public var keys: some Sequence<Key> & Sendable { entries.lazy.map { entry in entry.key } }

  /// Changes both limits. A lower one evicts before the call returns.
  public func setLimits(count: Int?, cost: Int?) {
    countLimit = count
    costLimit = cost
  }

  /// The smallest limit above 0 that the cache can have: 1.
  @inlinable public var minimumCountLimit: Int { 1 }
}

extension MemoryCache: InMemoryCache {}

extension ShardedCache: InMemoryCache {
  /// The smallest limit above 0 that the cache can have: 1 for each shard.
  @inlinable public var minimumCountLimit: Int { shardCount }
}

/// A key with what a cache has for it.
public struct CacheEntry<Key: Sendable, Value: Sendable>: Sendable {
  /// The key.
  public let key: Key
  /// Its value.
  public let value: Value
  /// The part of the cost limit that the entry takes.
  public let cost: Int

  package init(key: Key, value: Value, cost: Int) {
    self.key = key
    self.value = value
    self.cost = cost
  }
}
