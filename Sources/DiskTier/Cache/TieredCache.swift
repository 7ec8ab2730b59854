import EvictionCore
import Synchronization

/// A cache in memory over a cache on disk, each with a policy of its own.
///
///     let disk = try DiskCache<Page, SIEVE>.open(path: "/var/cache/pages", options: diskOptions)
///     let pages = try TieredCache<Page, ARC, SIEVE>(disk: disk, options: options)
///     let page = try await pages.value(forKey: "a", orLoad: { try await download("a") })
///
/// A get asks the memory first, and then the disk, whose value is promoted to memory. What is set goes to
/// both: at once (write-through), or to the disk a little later (write-back), where it is found meanwhile.
/// Of several gets of a key that is not in memory one asks the disk, and loads what is not there either; the
/// others wait for its answer. A value that is set or removed meanwhile wins over what a get brings.
///
/// When a set throws, the key has no value in either tier. A value's coder and `memoryCost` are called with
/// the key locked: they must not use the cache. Values are released without a lock, and may use it.
///
/// Other processes that share the disk's path do not reach this one's memory: what they set or remove, it
/// learns when its entry expires. So memory over a shared path must have a time to live.
///
/// - Complexity: A hit in memory is one of `MemoryCache`.
public final class TieredCache<
  Value: Sendable, MemoryPolicy: ReplacementPolicy & ~Copyable,
  DiskPolicy: ReplacementPolicy & ~Copyable
>: Sendable {
  /// What memory holds of a key, or a look at the disk brings.
  enum Held: Sendable {
    case value(Value)
    /// A load found nothing.
    case absent
    /// It isn't on the disk, and nobody has loaded it.
    case unknown
  }

  struct Counters {
    var promotions = 0
    var negativeHits = 0
    var failedWrites = 0
  }

  /// The lower tier.
  public let disk: DiskCache<Value, DiskPolicy>
  /// How it was created.
  public let options: TieredCacheOptions
  private let memory: MemoryCache<TextKey, Held, MemoryPolicy>
  private let memoryCost: (@Sendable (Value) -> Int)?
  let flights = SingleFlight<TextKey, Held>()
  /// Held for a key while both tiers change.
  let locks: KeyedLocks
  private let writeBack: WriteBack<Value, DiskPolicy>
  let counters = Mutex(Counters())

  /// Creates a cache whose memory is empty.
  ///
  /// - Parameters:
  ///   - disk: The lower tier.
  ///   - options: What is kept in memory, and when values go to disk.
  ///   - memoryCost: The bytes, or another cost, that a value takes of the memory's cost limit, 0 or more; by
  ///     default 1.
  /// - Throws: ``DiskCacheError/policy(_:)`` when the policy in memory cannot run with its limits or
  ///   parameters; ``DiskCacheError/shared(path:problem:)`` when several processes share the disk's path, and
  ///   the memory has no time to live (`MemoryCacheOptions.expiration`), or values are written back.
  public init(
    disk: DiskCache<Value, DiskPolicy>, options: TieredCacheOptions = TieredCacheOptions(),
    memoryCost: (@Sendable (Value) -> Int)? = nil
  ) throws(DiskCacheError) {
    precondition(options.negativeCost ?? 1 > 0, "an absence costs 1 or more")
    if disk.options.store.sharing == .shared {
      if options.memory.expiration.timeToLive == nil {
        throw .shared(path: disk.path, problem: "memory over it needs a time to live")
      }
      if options.writing != .through {
        throw .shared(path: disk.path, problem: "nothing can be written back")
      }
    }
    self.disk = disk
    self.options = options
    self.memoryCost = memoryCost
    locks = KeyedLocks()
    writeBack = WriteBack(disk: disk, locks: locks)
    // Other threads release values without a lock anyway.
    let isReleasedHere = options.memory.release == .caller
    do {
      memory = try MemoryCache(
        countLimit: options.memoryCountLimit, costLimit: options.memoryCostLimit,
        parameters: options.memoryParameters, seed: options.seed ?? .random(in: .min ... .max),
        options: options.memory,
        onRemoval: isReleasedHere ? TieredCache.keepRemoved : nil)
    } catch { throw .policy(error) }
  }
}

// MARK: - Entries

extension TieredCache where MemoryPolicy: ~Copyable, DiskPolicy: ~Copyable {
  /// The value of `key` in memory or on disk, or nil.
  ///
  /// It waits for a load of the key that is under way, and looks at the disk itself if that fails.
  @available(*, noasync, message: "it blocks; await the asynchronous form")
  public func value(forKey key: String) throws(DiskCacheError) -> Value? {
    let name = TextKey(key)
    if let held = heldInMemory(name) { return held.value }
    while true {
      do {
        return try flights.value(forKey: name) { flight in try look(for: name, of: flight) }.value
      } catch let error as DiskCacheError {
        throw error
      } catch {
        // The load was another caller's.
      }
    }
  }

