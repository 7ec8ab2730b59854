/// Something done once with each policy's type, specialised for it.
///
/// A visitor's `visit` is generic; a catalog names the concrete types. As both are
/// inlinable, whatever a visitor builds (a closure that simulates, one that replays) is compiled for
/// each policy on its own, and a policy's type is erased once per run, never per request.
public protocol PolicyVisitor {
  /// Called with each policy's type.
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type)
}
