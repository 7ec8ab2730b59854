import EvictionCore
import Synchronization

/// Values that are to be written to disk, of each key the latest only.
///
/// A value stays here until it is written, so that anyone who looks for it finds it here or there. It outlives
/// its cache until all is written.
final class WriteBack<Key: DiskKey, Value: Sendable>: Sendable {
  /// A value that waits.
  struct WaitingValue: Sendable {
    var value: Value
    var cost: Int?
    let tags: Set<String>
    /// The time at which it expires, by a clock that is never set; nil for never.
    private let deadline: ContinuousClock.Instant?

    /// A value that lives for `life` from now on; nil for ever.
    init(_ value: Value, cost: Int?, life: Duration?, tags: Set<String> = []) {
      self.value = value
      self.cost = cost
      self.tags = tags
      deadline = life.map { .now + $0 }
    }

    /// The time that it has left; nil for ever.
    var life: Duration? { deadline.map { $0 - .now } }

    /// True if it may not be returned any more.
    var isOver: Bool { life.map { $0 <= .zero } ?? false }
  }

  private struct State {
    var waiting: [TextKey: WaitingValue] = [:]
    /// The keys in the order in which they came; those that were removed since stay.
    var order: [TextKey] = []
    var next = 0
    var isDraining = false
    var saved = 0
  }

  private let disk: DiskCache<Key, Value>
  private let locks: KeyedLocks
  private let removals: TierRemovals?
  private let state = Mutex(State())
  /// Held while a value is written, so that anyone who asks for all waits for what another has begun.
  private let draining = Mutex(())

  /// - Parameter locks: Held for a key while its value is written.
  init(disk: DiskCache<Key, Value>, locks: KeyedLocks, removals: TierRemovals?) {
    self.disk = disk
    self.locks = locks
    self.removals = removals
    disk.lastWrites.withLock {
      $0[ObjectIdentifier(self)] = { [weak self] in try? self?.writeAll() }
    }
  }

  deinit { disk.lastWrites.withLock { $0[ObjectIdentifier(self)] = nil } }

  /// Values that wait.
  var count: Int { state.withLock { $0.waiting.count } }
  /// Values that were not written, as another came or they were removed.
  var saved: Int { state.withLock { $0.saved } }

  /// The keys of the values that wait.
  var keys: [TextKey] { state.withLock { Array($0.waiting.keys) } }

  /// Returns the keys of the values that wait and have `tag`.
  func keys(tagged tag: String) -> [TextKey] {
    state.withLock { state in
      state.waiting.filter { $0.value.tags.contains(tag) }.map(\.key)
    }
  }

  /// The value of `key`, if it waits.
  subscript(key: TextKey) -> WaitingValue? { state.withLock { $0.waiting[key] } }

  /// Has a value written soon. The caller holds the key's lock.
  func add(_ value: WaitingValue, forKey key: TextKey, _ removed: RemovedValues) {
    let starts = state.withLock { state in
      if let older = state.waiting.updateValue(value, forKey: key) {
        removed.add(older)
        state.saved += 1
      } else {
        state.order.append(key)
      }
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if starts {
      BackgroundThreads.disk.async { [self] in
        state.withLock { $0.isDraining = false }
        // It is tried again with the next value.
        try? writeAll()
      }
    }
  }

  /// The value of `key`, if it waits and has not expired, lives for `life` from now on; nil for ever. The caller holds the
  /// key's lock.
  ///
  /// - Returns: True if it waits.
  func setLife(_ life: Duration?, forKey key: TextKey) -> Bool {
    state.withLock { state in
      guard let waiting = state.waiting[key], !waiting.isOver else { return false }
      state.waiting[key] = WaitingValue(
        waiting.value, cost: waiting.cost, life: life, tags: waiting.tags)
      return true
    }
  }

  /// The value of `key`, if it waits, is not to be written. The caller holds the key's lock.
  ///
  /// - Returns: True if a value that has not expired was waiting.
  func remove(_ key: TextKey, _ removed: RemovedValues) -> Bool {
    state.withLock { state in
      guard let waiting = state.waiting.removeValue(forKey: key) else { return false }
      removed.add(waiting)
      state.saved += 1
      return !waiting.isOver
    }
  }

  /// Nothing is to be written any more. The caller holds all locks.
  func removeAll(_ removed: RemovedValues) {
    state.withLock { state in
      removed.add(state.waiting)
      state.saved += state.waiting.count
      state.waiting = [:]
      (state.order, state.next) = ([], 0)
    }
  }

  /// Writes everything that waits. What the disk did not take waits on; what never can be
  /// written, as it cannot be encoded, is dropped. Both are counted and reported.
  func writeAll() throws(DiskCacheError) {
    while let (key, failure) = writeNext() {
      guard let failure else { continue }
      disk.options.onFailedWrite?(key.text, failure)
      if !failure.isFinal { throw failure }
    }
  }

  /// Writes the value that has waited the longest; returns its key and the error, or nil if none waits.
  private func writeNext() -> (key: TextKey, failure: DiskCacheError?)? {
    let removed = RemovedValues()
    defer {
      removed.release()
      disk.removals.report()
    }
    return draining.withLock { _ in
      guard let key = nextKey() else { return nil }
      let failure = locks.withLock(for: key, holdsOther: true) { _ in write(key, removed) }
      return (key, failure)
    }
  }

  /// Writes the value of `key`, if it still waits; returns the error. The caller holds the key's lock.
  private func write(_ key: TextKey, _ removed: RemovedValues) -> DiskCacheError? {
    guard let waiting = self[key] else { return nil }
    removed.add(waiting)
    let change = removals?.beginChange(of: key)
    var failure: DiskCacheError?
    defer {
      if let change {
        let cause: RemovalCause = failure != nil ? .discarded : waiting.isOver ? .expired : .size
        removals?.end(change, isStored: false, otherwise: cause)
      }
    }
    do throws(DiskCacheError) {
      _ = try disk.set(
        waiting.value, key, tags: waiting.tags, cost: waiting.cost,
        expiration: Expiration(timeToLive: waiting.life))
    } catch {
      failure = error
      disk.countFailedWrite()
    }
    state.withLock { state in
      if failure?.isFinal ?? true {
        state.waiting[key] = nil
      } else {
        state.order.append(key)
      }
    }
    return failure
  }

  private func nextKey() -> TextKey? {
    state.withLock { state in
      if state.next == state.order.count {
        (state.order, state.next) = ([], 0)
        return nil
      }
      if state.next == 1_024 {
        state.order.removeFirst(state.next)
        state.next = 0
      }
      state.next += 1
      return state.order[state.next - 1]
    }
  }
}

extension DiskCacheError {
  /// True if the value can never be written.
  fileprivate var isFinal: Bool {
    switch self {
    case .encoding, .store(.tooLarge): true
    default: false
    }
  }
}