  /// Stores `value` under `key`, in both tiers.
  ///
  /// - Parameters:
  ///   - value: What both tiers keep.
  ///   - key: Any text.
  ///   - cost: What it takes of the disk's cost limit; by default the bytes of the encoded value.
  ///   - expiration: The time for which it may be returned, without a time to idle; by default as the disk's
  ///     options say.
  /// - Returns: Whether the value is in one tier at least.
  @discardableResult
  public func set(
    _ value: Value, forKey key: String, cost: Int? = nil, expiration: Expiration? = nil
  ) throws(DiskCacheError) -> Bool {
    let name = TextKey(key)
    let life: Duration?
    do throws(DiskCacheError) {
      life = try self.life(expiration, ofKey: key)
      if case .back(let limit) = options.writing, writeBack.count >= limit {
        try writeBack.writeAll()
      }
    } catch {
      _ = try? remove(key)
      throw error
    }
    return try changing(name) { removed throws(DiskCacheError) -> Bool in
      let isWritten = try write(value, key: name, cost: cost, life: life, removed)
      let isKept = keep(.value(value), key: name, life: life, removed)
      return isWritten || isKept
    }
  }

  /// Removes `key` from both tiers.
  ///
  /// - Returns: Whether it had a value; on a shared path, one that is too old counts as well.
  @discardableResult
  public func remove(_ key: String) throws(DiskCacheError) -> Bool {
    let name = TextKey(key)
    return try changing(name) { removed throws(DiskCacheError) -> Bool in
      let wasHeld = memory.peek(name) { $0.isValue } ?? false
      removed.collect { memory.remove(name) }
      let wasWaiting = writeBack.remove(name, removed)
      let wasOnDisk = try disk.remove(key)
      return wasHeld || wasWaiting || wasOnDisk
    }
  }

  /// Removes everything from both tiers.
  public func removeAll() throws(DiskCacheError) {
    try locks.withAllLocks { removed throws(DiskCacheError) in
      defer { flights.forgetAll() }
      removed.collect { memory.removeAll() }
      writeBack.removeAll(removed)
      try disk.removeAll()
    }
  }

  /// Whether `key` has a value in memory or on disk. The policies do not learn of the question.
  public func contains(_ key: String) throws(DiskCacheError) -> Bool {
    let name = TextKey(key)
    if let isValue = memory.peek(name, { $0.isValue }) { return isValue }
    if let waiting = writeBack[name] { return !waiting.isOver }
    return try disk.contains(key)
  }

  /// Empties the memory, as when it is scarce. The disk keeps its values.
  public func removeAllFromMemory() { memory.removeAll() }

  /// Writes what waits for it, and the access times.
  ///
  /// - Throws: What the first write that failed threw; its value, and those after it, wait on.
  public func flush() throws(DiskCacheError) {
    try writeBack.writeAll()
    try disk.flush()
  }

  /// Writes the values that wait, and closes the disk.
  ///
  /// - Throws: What ``flush()`` threw. The disk is closed nevertheless; the values that could not be written,
  ///   ``TieredCacheStatistics/waitingWrites``, are in memory alone.
  public func close() throws(DiskCacheError) {
    defer { disk.close() }
    try flush()
  }

  /// What both tiers have counted.
  public var statistics: TieredCacheStatistics {
    var statistics = TieredCacheStatistics()
    statistics.memory = memory.statistics
    statistics.disk = disk.statistics
    statistics.waitingWrites = writeBack.count
    statistics.savedWrites = writeBack.saved
    counters.withLock {
      statistics.promotions = $0.promotions
      statistics.negativeHits = $0.negativeHits
      statistics.failedWrites = $0.failedWrites + writeBack.failed
    }
    return statistics
  }
}

extension TieredCache: Cache where MemoryPolicy: ~Copyable, DiskPolicy: ~Copyable {
  /// The error of the lower tier; memory has none.
  public typealias Failure = DiskCacheError
}

// MARK: - Tiers

extension TieredCache.Held where MemoryPolicy: ~Copyable, DiskPolicy: ~Copyable {
  var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

extension TieredCache where MemoryPolicy: ~Copyable, DiskPolicy: ~Copyable {
  /// What was found below the memory, and how long it lives.
  private struct Found {
    var held: Held
    var life: Duration?
  }

  /// Keeps a value that leaves the memory until this thread has unlocked its key.
  @Sendable
  private static func keepRemoved(_ key: TextKey, _ held: Held, _ cause: RemovalCause) {
    RemovedValues.current?.add(held)
  }

  /// Changes a key in both tiers.
  ///
  /// What a get may have found on the disk until then is out of date at the end, and not before: it must
  /// not come to memory afterwards.
  private func changing(
    _ key: TextKey, _ body: (RemovedValues) throws(DiskCacheError) -> Bool
  ) throws(DiskCacheError) -> Bool {
    try locks.withLock(for: key) { removed throws(DiskCacheError) in
      defer { flights.forget(key) }
      return try body(removed)
    }
  }

