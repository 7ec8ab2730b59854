import EvictionCore

// The entries that leave both tiers.
extension TieredCache {
  /// Has `removals` hear of the disk, and look at the tiers.
  func listen(_ removals: TierRemovals) {
    removals.begin(
      with: TierRemovals.Tiers(
        isInMemory: { [weak memory] key in memory?.peek(key) { $0.isValue } ?? false },
        waiting: { [weak disk, weak writeBack] key in
          if let waiting = writeBack?[key] { return waiting.isOver ? .expired : .replaced }
          return disk?.loaded[key] == nil ? nil : .replaced
        },
        row: { [weak disk] key in disk?.row(key) ?? .none },
        whileRowsStay: { [weak disk] body in disk?.writing.withLock { _ in body() } }))
    disk.removals.setListener(
      RemovalLog.Listener(
        left: { key, cause in removals.leftDisk(key, cause) }, report: { removals.report() }),
      of: self)
  }

  /// Runs `body`, which changes a locked key, and then notes what has left by that.
  ///
  /// - Parameters:
  ///   - cause: The cause by which its entry leaves if the key has no value afterwards; another one if `body` throws.
  ///   - stores: True if `body` returns whether it has stored a value.
  func reporting(
    _ key: TextKey, _ cause: RemovalCause, stores: Bool = false,
    _ body: () throws(DiskCacheError) -> Bool
  ) throws(DiskCacheError) -> Bool {
    guard let removals else { return try body() }
    let change = removals.beginChange(of: key)
    do throws(DiskCacheError) {
      let result = try body()
      removals.end(change, isStored: stores && result, otherwise: cause)
      return result
    } catch {
      removals.end(change, isStored: false, otherwise: stores ? .discarded : cause)
      throw error
    }
  }

  /// Runs `body`, which removes everything while all keys are locked, and then notes what has left by that.
  func removingAll(_ body: () throws(DiskCacheError) -> Void) throws(DiskCacheError) {
    guard let removals else { return try body() }
    let above = writeBack.keys + disk.loaded.keys
    try removals.removingAll(rows: disk.storedRows(), above: above, body)
  }
}

extension DiskCache {
  /// The row of a key, for a cache in tiers. The caller holds ``writing``.
  fileprivate func row(_ key: TextKey) -> TierRemovals.Row {
    let metadata: StoredMetadata
    do throws(StoreError) {
      guard let found = try store.metadata(key.text) else { return .none }
      metadata = found
    } catch { return .present }
    if directory.holds(key) != true, directory.leaving.contains(key, created: metadata.created) {
      return .leaving(directory.leaving.cause(key) ?? .expired)
    }
    return isTooOld(metadata) || directory.holds(key) == false ? .leaving(.expired) : .present
  }
}
