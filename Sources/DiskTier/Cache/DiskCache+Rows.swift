import EvictionCore
import Synchronization

// MARK: - Entries by their text

extension DiskCache {
  func entry(_ key: TextKey) throws(DiskCacheError) -> DiskEntry<Value>? {
    defer { removals.report() }
    let found: DiskEntry<Value>?
    do { found = try find(key) } catch { throw .store(error) }
    counters.withLock {
      if found == nil { $0.cache.misses += 1 } else { $0.cache.hits += 1 }
    }
    return found
  }

  /// As ``entry(_:)``, for a get that was counted before.
  func uncountedEntry(_ key: TextKey) throws(DiskCacheError) -> DiskEntry<Value>? {
    defer { removals.report() }
    do {
      return loaded[key] == nil && directory.holds(key) == false ? nil : try find(key)
    } catch { throw .store(error) }
  }

  func set(
    _ value: Value, _ key: TextKey, extended: [UInt8]? = nil, tags: Set<String> = [],
    cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    let entry: StoredValue
    do {
      entry = try encoded(
        value, key, extended: extended, tags: tags, cost: cost, expiration: expiration)
    } catch {
      // What the key had is out of date.
      _ = try? changing(key) { _ throws(StoreError) in try remove(key, .discarded) }
      throw error
    }
    return try changing(key) { known throws(StoreError) in try put(entry, key, &known) }
  }

  /// Throws what the cost or the expiration of a value makes impossible, whatever the value is.
  func check(cost: Int?, expiration: Expiration?, key: TextKey) throws(DiskCacheError) {
    CostBounds.demand(cost, forKey: key)
    if cost != nil && options.store.sharing == .shared {
      throw .shared(path: path, problem: "costs are bytes; leave the cost out")
    }
    try check(expiration, ofKey: key)
  }

  /// A value as its row will hold it.
  func encoded(
    _ value: Value, _ key: TextKey, extended: [UInt8]? = nil, tags: Set<String> = [], cost: Int?,
    expiration: Expiration?
  ) throws(DiskCacheError) -> StoredValue {
    try check(cost: cost, expiration: expiration, key: key)
    let life = try timeToLive(expiration, ofKey: key)
    let bytes: [UInt8]
    do { bytes = try coder.encode(value) } catch {
      throw .encoding(key: key.text, problem: "\(error)")
    }
    let extendedSize = ExtendedColumn.bytes(extended, tags: tags)?.count ?? 0
    do { try store.checkSize(key: key.keyLength, value: bytes.count, extended: extendedSize) } catch
    { throw .store(error) }
    let now = clock.now
    return StoredValue(
      bytes: bytes, extended: extended,
      metadata: StoredMetadata(
        size: bytes.count, extendedSize: extendedSize, access: now, insertion: now, created: now,
        expires: life.map { WallClock.time($0, after: now) },
        cost: cost ?? bytes.count + key.keyLength + extendedSize + DiskCacheOptions.rowOverhead),
      tags: tags)
  }

  /// A loaded value as its row will hold it.
  func encoded(
    _ entry: LoadedEntry<Value>, _ key: TextKey
  ) throws(DiskCacheError) -> StoredValue {
    try encoded(
      entry.value, key, tags: entry.tags, cost: entry.cost, expiration: entry.expiration)
  }

  /// Removes the entry of `key`.
  ///
  /// - Parameter tag: A tag that it must have; nil for any.
  func removeEntry(_ key: TextKey, tagged tag: String? = nil) throws(DiskCacheError) -> Bool {
    let isRemoved: Bool
    do {
      isRemoved = try writing.withLock { _ throws(StoreError) in
        if let tag, try !currentTags(key).contains(tag) { return false }
        defer { outdate(key) }
        let isWaiting = loaded[key].map { !isTooOld($0.metadata) } ?? false
        let wasHeld = directory.holds(key) != false
        return try remove(key, .removed) != nil && wasHeld || isWaiting
      }
    } catch { throw .store(error) }
    if isRemoved { counters.withLock { $0.cache.removals += 1 } }
    return isRemoved
  }

  func removeAllRows() throws(DiskCacheError) {
    do {
      try writing.withLock { _ throws(StoreError) in
        var left: [TextKey] = []
        if removals.isInUse {
          try store.forEachBatch { rows in
            left += rows.map { TextKey($0.key) }
            return true
          }
        }
        try store.removeRows()
        for key in left { removals.note(key, directory.leaving.cause(key) ?? .removed) }
        directory.removeAll()
        flights.forgetAll()
        loaded.removeAll()
        turns.forgetAll()
      }
    } catch { throw .store(error) }
  }

