import Dispatch
import EvictionCore
import Synchronization

/// Values that are to be written to disk, of each key the latest only.
///
/// A value stays here until it is written, so that whoever looks for it finds it here or there. It outlives
/// its cache until all is written.
final class WriteBack<Key: DiskKey, Value: Sendable>: Sendable {
  /// A value that waits.
  struct WaitingValue: Sendable {
    var value: Value
    var cost: Int?
    /// The time at which it expires, in nanoseconds since 1970.
    var expires: Int64?

    /// Returns true if it may not be returned any more.
    var isOver: Bool { expires.map { $0 <= WallClock.now } ?? false }
  }

  private struct State {
    var waiting: [TextKey: WaitingValue] = [:]
    /// The keys in the order in which they came; those that were removed since stay.
    var order: [TextKey] = []
    var next = 0
    var isDraining = false
    var saved = 0
    var failed = 0
  }

  private let disk: DiskCache<Key, Value>
  private let locks: KeyedLocks
  private let queue = DispatchQueue(label: "EvictionLab.TieredCache.write", qos: .utility)
  private let state = Mutex(State())
  /// Held while a value is written, so that whoever asks for all waits for what another has begun.
  private let draining = Mutex(())

  /// - Parameter locks: Held for a key while its value is written.
  init(disk: DiskCache<Key, Value>, locks: KeyedLocks) {
    self.disk = disk
    self.locks = locks
    disk.lastWrites.withLock {
      $0[ObjectIdentifier(self)] = { [weak self] in try? self?.writeAll() }
    }
  }

  deinit { disk.lastWrites.withLock { $0[ObjectIdentifier(self)] = nil } }

  /// Values that wait.
  var count: Int { state.withLock { $0.waiting.count } }
  /// Values that were not written, as another came or they were removed.
  var saved: Int { state.withLock { $0.saved } }
  /// Writes that failed.
  var failed: Int { state.withLock { $0.failed } }

  /// The keys of the values that wait.
  var keys: [TextKey] { state.withLock { Array($0.waiting.keys) } }

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
      queue.async { [self] in
        state.withLock { $0.isDraining = false }
        // It is tried again with the next value.
        try? writeAll()
      }
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

  /// Writes everything that waits. What the disk did not take waits on; what cannot be encoded, and so
  /// never will be written, is dropped and counted.
  func writeAll() throws(DiskCacheError) {
    while try writeNext() {}
  }

  /// Writes the value that has waited the longest; returns false if none waits.
  private func writeNext() throws(DiskCacheError) -> Bool {
    let removed = RemovedValues()
    defer { removed.release() }
    return try draining.withLock { _ throws(DiskCacheError) in
      guard let key = nextKey() else { return false }
      do throws(DiskCacheError) {
        try locks.withLock(for: key) { _ throws(DiskCacheError) in try write(key, removed) }
      } catch {
        state.withLock { state in
          state.failed += 1
          state.order.append(key)
        }
        throw error
      }
      return true
    }
  }

  /// Writes the value of `key`, if it still waits. The caller holds the key's lock.
  private func write(_ key: TextKey, _ removed: RemovedValues) throws(DiskCacheError) {
    guard let waiting = self[key] else { return }
    removed.add(waiting)
    let life = waiting.expires.map { WallClock.time(until: $0) }
    do throws(DiskCacheError) {
      _ = try disk.set(
        waiting.value, key, cost: waiting.cost, expiration: Expiration(timeToLive: life))
    } catch {
      guard case .encoding = error else { throw error }
      // What the disk had before is out of date.
      _ = try disk.removeEntry(key)
      state.withLock { $0.failed += 1 }
    }
    state.withLock { _ = $0.waiting.removeValue(forKey: key) }
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
