/// A policy whose residents a host may pin (``SlotHost/isPinned(_:)``), as a cache of prefixes does with blocks that
/// others follow.
///
/// Conformance adds no member. It promises that ``ReplacementPolicy/evict(for:host:)`` passes over pinned slots in
/// the policy's order and changes nothing about them: no bit is cleared, nothing is demoted or remembered.
///
/// Lists, queues and heaps of slots pass over them wherever they are given the host, so a ``ListPolicy``, a
/// ``QueuePolicy`` and an ``ExpiryPolicy`` are pinnable. One with a hand of its own asks the host in its loop. The
/// conformance suite pins slots of every pinnable policy.
public protocol PinnablePolicy: ReplacementPolicy, ~Copyable {}
