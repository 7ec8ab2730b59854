extension SlotLists {
  /// The least recent slot of `list` that is not pinned, or nil if there is none.
  ///
  /// - Complexity: O(1), and O(pinned slots passed) where the host pins slots.
  @inlinable @inline(__always)
  public func unpinnedBack(of list: ID, host: borrowing some SlotHost & ~Copyable) -> Slot? {
    var candidate = back(of: list)
    while let slot = candidate, host.isPinned(slot) { candidate = newer(than: slot) }
    return candidate
  }

  /// Returns true if `list` holds no slot that may leave.
  @inlinable @inline(__always)
  public func lacksVictim(_ list: ID, host: borrowing some SlotHost & ~Copyable) -> Bool {
    unpinnedBack(of: list, host: host) == nil
  }

  /// Moves CLOCK's hand over pinned slots: those at the back of `list` go to its front as they are.
  ///
  /// - Returns: The slot at the hand, which is not pinned; nil if none is.
  @inlinable @inline(__always)
  public mutating func passPinned(
    of list: ID, host: borrowing some SlotHost & ~Copyable
  ) -> Slot? {
    guard unpinnedBack(of: list, host: host) != nil else { return nil }
    while let slot = back(of: list), host.isPinned(slot) { moveToFront(slot, of: list) }
    return back(of: list)
  }

  /// Takes the least recent slot out of `list`, which is not empty.
  @inlinable @inline(__always)
  public mutating func removeBack(
    of list: ID, host: borrowing some SlotHost & ~Copyable
  ) -> Slot {
    guard let slot = back(of: list) else {
      preconditionFailure("the list to evict from is empty")
    }
    remove(slot, from: list, size: host.size(of: slot))
    return slot
  }

  /// Evicts the least recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evictBack(of list: ID, host: inout some SlotHost & ~Copyable) {
    guard let victim = unpinnedBack(of: list, host: host) else {
      preconditionFailure("the list to evict from is empty")
    }
    evict(victim, from: list, host: &host)
  }

  /// Evicts the most recent slot of `list` that is not pinned and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evictFront(of list: ID, host: inout some SlotHost & ~Copyable) {
    var candidate = front(of: list)
    while let slot = candidate, host.isPinned(slot) { candidate = older(than: slot) }
    guard let victim = candidate else {
      preconditionFailure("the list to evict from is empty")
    }
    evict(victim, from: list, host: &host)
  }

  /// Evicts `victim` from the list that holds it and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evict(_ victim: Slot, host: inout some SlotHost & ~Copyable) {
    evict(victim, from: owner(of: victim), host: &host)
  }

  /// Evicts `victim` from `list`, which holds it, and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evict(
    _ victim: Slot, from list: ID, host: inout some SlotHost & ~Copyable
  ) {
    if !host.mayEvict(victim) { return }
    remove(victim, from: list, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// Evicts the least recent slot of `list` that is not pinned, which becomes the newest ghost of `ghosts`, if the host
  /// lets it go.
  @inlinable @inline(__always)
  public mutating func evictBack(
    of list: ID, to ghosts: ID, host: inout some SlotHost & ~Copyable
  ) {
    guard let victim = unpinnedBack(of: list, host: host) else {
      preconditionFailure("the list to evict from is empty")
    }
    if !host.mayEvict(victim) { return }
    move(victim, from: list, toFrontOf: ghosts, size: host.size(of: victim))
    host.didEvict(victim)
  }

  /// Forgets the oldest ghost of `list`.
  @inlinable @inline(__always)
  public mutating func forgetBack(of list: ID, host: inout some SlotHost & ~Copyable) {
    let ghost = removeBack(of: list, host: host)
    host.didForget(ghost)
  }

  /// Takes `slot` out of the list that holds it, if any, and forgets it.
  @inlinable
  public mutating func forget(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if owner(of: slot) == .none { return }
    remove(slot, size: host.size(of: slot))
    host.didForget(slot)
  }
}
