extension SlotLists {
  /// Takes the least recent slot out of `list`, which is not empty.
  @inlinable @inline(__always)
  public mutating func removeBack(
    of list: ID, host: borrowing some SlotHost & ~Copyable
  ) -> Slot {
    guard let slot = back(of: list) else {
      preconditionFailure("the list to evict from is empty")
    }
    remove(slot, size: host.size(of: slot))
    return slot
  }

  /// Evicts the least recent slot of `list` and remembers nothing about it.
  @inlinable @inline(__always)
  public mutating func evictBack(of list: ID, host: inout some SlotHost & ~Copyable) {
    let victim = removeBack(of: list, host: host)
    host.evictedAndForgot(victim)
  }

  /// Evicts the most recent slot of `list` and remembers nothing about it.
  @inlinable @inline(__always)
  public mutating func evictFront(of list: ID, host: inout some SlotHost & ~Copyable) {
    guard let victim = front(of: list) else {
      preconditionFailure("the list to evict from is empty")
    }
    remove(victim, size: host.size(of: victim))
    host.evictedAndForgot(victim)
  }

  /// Evicts the least recent slot of `list`, which becomes the newest ghost of `ghosts`.
  @inlinable @inline(__always)
  public mutating func evictBack(
    of list: ID, to ghosts: ID, host: inout some SlotHost & ~Copyable
  ) {
    let victim = removeBack(of: list, host: host)
    prepend(victim, to: ghosts, size: host.size(of: victim))
    host.evicted(victim)
  }

  /// Forgets the oldest ghost of `list`.
  @inlinable @inline(__always)
  public mutating func forgetBack(of list: ID, host: inout some SlotHost & ~Copyable) {
    let ghost = removeBack(of: list, host: host)
    host.forgot(ghost)
  }

  /// Takes `slot` out of the list that holds it, if any, and forgets it.
  @inlinable
  public mutating func forget(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if owner(of: slot) == .none { return }
    remove(slot, size: host.size(of: slot))
    host.forgot(slot)
  }
}