  /// Runs `body`, which gives `key` another value or none, while nothing else changes the cache. What was being
  /// loaded for the key, or waited to be written, is out of date at the end, and not before.
  func changing<Result>(
    _ key: TextKey, _ body: (inout Int) throws(StoreError) -> Result
  ) throws(DiskCacheError) -> Result {
    do {
      return try writing.withLock { known throws(StoreError) in
        defer { outdate(key) }
        return try body(&known)
      }
    } catch { throw .store(error) }
  }

  /// Values of `key` that are being loaded, wait to be written or were read by an update are out of date. The caller
  /// holds ``writing``.
  func outdate(_ key: TextKey) {
    flights.forget(key)
    loaded.remove(key)
    turns.forget(key)
  }

  func contains(_ key: TextKey) throws(DiskCacheError) -> Bool {
    do { return try peekMetadata(key) != nil } catch { throw .store(error) }
  }

  /// The keys of all rows, those of loaded values among them.
  func storedKeys() throws(DiskCacheError) -> [TextKey] {
    writeLoaded()
    return try storedRows()
  }

  /// The keys of all rows.
  func storedRows() throws(DiskCacheError) -> [TextKey] {
    var keys: [TextKey] = []
    do {
      try store.forEachBatch { rows in
        keys += rows.map { TextKey($0.key) }
        return true
      }
    } catch { throw .store(error) }
    return keys
  }
}

// MARK: - Store and directory

extension DiskCache {
  private func find(_ name: TextKey) throws(StoreError) -> DiskEntry<Value>? {
    try findStored(name).flatMap { decoded($0, name) }
  }

  /// Returns the value of a key as its row holds it, unless it is too old.
  func findStored(_ name: TextKey) throws(StoreError) -> StoredValue? {
    let entries = try directoryInUse
    // First, as a value leaves these when it is on the disk.
    if let waiting = loaded[name] { return isTooOld(waiting.metadata) ? nil : waiting }
    guard entries.use(name) else { return nil }
    var found = try store.get(name.text, touching: recordsAccesses)
    if found == nil { found = try findAgain(name) }
    guard let stored = found else { return nil }
    if options.store.sharing == .shared,
      directory.leaving.contains(name, created: stored.metadata.created)
    {
      return nil
    }
    if isTooOld(stored.metadata) {
      if removeUseless(name, stored.metadata, .expired) {
        directory.leaving.countExpirations(1)
      }
      return nil
    }
    return stored
  }

  /// Returns an entry; nil if its value cannot be decoded, which is removed then.
  func decoded(_ stored: StoredValue, _ name: TextKey) -> DiskEntry<Value>? {
    guard let value = try? coder.decode(stored.bytes) else {
      counters.withLock { $0.undecodable += 1 }
      removeUseless(name, stored.metadata, .discarded)
      return nil
    }
    return DiskEntry(
      value: value, extended: stored.extended, tags: stored.tags, metadata: stored.metadata)
  }

  /// The directory has a key that the store has not: either it is just being put or removed, or its row
  /// was damaged, and then the directory must learn of it.
  private func findAgain(_ key: TextKey) throws(StoreError) -> StoredValue? {
    if options.store.sharing == .shared { return nil }
    return try writing.withLock { known throws(StoreError) in
      let stored = try store.get(key.text)
      if try !forgetLost(&known) && stored == nil {
        // The store has removed it, unless that failed.
        let isGone = directory.holds(key) == true && (try? store.contains(key.text)) == false
        if isGone { removals.note(key, .discarded) }
        directory.discard(key, .discarded)
      }
      return stored
    }
  }

  /// Puts an entry; the caller holds ``writing``, with the databases set aside that it guards.
  func put(
    _ entry: StoredValue, _ name: TextKey, _ known: inout Int
  ) throws(StoreError) -> Bool {
    try put(entry, name, &known, expecting: nil) ?? false
  }

