/// Why a value left a cache.
public enum RemovalCause: UInt8, Sendable, CaseIterable {
  /// A limit needed its room, a trim or a purge asked for it, or it grew too large to stay.
  case size
  /// Its time was over, or it was older than the age limit.
  case expired
  /// A set gave its key another value.
  case replaced
  /// The user removed its key, or everything.
  case removed
  /// It had discarded its own content.
  case discarded
}
