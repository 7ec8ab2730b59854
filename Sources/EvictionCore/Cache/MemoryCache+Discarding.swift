// Values that discard their own content.
extension MemoryCache {
  /// Has `value`, which was set, tell the cache when it discards its content.
  @usableFromInline
  func attach(_ value: Value, key: Key, hash: UInt64) {
    guard let content = value as? any DiscardableContent else { return }
    content.discardObservers?.add(
      { [weak self] in self?.removeIfDiscarded(key, hash: hash) }, at: place(hash))
    // It may have done so before it could tell.
    if content.isContentDiscarded { removeIfDiscarded(key, hash: hash) }
  }

  /// Asks `value`, which left the cache, to discard its content, unless it is what `key` has now.
  @usableFromInline
  func detach(_ value: Value, key: Key) {
    guard let content = value as? any DiscardableContent else { return }
    let hash = hashing(key)
    let current = read { core in
      core.findResident(key, hash: hash).flatMap {
        core.store.entries[Int($0)].value as? any DiscardableContent
      }
    }
    if current === content { return }
    content.discardObservers?.remove(at: place(hash))
    content.discardContentIfPossible()
  }

  private func removeIfDiscarded(_ key: Key, hash: UInt64) {
    locked { core in
      guard let slot = core.store.find(key, hash: hash), core.isDiscarded(slot) else { return }
      core.expire(slot, observer: observer)
    }
  }

  private func place(_ hash: UInt64) -> DiscardObservers.Place {
    DiscardObservers.Place(cache: ObjectIdentifier(self), keyHash: hash)
  }
}
