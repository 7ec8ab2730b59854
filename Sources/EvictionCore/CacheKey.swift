/// A key of a cache: hashable, and with a hash of its own that is the same in every process.
///
/// The cache's index and the policies' sketches use ``stableHash(seed:)`` and never `Hasher`'s seed, which
/// changes with every process, so that a run with a given seed can be repeated to the last hit.
///
/// The hashes of integers and of strings resist flooding: strangers who choose keys, and do not know the
/// seed, cannot choose keys that meet in the index more often than random ones. A key with a hash of its own
/// makes it of theirs, as here.
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
  /// Multiplications by words drawn from the seed; of an integer of more than 64 bits, the low 64 count.
  @inlinable @inline(__always)
  public func stableHash(seed: UInt64) -> UInt64 {
    UniversalHash.hash(UInt64(truncatingIfNeeded: self), seed: seed)
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
