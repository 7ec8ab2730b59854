// Reads that tell the policy later.
//
// A value is copied, and its references are counted, while the lock is held as a reader. Optimistic reads
// without a lock (a sequence number that is compared afterwards) would not do: between the look at a
// reference and its count a writer could release the last one, and the count would be of freed memory.
extension MemoryCache {
  /// The value of `key`, or nil; a hit leaves a note for the policy.
  ///
  /// What a use keeps from expiring, and what has expired, is for ``strictValue(forKey:hash:)``.
  @inlinable
  func bufferedValue(forKey key: Key, hash: UInt64, _ touches: TouchBuffers) -> Value? {
    var value: Value?
    var isFull = false
    var mustWrite = false
    lock.withSharedLock {
      guard let slot = core.pointee.store.find(key, hash: hash),
        let found = core.pointee.store.entries[Int(slot)].value
      else { return touches.recordMiss() }
      if core.pointee.store.lifetimes.isInUse && core.pointee.changesWhenUsed(slot) {
        mustWrite = true
      } else {
        value = found
        if !core.pointee.store.ledger.gate.hasFilter && core.pointee.policy.ignoresHit(of: slot) {
          touches.countHit()
        } else {
          isFull = touches.recordHit(slot)
        }
      }
    }
    if mustWrite { return strictValue(forKey: key, hash: hash) }
    if isFull { locked { _ in } }
    return value
  }

  /// Tells the policy of the hits it has not heard of: with the lock held alone, before anything else
  /// changes the cache.
  @inlinable @inline(never)
  func drain(_ touches: TouchBuffers) { touches.drain { tellPolicy(of: $0) } }

  /// Tells the policy of this thread's hits, before a value is replaced.
  @inlinable @inline(never)
  func drainOwn(_ touches: TouchBuffers) { touches.drainOwn { tellPolicy(of: $0) } }

  @inlinable @inline(__always)
  func tellPolicy(of slot: Slot) {
    let needsHash =
      core.pointee.needs.contains(.keyHash) || core.pointee.store.ledger.gate.hasFilter
    let hash = needsHash ? hashing(core.pointee.store.entries[Int(slot)].key) : 0
    core.pointee.hit(slot, hash: hash)
  }
}