  /// The same, if the key has the expected row; else it does nothing, and returns nil.
  func put(
    _ entry: StoredValue, _ name: TextKey, _ known: inout Int, expecting expected: ExpectedRow?
  ) throws(StoreError) -> Bool? {
    let size = entry.bytes.count
    let cost = entry.metadata.cost
    let deadline = options.deadline(of: entry.metadata)
    let wasHeld = directory.holds(name) ?? false
    do throws(StoreError) {
      let hasSpace = try makeFreeSpace(for: size)
      // The policy goes on remembering a key whose value it refuses.
      if !hasSpace { directory.discard(name, .size) }
      guard hasSpace, directory.admit(name, cost: cost, deadline: deadline, tags: entry.tags) else {
        try removeLeaving()
        counters.withLock { $0.cache.rejections += 1 }
        return false
      }
      // A file needs the space before it is written; a row, and what leaves for it, are one transaction.
      if size > options.store.inlineThreshold { try removeLeaving() }
      let gone = directory.leaving.all.prefix(512).filter { !directory.keeps($0) }
      let outcome = try store.put(
        entry.bytes, forKey: name.text, extended: entry.extended, expires: entry.metadata.expires,
        cost: cost, tags: entry.tags, removing: gone.map(\.text), naming: removals.isInUse,
        expecting: expected)
      if outcome.isRefused { return nil }
      noteRemovals(outcome.removedKeys)
      directory.leaving.removed(gone)
      let kept = directory.leaving.takeKept(name)
      if outcome.replacedSize != nil { removals.note(name, kept ?? .replaced, isReplaced: true) }
      if let displaced = outcome.displacedKey.map({ TextKey($0) }) {
        directory.removed(displaced)
        removals.note(displaced, .size)
      }
      if try forgetLost(&known) {
        _ = directory.admit(name, cost: cost, deadline: deadline, tags: entry.tags)
      }
      // Its time may have been over before its row was there.
      if directory.holds(name) == false { directory.leaving.add(name, .expired) }
      try directory.enforceLimits()
      try removeLeaving()
      counters.withLock {
        if wasHeld { $0.cache.replacements += 1 } else { $0.cache.insertions += 1 }
      }
      return true
    } catch {
      directory.discard(name, .discarded)
      _ = try? removeLeaving()
      throw error
    }
  }

  /// Removes a key from both; the caller holds ``writing``. A row that cannot be removed is leaving.
  func remove(_ key: TextKey, _ cause: RemovalCause) throws(StoreError) -> Int? {
    directory.discard(key, cause)
    let size = try removing { () throws(StoreError) in try store.remove(key.text) }
    if size != nil { noteRemovals(CollectionOfOne(key.text)) }
    directory.leaving.removed([key])
    return size
  }

  /// Removes a key whose value a read could not return, unless it was set again since; returns whether.
  ///
  /// A failure is no reason for the read to fail: the row is leaving then.
  @discardableResult
  private func removeUseless(
    _ key: TextKey, _ found: StoredMetadata, _ cause: RemovalCause
  ) -> Bool {
    writing.withLock { _ in
      guard let metadata = try? store.metadata(key.text), metadata.created == found.created else {
        return false
      }
      _ = try? remove(key, cause)
      return true
    }
  }

  /// Removes the rows of what has left, many at a time; returns their bytes. The caller holds ``writing``.
  @discardableResult
  func removeLeaving() throws(StoreError) -> Int {
    var bytes = 0
    var keys = directory.leaving.all[...]
    var batch = 512
    while !keys.isEmpty {
      let gone = keys.prefix(batch).filter { !directory.keeps($0) }
      do throws(StoreError) {
        let outcome = try removing { () throws(StoreError) in
          try store.remove(gone.map(\.text), naming: removals.isInUse)
        }
        bytes &+= outcome.bytes
        noteRemovals(outcome.keys)
      } catch {
        // The reserve of a full disk is enough for a few.
        guard case .full = error, batch > 8 else { throw error }
        batch = 8
        continue
      }
      directory.leaving.removed(gone)
      keys = keys.dropFirst(batch)
    }
    return bytes
  }

  /// The rows of keys that were leaving are gone. The caller holds ``writing``.
  func noteRemovals(_ keys: some Sequence<String>) {
    if !removals.isInUse { return }
    for key in keys.lazy.map({ TextKey($0) }) {
      if let cause = directory.leaving.cause(key) { removals.note(key, cause) }
    }
  }

  /// Runs `body`, which removes rows of what leaves: where that fails, only rows that are there now still leave.
  func removing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      directory.removalFailed()
      throw error
    }
  }

  /// Has the directory forget what was in a database that was set aside or lost since, and learn what is in its
  /// place; returns whether one was. The caller holds ``writing``.
  @discardableResult
  func forgetLost(_ known: inout Int) throws(StoreError) -> Bool {
    let beginnings = store.beginnings
    if beginnings == known { return false }
    known = beginnings
    let former = removals.isInUse ? directory.keys : []
    defer {
      for key in former where directory.holds(key) == false { removals.note(key, .discarded) }
    }
    directory.removeAll()
    try (directory as? PolicyDirectory)?.rebuild(
      from: store, byAccess: recordsAccesses, deadline: { options.deadline(of: $0) })
    return true
  }
}
