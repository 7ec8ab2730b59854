import EvictionCore

/// Chooses one event in a given number, at random distances, so that no period of the events is missed or
/// favoured.
package struct Sampler: Sendable {
  private let longest: Int
  private var left: Int
  private var random: SplitMix64

  /// One in `count`; 1 for all.
  package init(oneIn count: Int, seed: UInt64) {
    longest = 2 * count - 1
    random = SplitMix64(seed: seed)
    left = longest > 1 ? 1 + random.index(below: longest) : 1
  }

  /// Returns true if the next event is chosen.
  @inline(__always)
  package mutating func choosesNext() -> Bool {
    if longest == 1 { return true }
    left &-= 1
    if left > 0 { return false }
    left = 1 + random.index(below: longest)
    return true
  }
}
