/// Something done once with each policy's type, specialised for it.
///
/// A visitor's `visit` is generic; a catalog names the concrete types. As both are
/// inlinable, whatever a visitor builds (a closure that simulates, one that replays) is compiled for
/// each policy on its own, and a policy's type is erased once per run, never per request.
public protocol PolicyVisitor {
  /// Called with each policy's type.
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type)

  /// Called in its place with the type of each policy whose residents can be pinned. Does the same by default.
  mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type)
}

extension PolicyVisitor {
  /// Does what is done with any policy.
  @inlinable @inline(__always)
  public mutating func visit<Policy: PinnablePolicy & ~Copyable>(_ policy: Policy.Type) {
    visitAny(policy)
  }

  /// Chooses the member for any policy.
  @inlinable @inline(__always)
  mutating func visitAny<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    visit(policy)
  }
}
