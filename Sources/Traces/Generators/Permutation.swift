/// A seeded one-to-one map of 0 ..< count onto itself, which leaves no trace of the order.
///
/// Rounds of odd multiplication and shifts permute the next power of two; a value that lands at
/// `count` or above is mapped again until it lands below, twice at most on average.
package struct Permutation: Sendable {
  private let count: UInt64
  private let mask: UInt64
  private let shift: UInt64
  private let keys: (UInt64, UInt64, UInt64)

  package init(count: UInt64, seed: UInt64) {
    precondition(count > 0, "a permutation of nothing")
    self.count = count
    let bits = UInt64(UInt64.bitWidth - (count - 1).leadingZeroBitCount)
    mask = bits == 64 ? .max : (1 << bits) - 1
    shift = max(1, (bits + 1) / 2)
    var random = RandomSource(seed: seed)
    keys = (random.next(), random.next(), random.next())
  }

  @inline(__always)
  package func callAsFunction(_ value: UInt64) -> UInt64 {
    assert(value < count)
    var mapped = value
    repeat {
      mapped = round(round(round(mapped, keys.0), keys.1), keys.2)
    } while mapped >= count
    return mapped
  }

  @inline(__always)
  private func round(_ value: UInt64, _ key: UInt64) -> UInt64 {
    let product = ((value ^ (key &>> 32)) &* (key | 1)) & mask
    return (product ^ (product &>> shift)) & mask
  }
}
