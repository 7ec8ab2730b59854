import EvictionCore

extension DiskCache {
  /// The number of entries. Those that are too old are not counted, unless the path is shared; a loaded value
  /// counts once it is written.
  public var count: Int {
    get throws(DiskCacheError) {
      do { return try directoryInUse.count } catch { throw .store(error) }
    }
  }

  /// The cost of all entries: their bytes, as ``DiskCacheOptions/costLimit`` counts them, unless sets said
  /// otherwise.
  public var totalCost: Int {
    get throws(DiskCacheError) {
      do { return try directoryInUse.totalCost } catch { throw .store(error) }
    }
  }

  /// The bytes of all values together, without keys and extended data.
  public var totalSize: Int {
    get throws(DiskCacheError) {
      do { return try store.totalSize } catch { throw .store(error) }
    }
  }

  /// The most entries; nil for no limit.
  public var countLimit: Int? { directory.limits.count }

  /// The largest sum of costs; nil for no limit.
  ///
  /// Costs are bytes unless sets say otherwise: those of the encoded value, the key and the extended data, and
  /// ``DiskCacheOptions/rowOverhead``. On a shared path, keys and extended data are not counted. Files are at
  /// most twice as large, as entries of about half a page leave the other half empty; the write-ahead log
  /// (``StoreOptions/logLimit``) comes in addition.
  public var costLimit: Int? { directory.limits.cost }

  /// Changes the limits; nil means no limit. What is over them is evicted before the call returns, some entries at a
  /// time: other writers wait for no more than one of these steps. A negative limit is an error.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  public func setLimits(count: Int?, cost: Int?) throws(DiskCacheError) {
    do { try PolicyError.checkLimits(count: count, cost: cost) } catch { throw .policy(error) }
    try evict(toCount: count ?? .max, cost: cost ?? .max)
    // What was put since leaves here.
    try changing { directory throws(StoreError) in
      try directory.setLimits(count: count, cost: cost)
    }
  }

  /// Evicts by the policy until at most `count` entries are left.
  ///
  /// - Returns: The number of entries that left.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func trim(toCount count: Int) throws(DiskCacheError) -> Int {
    try evict(toCount: max(0, count), cost: .max)
  }

  /// Evicts by the policy until the entries cost at most `cost`.
  ///
  /// - Returns: The number of entries that left.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func trim(toCost cost: Int) throws(DiskCacheError) -> Int {
    try evict(toCount: cost > 0 ? .max : 0, cost: max(0, cost))
  }

  /// Evicts by the policy until values of at least `bytes` bytes have left, or all.
  ///
  /// - Returns: The bytes of the values that left.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func trim(freeing bytes: Int) throws(DiskCacheError) -> Int {
    defer { removals.report() }
    var freed = 0
    do {
      while freed < bytes {
        // Other writers wait for no more than this.
        let step = min(bytes - freed, 1 << 16)
        let part = try writing.withLock { _ throws(StoreError) in try free(step) }
        if part == 0 { break }
        freed = freed.addingReportingOverflow(part).overflow ? .max : freed + part
      }
    } catch { throw .store(error) }
    return freed
  }

  /// Removes entries that were put `age` ago or earlier, those whose time to live is over, and those of an unknown
  /// age: they say that they were put later than now, as a clock was ahead then.
  ///
  /// - Returns: The number of entries that left.
  /// - Complexity: It reads every row, though no value.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func trim(toAge age: Duration) throws(DiskCacheError) -> Int {
    do {
      return try removeRows {
        let now = self.clock.now
        return WallClock.time(age, after: $0.created) <= now || $0.created > now
          || self.isTooOld($0)
      }
    } catch { throw .store(error) }
  }

  /// Removes entries that were put or read `age` ago or earlier, by the store's clock.
  ///
  /// - Returns: The number of entries that left.
  /// - Complexity: It reads every row, though no value.
  @discardableResult
  package func trim(unusedFor age: Duration) throws(DiskCacheError) -> Int {
    do {
      return try removeRows {
        WallClock.time(age, after: $0.access) <= self.clock.now
      }
    } catch { throw .store(error) }
  }

  /// Removes entries whose values have more than `bytes` bytes.
  ///
  /// - Returns: The number of entries that left.
  /// - Complexity: It reads every row, though no value.
  @discardableResult
  package func trim(toValuesOf bytes: Int) throws(DiskCacheError) -> Int {
    do { return try removeRows { $0.size > bytes } } catch { throw .store(error) }
  }

  /// Does what the cache also does by itself every ``DiskCacheOptions/trimInterval``: removes what is too
  /// old, and evicts for the free space.
  ///
  /// - Returns: The number of entries that left.
  @available(*, noasync, message: "it blocks; await the async form, at top level within a function")
  @discardableResult
  public func trim() throws(DiskCacheError) -> Int {
    defer { removals.report() }
    do {
      let before = try directoryInUse.count
      if try !directoryInUse.removeOutdated() { _ = try removeRows(isTooOld) }
      return try writing.withLock { _ throws(StoreError) in
        _ = try makeFreeSpace(for: 0)
        try removeLeaving()
        return max(0, before - (try directory.count))
      }
    } catch { throw .store(error) }
  }
}

extension DiskCache {
  /// Returns true if an entry may not be returned any more.
  func isTooOld(_ metadata: StoredMetadata) -> Bool {
    guard let deadline = options.deadline(of: metadata) else { return false }
    let now = clock.now
    // An index knows the time that an entry has left, whatever happens to the clock. Without one, the age of an
    // entry that was put later than now is unknown.
    return deadline <= now || options.store.sharing == .shared && metadata.created > now
  }