  /// How long a value lives that is set or loaded now; nil for ever.
  func life(_ expiration: Expiration?, ofKey key: String) throws(DiskCacheError) -> Duration? {
    [try disk.timeToLive(expiration, ofKey: key), disk.options.ageLimit].compactMap { $0 }.min()
  }

  /// What is known of a key below the memory, to which it is brought.
  func look(
    for key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight
  ) throws(DiskCacheError) -> Held {
    if let waiting = waiting(key) { return bring(waiting, to: key, of: flight) }
    return bring(stored(try disk.entry(forKey: key.text)), to: key, of: flight)
  }

  /// What memory knows of a key; nil for nothing.
  func heldInMemory(_ key: TextKey) -> Held? {
    let held = memory.value(forKey: key)
    if case .absent = held { counters.withLock { $0.negativeHits += 1 } }
    return held
  }

  /// A value that waits to be written.
  private func waiting(_ key: TextKey) -> Found? {
    guard let waiting = writeBack[key] else { return nil }
    let life = waiting.expires.map { WallClock.time(until: $0) }
    if waiting.isOver { return Found(held: .unknown) }
    return Found(held: .value(waiting.value), life: life)
  }

  /// What the disk returned.
  private func stored(_ entry: DiskEntry<Value>?) -> Found {
    guard let entry else { return Found(held: .unknown) }
    let deadline = disk.options.deadline(of: entry.metadata)
    return Found(
      held: .value(entry.value), life: deadline.map { WallClock.time(until: $0) })
  }

  /// Keeps in memory what was found, unless the key has changed since.
  private func bring(
    _ found: Found, to key: TextKey, of flight: SingleFlight<TextKey, Held>.Flight
  ) -> Held {
    guard case .value = found.held else { return found.held }
    locks.withLock(for: key) { removed in
      if !flight.isCurrent { return }
      keep(found.held, key: key, life: found.life, removed)
      counters.withLock { $0.promotions += 1 }
    }
    return found.held
  }

  /// Keeps in both tiers what a load brought, unless the key has changed since.
  func settle(
    _ loaded: Value?, key: TextKey, life: Duration?,
    of flight: SingleFlight<TextKey, Held>.Flight
  ) -> Held {
    let held: Held = loaded.map { .value($0) } ?? .absent
    locks.withLock(for: key) { removed in
      if !flight.isCurrent { return }
      if let loaded {
        do {
          try write(loaded, key: key, cost: nil, life: life, removed)
        } catch {
          // Whoever waits for the value gets it all the same.
          counters.withLock { $0.failedWrites += 1 }
        }
        keep(held, key: key, life: life, removed)
      } else if let life = options.negativeTimeToLive {
        keep(.absent, key: key, life: life, removed)
      }
    }
    return held
  }

  /// Sees to it that a value reaches the disk; the caller holds the key's lock.
  ///
  /// If it throws, the key has no value any more.
  ///
  /// - Returns: True if the value is on the disk, or waits to be written.
  @discardableResult
  private func write(
    _ value: Value, key: TextKey, cost: Int?, life: Duration?, _ removed: RemovedValues
  ) throws(DiskCacheError) -> Bool {
    switch options.writing {
    case .through:
      do throws(DiskCacheError) {
        return try disk.set(
          value, forKey: key.text, cost: cost, expiration: Expiration(timeToLive: life))
      } catch {
        removed.collect { memory.remove(key) }
        _ = try? disk.remove(key.text)
        throw error
      }
    case .back:
      let expires = life.map { WallClock.time($0, after: WallClock.now) }
      let waiting = WriteBack<Value, DiskPolicy>.WaitingValue(
        value: value, cost: cost, expires: expires)
      writeBack.add(waiting, forKey: key, removed)
      return !waiting.isOver
    }
  }

  /// Keeps something in memory; the caller holds the key's lock.
  ///
  /// - Returns: True if it is in memory.
  @discardableResult
  private func keep(
    _ held: Held, key: TextKey, life: Duration?, _ removed: RemovedValues
  ) -> Bool {
    let cost = cost(of: held, key: key)
    let expiration = life.map { life in
      var expiration = options.memory.expiration
      expiration.timeToLive = min(life, expiration.timeToLive ?? life)
      return expiration
    }
    return removed.collect {
      memory.set(held, forKey: key, cost: cost, expiration: expiration)
    }
  }

  private func cost(of held: Held, key: TextKey) -> Int {
    if case .value(let value) = held { return memoryCost?(value) ?? 1 }
    if let cost = options.negativeCost { return cost }
    return memoryCost == nil ? 1 : key.keyLength + TieredCacheOptions.absenceOverhead
  }
}
