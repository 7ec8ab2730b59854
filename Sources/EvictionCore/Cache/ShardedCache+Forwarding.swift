// What a sharded cache does as ``MemoryCache`` does it: the key's shard does it, or each of them.
extension ShardedCache {
  /// The value of `key`: a get, a set without a cost of its own, and a removal when it is set to nil.
  @inlinable
  public subscript(key: Key) -> Value? {
    get { value(forKey: key) }
    set { withShard(of: key) { shard, _ in shard[key] = newValue } }
  }

  /// Stores `value` under `key` unless the key has a value, in one step; see
  /// ``MemoryCache/insert(_:forKey:cost:missCost:expiration:)``.
  ///
  /// - Returns: True if the value was stored, and the value that the key has now; nil if it was refused.
  @inlinable @discardableResult
  public func insert(
    _ value: Value, forKey key: Key, cost: Int? = nil, missCost: Double = 1,
    expiration: Expiration? = nil
  ) -> (isInserted: Bool, value: Value?) {
    withShard(of: key) { shard, _ in
      shard.insert(value, forKey: key, cost: cost, missCost: missCost, expiration: expiration)
    }
  }

  /// Changes the value of `key` in one step, from what it is, if there is one, to what `body` leaves; see
  /// ``MemoryCache/update(forKey:cost:missCost:expiration:_:)``.
  ///
  /// - Returns: The result of `body`.
  @inlinable @discardableResult
  public func update<Result, Problem: Error>(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    _ body: (inout Value?) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    try shard(of: key).update(
      forKey: key, cost: cost, missCost: missCost, expiration: expiration, body)
  }

  /// The entries of this moment, in no promised order, without those that have expired; one shard after the
  /// other, so that what is written meanwhile may be among them or not.
  ///
  /// - Complexity: O(n), with one shard's lock held at a time.
  public func snapshot() -> [CacheEntry<Key, Value>] {
    (0..<shardCount).flatMap { shards[$0]._withUnsafeGuaranteedRef { $0.snapshot() } }
  }
}

// MARK: - Expiration

extension ShardedCache {
  /// The value of `key`, whose entry has `expiration` from now on; nil if there is none.
  public func value(forKey key: Key, extendingTo expiration: Expiration) -> Value? {
    shard(of: key).value(forKey: key, extendingTo: expiration)
  }

  /// Gives the entry of `key` another expiration, which counts from now; an absent key changes nothing.
  public func setExpiration(_ expiration: Expiration, forKey key: Key) {
    shard(of: key).setExpiration(expiration, forKey: key)
  }

  /// Returns the time for which the entry of `key` stays if it is not used; see
  /// ``MemoryCache/timeRemaining(forKey:)``.
  public func timeRemaining(forKey key: Key) -> Duration? {
    shard(of: key).timeRemaining(forKey: key)
  }
}

// MARK: - Trimming

extension ShardedCache {
  /// Removes what has expired or was discarded, one shard after the other.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim() -> Int { sum { $0.trim() } }

  /// Evicts until at most `count` entries are left, in every shard down to its part; those that have
  /// expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCount count: Int) -> Int { sum(splitting: count) { $0.trim(toCount: $1) } }

  /// Evicts until the entries cost at most `cost`, in every shard down to its part; those that have
  /// expired leave first.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toCost cost: Int) -> Int { sum(splitting: cost) { $0.trim(toCost: $1) } }

  /// Removes the entries whose age is `age` or more; see ``MemoryCache/trim(toAge:)``.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  public func trim(toAge age: Duration) -> Int { sum { $0.trim(toAge: age) } }
}

// MARK: - Loading

extension ShardedCache {
  /// The value of `key`, or else what `load` returns, which is stored; as the method of ``MemoryCache`` that
  /// has the same name.
  ///
  /// Blocks while another caller loads the key: not for tasks, which suspend in the asynchronous form, nor for
  /// threads of a pool.
  ///
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @inlinable @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    rememberingFailuresFor duration: Duration? = nil, orLoad load: () throws -> Value
  ) throws -> Value {
    try shard(of: key).value(
      forKey: key, cost: cost, missCost: missCost, expiration: expiration,
      rememberingFailuresFor: duration, orLoad: load)
  }

  /// The value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  @inlinable @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func value(
    forKey key: Key, rememberingFailuresFor duration: Duration? = nil,
    orLoadEntry load: () throws -> LoadedEntry<Value>
  ) throws -> Value {
    try shard(of: key).value(
      forKey: key, rememberingFailuresFor: duration, orLoadEntry: load)
  }

  /// The value of `key`, or else what `load` returns, which is stored; as the form that blocks.
  ///
  /// - Throws: The error of `load`, ``LoadError``, or `CancellationError`.
  @inlinable
  public func value(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    rememberingFailuresFor duration: Duration? = nil,
    orLoad load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await shard(of: key).value(
      forKey: key, cost: cost, missCost: missCost, expiration: expiration,
      rememberingFailuresFor: duration, orLoad: load)
  }

  /// The value of `key`, or else that of the entry that `load` returns, which is stored as it says.
  @inlinable
  public func value(
    forKey key: Key, rememberingFailuresFor duration: Duration? = nil,
    orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await shard(of: key).value(
      forKey: key, rememberingFailuresFor: duration, orLoadEntry: load)
  }
}

// MARK: - Refreshing

extension ShardedCache {
  /// Loads `key` anew though it may have a value, which the result replaces; as the method of ``MemoryCache`` that has the
  /// same name.
  ///
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; ``LoadError``; or `CancellationError`.
  @discardableResult
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    byLoading load: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await shard(of: key).refreshValue(
      forKey: key, cost: cost, missCost: missCost, expiration: expiration, byLoading: load)
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says.
  @discardableResult
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<Value>
  ) async throws -> Value {
    try await shard(of: key).refreshValue(forKey: key, byLoadingEntry: load)
  }

  /// Loads `key` anew though it may have a value; as the form for tasks. It blocks.
  ///
  /// - Returns: The new value.
  /// - Throws: The error of `load`, here or for another caller; or ``LoadError``.
  @discardableResult @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func refreshValue(
    forKey key: Key, cost: Int? = nil, missCost: Double = 1, expiration: Expiration? = nil,
    byLoading load: () throws -> Value
  ) throws -> Value {
    try shard(of: key).refreshValue(
      forKey: key, cost: cost, missCost: missCost, expiration: expiration, byLoading: load)
  }

  /// Loads `key` anew, and stores the entry that `load` returns as it says. It blocks.
  @discardableResult @_disfavoredOverload  // In a task, the other form is meant.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func refreshValue(
    forKey key: Key, byLoadingEntry load: () throws -> LoadedEntry<Value>
  ) throws -> Value {
    try shard(of: key).refreshValue(forKey: key, byLoadingEntry: load)
  }

  /// Removes the entries whose keys satisfy the predicate, one shard after the other; see ``Cache/removeAll(where:)``.
  ///
  /// - Returns: The number of entries that were removed.
  @discardableResult
  public func removeAll(where shouldRemove: (Key) -> Bool) -> Int {
    sum { $0.removeAll(where: shouldRemove) }
  }
}
