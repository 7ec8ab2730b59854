import Foundation

/// The usual Swift LRU cache, as published packages build it: the dictionary owns class nodes that are
/// linked in order of use; a set writes under the lock, then takes it again to make room.
///
/// Inlinable, so that benchmarks compile it for their keys, as a program does with a class of its own.
public final class NodeCache<Key: Hashable>: @unchecked Sendable {
  @usableFromInline
  final class Node {
    @usableFromInline let key: Key
    @usableFromInline var value: UInt64
    @usableFromInline var cost: Int
    @usableFromInline unowned(unsafe) var older: Node?
    @usableFromInline unowned(unsafe) var newer: Node?

    @inlinable
    init(key: Key, value: UInt64, cost: Int) {
      self.key = key
      self.value = value
      self.cost = cost
    }
  }

  @usableFromInline let countLimit: Int
  @usableFromInline let costLimit = Int.max
  @usableFromInline let lock = NSLock()
  @usableFromInline var nodes: [Key: Node] = [:]
  @usableFromInline var totalCost = 0
  @usableFromInline unowned(unsafe) var newest: Node?
  @usableFromInline unowned(unsafe) var oldest: Node?

  /// Creates an empty cache.
  @inlinable
  public init(countLimit: Int) { self.countLimit = countLimit }

  /// The number of entries.
  @inlinable
  public var count: Int { lock.withLock { nodes.count } }

  /// The value of `key`, which becomes the one used last.
  @inlinable
  public func value(forKey key: Key) -> UInt64? {
    lock.lock()
    defer { lock.unlock() }
    guard let node = nodes[key] else { return nil }
    unlink(node)
    linkAsNewest(node)
    return node.value
  }

  /// Stores `value` under `key`.
  @inlinable
  public func set(_ value: UInt64, forKey key: Key, cost: Int = 1) {
    lock.lock()
    if let node = nodes[key] {
      totalCost -= node.cost
      node.value = value
      node.cost = cost
      unlink(node)
      linkAsNewest(node)
    } else {
      let node = Node(key: key, value: value, cost: cost)
      nodes[key] = node
      linkAsNewest(node)
    }
    totalCost += cost
    lock.unlock()
    makeRoom()
  }

  @inlinable
  func makeRoom() {
    lock.lock()
    defer { lock.unlock() }
    while nodes.count > countLimit || totalCost > costLimit, let victim = oldest {
      unlink(victim)
      totalCost -= victim.cost
      nodes[victim.key] = nil
    }
  }

  @inlinable
  func unlink(_ node: Node) {
    if newest === node { newest = node.older }
    if oldest === node { oldest = node.newer }
    node.newer?.older = node.older
    node.older?.newer = node.newer
  }

  @inlinable
  func linkAsNewest(_ node: Node) {
    node.older = newest
    node.newer = nil
    newest?.newer = node
    newest = node
    if oldest == nil { oldest = node }
  }
}