  /// The time for which an entry may still be returned; nil for ever.
  func timeLeft(_ metadata: StoredMetadata, of key: TextKey) -> Duration? {
    guard let deadline = options.deadline(of: metadata) else { return nil }
    let left = clock.time(until: deadline)
    return directory.timeRemaining(of: key).map { min($0, left) } ?? left
  }

  /// The time for which a value lives that is set with `expiration`; nil for ever.
  func timeToLive(
    _ expiration: Expiration?, ofKey key: TextKey
  ) throws(DiskCacheError) -> Duration? {
    try check(expiration, ofKey: key)
    let expiration = expiration ?? options.expiration
    return expiration.timeToLive.map { shortened($0, by: expiration.jitterInRange) }
  }

  /// Throws what a disk does not keep.
  func check(_ expiration: Expiration?, ofKey key: TextKey) throws(DiskCacheError) {
    if expiration?.timeToIdle != nil { throw .timeToIdle(key: key.text) }
  }

  /// Returns a time that is shortened at random by a fraction of it at most.
  func shortened(_ time: Duration, by jitter: Double) -> Duration {
    if jitter == 0 || time <= .zero { return time }
    let bits = draws.withLock { $0.next() }
    let left = Expiration.shortened(time.nanoseconds, jitter: jitter, bits: bits)
    return min(time, .nanoseconds(Int64(clamping: left)))
  }

  /// Makes room on the disk for `bytes` more, as the floor asks for it. The caller holds ``writing``.
  ///
  /// - Returns: False if the floor is passed and nothing is left to evict.
  func makeFreeSpace(for bytes: Int) throws(StoreError) -> Bool {
    if options.freeSpaceFloor <= 0 { return true }
    guard let free = store.core.environment.freeSpace(path) else { return true }
    let (needed, isHuge) = options.freeSpaceFloor.addingReportingOverflow(bytes)
    var missing = (isHuge ? .max : needed) - free
    if missing <= 0 { return true }
    // Rows that left made room in the database, not on the disk: what has left once needs not leave again.
    missing -= try store.unusedSize
    if missing <= 0 { return true }
    // So is the log, which evictions would only make longer.
    let log = try store.shrinkLog()
    if let left = store.core.environment.freeSpace(path) { missing += free - left }
    missing -= log
    if missing <= 0 { return true }
    return try self.free(missing) >= missing
  }

  /// Evicts values of at least `bytes` bytes, a few at a time. The caller holds ``writing``.
  private func free(_ bytes: Int) throws(StoreError) -> Int {
    var freed = 0
    var count = try directory.count
    while freed < bytes && count > 0 {
      try removing { () throws(StoreError) in
        _ = try directory.trim(toCount: max(0, count - 16), cost: .max, atMost: 16)
      }
      let (sum, isHuge) = freed.addingReportingOverflow(try removeLeaving())
      freed = isHuge ? .max : sum
      let rest = try directory.count
      // None left: where several processes share the path, since the others use them all.
      if rest >= count { break }
      count = rest
    }
    if count == 0 { store.giveSpaceBack() }
    return freed
  }

  /// Evicts by the policy until at most `count` entries are left, which cost at most `cost`, some at a time, so
  /// that no other writer waits for long.
  ///
  /// - Returns: The number of entries that left.
  @discardableResult
  private func evict(toCount count: Int, cost: Int) throws(DiskCacheError) -> Int {
    let step = 512
    var evicted = 0
    while true {
      let part = try changing { directory throws(StoreError) in
        try directory.trim(toCount: count, cost: cost, atMost: step)
      }
      evicted += part
      if part < step { return evicted }
    }
  }

  /// Runs `body` while nothing else changes the cache, and removes the rows of what it evicts.
  private func changing<Result>(
    _ body: (any DiskDirectory) throws(StoreError) -> Result
  ) throws(DiskCacheError) -> Result {
    defer { removals.report() }
    do {
      return try writing.withLock { _ throws(StoreError) in
        let before = try directoryInUse.count
        let result: Result
        do throws(StoreError) { result = try body(directoryInUse) } catch {
          directory.removalFailed()
          throw error
        }
        try removeLeaving()
        if before > 0, try directory.count == 0 { store.giveSpaceBack() }
        return result
      }
    } catch { throw .store(error) }
  }

  /// Removes the rows that are too old, batch by batch, so that no caller waits for long.
  private func removeRows(
    _ isOver: @escaping (StoredMetadata) -> Bool
  ) throws(StoreError) -> Int {
    defer { removals.report() }
    var removed = 0
    var failure: StoreError?
    try store.forEachBatch { rows in
      let over = rows.filter { isOver($0.metadata) }
      if over.isEmpty { return true }
      do throws(StoreError) {
        removed += try writing.withLock { _ throws(StoreError) in
          var keys: [String] = []
          for row in over where try store.metadata(row.key).map(isOver) ?? false {
            directory.discard(TextKey(row.key), .expired)
            keys.append(row.key)
          }
          let outcome = try removing { () throws(StoreError) in
            try store.remove(keys, naming: removals.isInUse)
          }
          noteRemovals(outcome.keys)
          directory.leaving.removed(keys.map(TextKey.init))
          return outcome.count
        }
      } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    directory.leaving.countExpirations(removed)
    return removed
  }
}
