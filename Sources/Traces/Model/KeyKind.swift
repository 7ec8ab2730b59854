/// The kind of a trace's keys.
public enum KeyKind: Sendable {
  /// Numbers, identified by their value.
  case integer
  /// Texts, identified by their bytes and never parsed as numbers.
  case text
}
