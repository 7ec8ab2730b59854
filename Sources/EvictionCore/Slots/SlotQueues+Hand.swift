// MARK: - The hand

extension SlotQueues {
  /// The slot that the hand of `queue`, which is not empty, points at.
  ///
  /// The hand starts at the oldest slot. It walks towards the newest and from there back to the
  /// oldest, and when its slot is taken out it moves on to the next one.
  @inlinable @inline(__always)
  public mutating func slotAtHand(of queue: ID) -> Slot {
    let ring = rings + Int(queue.rawValue)
    assert(ring.pointee.count > 0, "the queue is empty")
    ring.pointee.hand = max(ring.pointee.hand, ring.pointee.oldest)
    return ring.pointee.entries[ring.pointee.hand & ring.pointee.mask]
  }

  /// Moves the hand to the next slot.
  ///
  /// A ring with more holes than slots is rebuilt before the hand walks it once more.
  @inlinable @inline(__always)
  public mutating func advanceHand(of queue: ID) {
    let ring = rings + Int(queue.rawValue)
    ring.pointee.hand = nextEntry(
      after: max(ring.pointee.hand, ring.pointee.oldest), in: ring)
    if ring.pointee.hand < ring.pointee.end { return }
    let occupied = ring.pointee.end &- ring.pointee.oldest
    if occupied > 2 &* ring.pointee.count &+ SlotQueues.smallestRing { rebuild(queue) }
    ring.pointee.hand = ring.pointee.oldest
  }

  /// Takes the slot at the hand out of `queue`, which is not empty; the hand moves on.
  @inlinable @inline(__always)
  public mutating func removeAtHand(of queue: ID, size: Int) {
    let ring = rings + Int(queue.rawValue)
    vacate(max(ring.pointee.hand, ring.pointee.oldest), in: ring, size: size)
  }
}

// MARK: - With a host

extension SlotQueues {
  /// Lets CLOCK's hand pass over `queue`, which is not empty, until a slot has frequency 0: each
  /// other loses 1 and becomes the newest. The first with frequency 0 is evicted, if the host lets it
  /// go, and nothing about it is remembered. Pinned slots become the newest as they are.
  ///
  /// - Parameters:
  ///   - queue: The queue, not empty.
  ///   - newcomer: The request being inserted, if its slot is in the queue already: that is
  ///     never evicted, and the hand stops at it.
  ///   - host: Told what leaves and what is forgotten.
  /// - Returns: True if a slot was evicted.
  @inlinable @inline(__always) @discardableResult
  public mutating func evictByClock<Host: SlotHost & ~Copyable>(
    from queue: ID, newcomer: Request? = nil, host: inout Host
  ) -> Bool {
    if Host.pinsSlots { keepPositions() }
    while let slot = front(of: queue) {
      if host.isPinned(slot) {
        if unpinnedPlace(of: queue, host: host) == nil { return false }
        moveFront(
          of: queue, to: queue, size: host.size(of: slot), frequency: frequency(of: slot))
        continue
      }
      let isNewcomer = newcomer?.slot == slot
      let size = isNewcomer ? newcomer?.size ?? 0 : host.size(of: slot)
      let frequency = frequency(of: slot)
      if frequency > 0 {
        moveFront(of: queue, to: queue, size: size, frequency: frequency &- 1)
      } else if isNewcomer || !host.mayEvict(slot) {
        return false
      } else {
        removeFront(of: queue, size: size)
        host.didEvictAndForget(slot)
        return true
      }
    }
    preconditionFailure("the queue to evict from is empty")
  }

  /// Evicts the oldest slot of `queue`, which is not empty, that is not pinned and remembers nothing about it, if the
  /// host lets it go.
  @inlinable @inline(__always)
  public mutating func evictOldest<Host: SlotHost & ~Copyable>(of queue: ID, host: inout Host) {
    if Host.pinsSlots { keepPositions() }
    guard let place = unpinnedPlace(of: queue, host: host) else {
      preconditionFailure("the queue to evict from is empty")
    }
    if !host.mayEvict(place.slot) { return }
    remove(at: place, of: queue, size: host.size(of: place.slot))
    host.didEvictAndForget(place.slot)
  }

  /// The place of the oldest slot of `queue` that is not pinned, or nil if there is none.
  ///
  /// - Complexity: O(1). Where the host pins slots, O(releases since the last search + pinned slots passed), and of
  ///   those only what the last search did not pass.
  @inlinable @inline(__always)
  public func unpinnedPlace<Host: SlotHost & ~Copyable>(
    of queue: ID, host: borrowing Host
  ) -> Place? {
    var place = oldestPlace(of: queue)
    guard let oldest = place, host.isPinned(oldest.slot) else { return place }
    if keepsPositions, let releases = host.releases {
      return nextUnpinned(of: queue, releases: releases, host: host)
    }
    while let candidate = place, host.isPinned(candidate.slot) {
      place = newer(than: candidate)
    }
    return place
  }

  /// The same from where the last search ended, or from an older slot that was released since.
  @inlinable
  func nextUnpinned<Host: SlotHost & ~Copyable>(
    of queue: ID, releases: Int, host: borrowing Host
  ) -> Place? {
    let ring = rings + Int(queue.rawValue)
    let search = searches + Int(queue.rawValue)
    var next = max(search.pointee.passed, ring.pointee.oldest)
    if releases < search.pointee.releases
      || releases &- search.pointee.releases > Host.releasesKept
    {
      next = ring.pointee.oldest
    } else {
      for number in search.pointee.releases..<releases {
        let slot = host.released(number)
        if owner(of: slot) == queue { next = min(next, self.number(of: slot, in: ring)) }
      }
    }
    search.pointee.releases = releases
    var found: Place?
    while next < ring.pointee.end {
      let slot = ring.pointee.entries[next & ring.pointee.mask]
      if slot != SlotQueues.hole && !host.isPinned(slot) {
        found = Place(slot: slot, number: next)
        break
      }
      next &+= 1
    }
    search.pointee.passed = next
    return found
  }

  /// Returns true if the host pins slots and `queue` holds none that may leave.
  @inlinable @inline(__always)
  public func isAllPinned<Host: SlotHost & ~Copyable>(
    _ queue: ID, host: borrowing Host
  ) -> Bool {
    Host.pinsSlots && (isEmpty(queue) || unpinnedPlace(of: queue, host: host) == nil)
  }

  /// Forgets the oldest ghosts of `ghosts` until they take at most `limit`.
  ///
  /// - Parameters:
  ///   - ghosts: The queue of ghosts.
  ///   - limit: The size that they may take.
  ///   - newcomer: The slot being inserted: what is known of it is not reported as
  ///     forgotten before its insertion is over.
  ///   - host: Told what leaves and what is forgotten.
  @inlinable @inline(__always)
  public mutating func boundGhosts(
    of ghosts: ID, to limit: Int, newcomer: Slot?, host: inout some SlotHost & ~Copyable
  ) {
    while size(of: ghosts) > limit {
      guard let ghost = front(of: ghosts) else { return }
      removeFront(of: ghosts, size: host.size(of: ghost))
      if ghost != newcomer { host.didForget(ghost) }
    }
  }
}
