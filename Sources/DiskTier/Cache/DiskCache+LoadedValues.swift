import EvictionCore

// Values that loads have brought, and that are not written yet.
extension DiskCache {
  /// Writes the loaded value that waits for `key`, unless the key was set or removed since.
  func writeLoaded(_ key: TextKey) {
    defer { removals.report() }
    do {
      try writing.withLock { known throws(StoreError) in
        guard let waiting = loaded[key] else { return }
        var (isStored, cause) = (false, RemovalCause.discarded)
        defer {
          loaded.remove(key, created: waiting.metadata.created)
          if !isStored || directory.holds(key) == false { removals.tellListeners(key, cause) }
        }
        do throws(StoreError) {
          isStored = try put(waiting, key, &known)
          cause = isTooOld(waiting.metadata) ? .expired : .size
        } catch {
          countFailedWrite()
          throw error
        }
      }
    } catch { options.onFailedWrite?(key.text, .store(error)) }
  }

  /// Writes all loaded values that wait.
  func writeLoaded() {
    for key in loaded.keys { writeLoaded(key) }
  }

  /// Counts a write that failed after the operation that brought the value has returned, before the value waits
  /// no more: anyone who waits for the writes then finds it counted. It is reported when no lock is held.
  func countFailedWrite() { counters.withLock { $0.cache.failedWrites += 1 } }
}
