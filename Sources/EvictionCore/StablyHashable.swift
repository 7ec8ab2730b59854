/// A key that brings its own hash: the same in every process, for a given seed.
///
/// Any `Hashable & Sendable` type is a key of a cache. One that conforms to this protocol makes runs
/// repeatable: with a fixed seed, a cache decides as a simulation of the same requests does, to the last hit.
/// Integers and strings conform. Of other keys the hash is `Hasher`'s, which changes with every process: what
/// depends on hashes (the sketches of W-TinyLFU, the parts of a ``ShardedCache``) then differs a little from
/// one run to the next.
///
///     struct ImageKey: StablyHashable {
///       var number: UInt64
///       func stableHash(seed: UInt64) -> UInt64 { number.stableHash(seed: seed) }
///     }
///
/// The hashes of integers, of strings and of `Hasher` resist flooding: strangers who choose keys, and do not
/// know the seed, cannot choose keys that meet in the index more often than random ones. A key with a hash of
/// its own makes it of theirs, as here.
public protocol StablyHashable: Hashable, Sendable {
  /// A 64-bit hash of the key; every bit of it depends on every bit of the key and of the seed.
  ///
  /// Equal keys have equal hashes.
  func stableHash(seed: UInt64) -> UInt64

  /// The length of the key in bytes, for policies that look at it; 0, the default, if it is unknown.
  var keyLength: Int { get }
}

extension StablyHashable {
  /// The length is unknown, which 0 says.
  @inlinable @inline(__always)
  public var keyLength: Int { 0 }
}

extension StablyHashable where Self: FixedWidthInteger {
  /// Multiplications by words drawn from the seed; of an integer of more than 64 bits, the low 64 count.
  @inlinable @inline(__always)
  public func stableHash(seed: UInt64) -> UInt64 {
    UniversalHash.hash(UInt64(truncatingIfNeeded: self), seed: seed)
  }

  /// That of its representation.
  @inlinable @inline(__always)
  public var keyLength: Int { bitWidth / 8 }
}

extension Int: StablyHashable {}
extension Int32: StablyHashable {}
extension Int64: StablyHashable {}
extension UInt: StablyHashable {}
extension UInt32: StablyHashable {}
extension UInt64: StablyHashable {}
