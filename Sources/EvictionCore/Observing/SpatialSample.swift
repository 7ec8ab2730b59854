/// A sample of all keys, by their hashes: a key is in it always or never, and so are all of its requests.
public struct SpatialSample: Sendable, Equatable {
  /// Odd, so that the product is one to one; no two samples of different salts go together.
  @usableFromInline let multiplier: UInt64
  @usableFromInline var largest: UInt64

  /// Every key.
  public static let all = SpatialSample(ratio: 1, salt: 0)

  /// A sample.
  ///
  /// - Parameters:
  ///   - ratio: The ratio of the keys, above 0 and at most 1.
  ///   - salt: Which of them.
  public init(ratio: Double, salt: UInt64) {
    precondition(ratio > 0 && ratio <= 1, "the ratio of sampled keys is above 0, at most 1")
    multiplier = salt | 1
    largest = ratio == 1 ? .max : max(UInt64(ratio * 0x1p64), 1) - 1
  }

  /// The ratio of the keys that are in the sample.
  public var ratio: Double { (Double(largest) + 1) / 0x1p64 }

  /// Returns the rank of a key: in a smaller sample of the same salt the lower ones are left.
  @inlinable @inline(__always)
  public func rank(_ keyHash: UInt64) -> UInt64 { keyHash &* multiplier }

  /// Returns true if the key with this hash is in the sample. O(1): a multiplication and a comparison.
  @inlinable @inline(__always)
  public func contains(_ keyHash: UInt64) -> Bool { rank(keyHash) <= largest }

  /// Keeps every other key.
  mutating func halve() { largest /= 2 }

  /// Returns true if a key of this rank is in the sample.
  func contains(rank: UInt64) -> Bool { rank <= largest }
}
