import EvictionCore

// What the operations do to the two tiers, and in which order.

extension TieredCache.Held {
  var value: Value? {
    switch self {
    case .value(let value), .loaded(let value): value
    case .absent, .unknown: nil
    }
  }

  var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

extension TieredCache {
  /// Keeps a value that leaves the memory until this thread has unlocked its key.
  @Sendable
  static func keepRemoved(_ key: TextKey, _ held: Held, _ cause: RemovalCause) {
    RemovedValues.current?.add(held)
  }

  /// Removes a key from both tiers; returns true if it had a value.
  func removeEntry(
    _ name: TextKey, _ cause: RemovalCause = .removed
  ) throws(DiskCacheError) -> Bool {
    try changing(name, cause) { removed throws(DiskCacheError) in try remove(name, removed) }
  }

  /// The same; the caller holds the key's lock.
  @discardableResult
  func remove(_ name: TextKey, _ removed: RemovedValues) throws(DiskCacheError) -> Bool {
    let wasHeld = memory.peek(name) { $0.isValue } ?? false
    removed.collect { memory.remove(name) }
    let wasWaiting = writeBack.remove(name, removed)
    let wasOnDisk = try disk.removeEntry(name)
    return wasHeld || wasWaiting || wasOnDisk
  }

  /// Changes a key in both tiers.
  ///
  /// A value that a get may have found on the disk until then is out of date at the end, and not before: it
  /// must not come to memory afterwards.
  ///
  /// - Parameters:
  ///   - cause: The cause by which its entry leaves if the key has no value afterwards.
  ///   - stores: True if `body` returns whether it has stored a value.
  func changing(
    _ key: TextKey, _ cause: RemovalCause, stores: Bool = false,
    _ body: (RemovedValues) throws(DiskCacheError) -> Bool
  ) throws(DiskCacheError) -> Bool {
    try locks.withLock(for: key) { removed throws(DiskCacheError) in
      defer {
        flights.forget(key)
        turns.forget(key)
      }
      return try reporting(key, cause, stores: stores) { () throws(DiskCacheError) in
        try body(removed)
      }
    }
  }

  /// Returns the lifetime of a value that is set or loaded now; nil for ever.
  func life(_ expiration: Expiration?, ofKey key: TextKey) throws(DiskCacheError) -> Duration? {
    [try disk.timeToLive(expiration, ofKey: key), disk.options.ageLimit].compactMap { $0 }.min()
  }

  /// Keeps in memory what a load brought, unless the key has changed since, and has it written soon after.
  func settle(
    _ loaded: LoadedEntry<Value>?, key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight
  ) async throws(DiskCacheError) -> Held {
    try disk.check(cost: loaded?.cost, expiration: loaded?.expiration, key: key)
    let life = try life(loaded?.expiration, ofKey: key)
    let refreshAfter = refreshTime(loaded?.expiration)
    let isThrough = options.writing == .through
    var row: StoredValue?
    if let loaded, isThrough {
      row = try disk.encoded(
        loaded.value, key, tags: loaded.tags, cost: loaded.cost,
        expiration: Expiration(timeToLive: life))
    }
    let waiting = await waitingValue(loaded, key: key, life: life)
    await disk.perform(on: disk.readQueue) { [row] _ in
      self.locks.withLock(for: key) { removed in
        // An update that runs counts as coming first.
        if !self.flights.isCurrent(flight, tagged: loaded?.tags ?? []) || self.turns.contains(key) {
          return
        }
        defer { self.turns.forget(key) }
        let change = self.removals?.beginChange(of: key)
        defer {
          if let change {
            self.removals?.end(change, isStored: loaded != nil, otherwise: .removed)
          }
        }
        if let row { self.disk.loaded.add(row, forKey: key) { true } }
        if let waiting { self.writeBack.add(waiting, forKey: key, removed) }
        if let loaded {
          self.keep(
            .value(loaded.value), key: key, tags: loaded.tags, life: life,
            refreshAfter: refreshAfter, removed)
        } else if let life = self.options.negativeTimeToLive {
          self.keep(.absent, key: key, life: life, removed)
        }
      }
    }
    if row != nil { await disk.writeLoadedSoon(key) }
    return loaded.map { .loaded($0.value) } ?? .absent
  }

  /// A loaded value that is to be written back; nil if values are written through, or if those that wait for
  /// it could not make room.
  private func waitingValue(
    _ loaded: LoadedEntry<Value>?, key: TextKey, life: Duration?
  ) async -> WriteBack<Key, Value>.WaitingValue? {
    guard let loaded, options.writing != .through else { return nil }
    if isFull {
      do throws(DiskCacheError) {
        try await disk.perform(on: disk.writeQueue) { _ throws(DiskCacheError) in
          try self.makeRoomToWait()
        }
      } catch {
        disk.countFailedWrite()
        disk.options.onFailedWrite?(key.text, error)
        return nil
      }
    }
    return WriteBack.WaitingValue(
      loaded.value, cost: loaded.cost, life: life, tags: loaded.tags)
  }

  /// True if as many values wait as may.
  private var isFull: Bool {
    if case .back(let limit) = options.writing { writeBack.count >= limit } else { false }
  }

  /// Writes the values that wait, if as many do as may. The caller holds no key's lock.
  func makeRoomToWait() throws(DiskCacheError) {
    if isFull { try writeBack.writeAll() }
  }

  /// Sees to it that a value reaches the disk; the caller holds the key's lock.
  ///
  /// If it throws, the key has no value any more.
  ///
  /// - Returns: True if the value is on the disk, or waits to be written.
  func write(
    _ value: Value, key: TextKey, tags: Set<String>, cost: Int?, life: Duration?,
    _ removed: RemovedValues
  ) throws(DiskCacheError) -> Bool {
    do throws(DiskCacheError) {
      switch options.writing {
      case .through:
        return try disk.set(
          value, key, tags: tags, cost: cost, expiration: Expiration(timeToLive: life))
      case .back:
        try disk.checkIsOpen()
        let waiting = WriteBack<Key, Value>.WaitingValue(
          value, cost: cost, life: life, tags: tags)
        writeBack.add(waiting, forKey: key, removed)
        return !waiting.isOver
      }
    } catch {
      removed.collect { memory.remove(key) }
      _ = writeBack.remove(key, removed)
      _ = try? disk.removeEntry(key)
      throw error
    }
  }

  /// Keeps something in memory; the caller holds the key's lock.
  ///
  /// - Returns: True if it is in memory.
  @discardableResult
  func keep(
    _ held: Held, key: TextKey, tags: Set<String> = [], life: Duration?,
    refreshAfter: Duration? = nil, _ removed: RemovedValues
  ) -> Bool {
    let cost = cost(of: held, key: key)
    var expiration: Expiration?
    if life != nil || refreshAfter != nil {
      let standard = options.memory.expiration
      expiration = standard
      expiration?.timeToLive = [life, standard.timeToLive].compactMap(\.self).min()
      expiration?.refreshAfter = [refreshAfter, standard.refreshAfter].compactMap(\.self).min()
    }
    return removed.collect {
      tags.isEmpty
        ? memory.set(held, forKey: key, cost: cost, expiration: expiration)
        : memory.set(held, forKey: key, tags: tags, cost: cost, expiration: expiration)
    }
  }

  private func cost(of held: Held, key: TextKey) -> Int {
    if let value = held.value { return memoryCost?(value) ?? 1 }
    if let cost = options.negativeCost { return cost }
    return memoryCost == nil ? 1 : key.keyLength + TieredCacheOptions.absenceOverhead
  }
}
