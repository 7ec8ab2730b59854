/// A policy whose residents a host may pin (``SlotHost/isPinned(_:)``), as a cache of prefixes does with blocks that
/// others follow.
///
/// Conformance needs no member. It promises that ``ReplacementPolicy/evict(for:host:)`` passes over pinned slots in
/// the policy's order and changes nothing about them: no bit is cleared, nothing is demoted or remembered.
///
/// Lists, queues and heaps of slots pass over them wherever they are given the host, so a ``ListPolicy``, a
/// ``QueuePolicy`` and an ``ExpiryPolicy`` are pinnable. One with a hand of its own asks the host in its loop. The
/// conformance suite pins slots of every pinnable policy.
public protocol PinnablePolicy: ReplacementPolicy, ~Copyable {
  /// Shows the type that a cache of prefixes runs in place of this: the same rules over lists that pass over pinned slots
  /// faster. This type itself by default.
  static func visitPinned(_ visitor: inout some PolicyVisitor)

  /// True if victims are drawn at random, so that a host should list the residents that are not pinned
  /// (``SlotHost/unpinned(at:)``): most may be pinned. False by default.
  static var drawsVictims: Bool { get }
}

extension PinnablePolicy where Self: ~Copyable {
  /// Shows this type.
  @inlinable @inline(__always)
  public static func visitPinned(_ visitor: inout some PolicyVisitor) { visitor.visit(Self.self) }

  /// Victims follow from the order.
  @inlinable @inline(__always)
  public static var drawsVictims: Bool { false }
}
