import Synchronization

/// Loaded values that wait to be written, as their rows will hold them; of each key the latest only.
///
/// A value stays here until it is on the disk, so that a get that looks here first finds it here or there.
package final class LoadedValues: Sendable {
  private struct State {
    var values: [TextKey: StoredValue] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  package init() {}

  /// The bytes that they take, about.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Their keys.
  var keys: [TextKey] { state.withLock { Array($0.values.keys) } }

  /// The value of `key`, if it waits.
  package subscript(key: TextKey) -> StoredValue? {
    if count.load(ordering: .acquiring) == 0 { return nil }
    return state.withLock { $0.values[key] }
  }

  /// Returns true if the value of `key` waits, once every value that is just being added has been.
  func contains(_ key: TextKey) -> Bool { state.withLock { $0.values[key] != nil } }

  /// Has a value wait, unless it is out of date.
  ///
  /// - Parameter isCurrent: A change of the key first makes this false, and then removes what waits.
  package func add(_ value: StoredValue, forKey key: TextKey, if isCurrent: () -> Bool) {
    update { state in
      if !isCurrent() { return }
      let older = state.values.updateValue(value, forKey: key)
      state.bytes += LoadedValues.bytes(of: value) - (older.map(LoadedValues.bytes) ?? 0)
    }
  }

  /// Changes the time at which the value of `key` expires; returns false if it does not wait.
  func setExpires(_ expires: Int64?, forKey key: TextKey) -> Bool {
    state.withLock { state in
      guard var value = state.values[key] else { return false }
      value.metadata.expires = expires
      state.values[key] = value
      return true
    }
  }

  /// The value of `key` is out of date; or only the one that was loaded at `created` is, or is written.
  package func remove(_ key: TextKey, created: Int64? = nil) {
    // With the lock even where nothing seems to wait: a value may be on its way, which was current a moment ago.
    update { state in
      guard let value = state.values[key],
        created ?? value.metadata.created == value.metadata.created
      else { return }
      state.values[key] = nil
      state.bytes -= LoadedValues.bytes(of: value)
    }
  }

  /// All of them are out of date.
  func removeAll() { update { $0 = State() } }

  private func update(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      count.store(state.values.count, ordering: .releasing)
    }
  }

  private static func bytes(of value: StoredValue) -> Int {
    value.bytes.count + value.metadata.extendedSize + DiskCacheOptions.rowOverhead
  }
}
