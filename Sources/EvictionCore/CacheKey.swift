/// A key of a cache: hashable, and with a hash of its own that is the same in every process.
///
/// The cache's index and the policies' sketches use ``stableHash(seed:)`` and never `Hasher`'s seed, which
/// changes with every process, so that a run can be repeated to the last hit.
///
/// A cache compares keys, and releases its copies of them, with its lock held: `==` and the `deinit` of an
/// object that a key refers to must not use the cache, which would wait for itself.
///
///     struct ImageKey: CacheKey {
///       var number: UInt64
///       func stableHash(seed: UInt64) -> UInt64 { number.stableHash(seed: seed) }
///     }
public protocol CacheKey: Hashable, Sendable {
  /// A 64-bit hash of the key; every bit of it depends on every bit of the key and of the seed.
  ///
  /// Equal keys have equal hashes.
  func stableHash(seed: UInt64) -> UInt64

  /// The length of the key in bytes, for policies that look at it; 0, the default, if it is unknown.
  var keyLength: Int { get }
}

extension CacheKey {
  /// Unknown.
  @inlinable @inline(__always)
  public var keyLength: Int { 0 }
}

extension CacheKey where Self: FixedWidthInteger {
  /// One multiplication chain: a bijection for integers of up to 64 bits.
  @inlinable @inline(__always)
  public func stableHash(seed: UInt64) -> UInt64 {
    SplitMix64.mix(UInt64(truncatingIfNeeded: self) &+ seed)
  }

  /// That of its representation.
  @inlinable @inline(__always)
  public var keyLength: Int { bitWidth / 8 }
}

extension Int: CacheKey {}
extension Int32: CacheKey {}
extension Int64: CacheKey {}
extension UInt: CacheKey {}
extension UInt32: CacheKey {}
extension UInt64: CacheKey {}
