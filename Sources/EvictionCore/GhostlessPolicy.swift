/// A policy that remembers nothing about objects that left.
///
/// It says which resident leaves next and how to take one out of its structures; evictions and removals
/// follow from that, so that its own file holds what makes it different.
public protocol GhostlessPolicy: ReplacementPolicy, ~Copyable {
  /// Chooses the resident that leaves next, which stays if the host wants it to. Called only while
  /// something is resident.
  mutating func victim(host: borrowing some SlotHost & ~Copyable) -> Slot

  /// Takes the resident `slot` out of everything that the policy keeps.
  mutating func takeOut(_ slot: Slot, size: Int)
}

extension GhostlessPolicy where Self: ~Copyable {
  /// Evicts the victim and remembers nothing about it, if the host lets it go.
  @inlinable @inline(__always)
  public mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    let victim = victim(host: host)
    if !host.mayEvict(victim) { return }
    takeOut(victim, size: host.size(of: victim))
    host.didEvictAndForget(victim)
  }

  /// Takes `slot` out if it is resident, and forgets it.
  @inlinable
  public mutating func remove(_ slot: Slot, host: inout some SlotHost & ~Copyable) {
    if !contains(slot) { return }
    takeOut(slot, size: host.size(of: slot))
    host.didForget(slot)
  }
}
