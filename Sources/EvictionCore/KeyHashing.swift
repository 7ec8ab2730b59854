/// The hash function of a cache's keys: their own if they bring one (``StablyHashable``), else `Hasher`.
///
/// Which it is is decided once for each cache. Integers and strings are asked directly, so that their hash is
/// compiled into the operations.
@usableFromInline
struct KeyHashing<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let seed: UInt64
  /// The hash of any key.
  @usableFromInline let hash: @Sendable (Key, UInt64) -> UInt64

  /// - Parameter seed: The start of the hashes; nil for a random one.
  @inlinable
  init(seed: UInt64?) {
    self.seed = seed ?? .random(in: .min ... .max)
    hash =
      if let type = Key.self as? any StablyHashable.Type {
        KeyHashing.own(type)
      } else {
        { key, seed in
          var hasher = Hasher()
          hasher.combine(seed)
          hasher.combine(key)
          return UInt64(bitPattern: Int64(hasher.finalize()))
        }
      }
  }

  /// True if the hashes are the same in every process.
  var isStable: Bool { Key.self is any StablyHashable.Type }

  /// The hash that keys bring.
  @inlinable
  static func own<Own: StablyHashable>(
    _ type: Own.Type
  ) -> @Sendable (Key, UInt64) -> UInt64 {
    { key, seed in unsafeBitCast(key, to: Own.self).stableHash(seed: seed) }
  }

  @inlinable @inline(__always)
  func callAsFunction(_ key: Key) -> UInt64 {
    if Key.self == UInt64.self { return hash(key, as: UInt64.self) }
    if Key.self == Int.self { return hash(key, as: Int.self) }
    if Key.self == String.self { return hash(key, as: String.self) }
    return hash(key, seed)
  }

  @inlinable @inline(__always)
  func hash<Own: StablyHashable>(_ key: Key, as type: Own.Type) -> UInt64 {
    unsafeBitCast(key, to: type).stableHash(seed: seed)
  }

  /// The length of `key` in bytes; 0 if it is unknown.
  @inlinable
  func length(of key: Key) -> Int { (key as? any StablyHashable)?.keyLength ?? 0 }
}
