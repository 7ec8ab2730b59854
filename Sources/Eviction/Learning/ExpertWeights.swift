/// The weights of two experts, LRU and LFU, by which an eviction is left to one of them.
///
/// Learning by regret: a request for an object that an expert evicted costs it a part of its weight.
@usableFromInline
struct ExpertWeights: BitwiseCopyable {
  /// The expert that knows recency.
  @usableFromInline var lru = 0.5
  /// The expert that knows frequency.
  @usableFromInline var lfu = 0.5

  @inlinable
  init() {}

  /// Draws the expert that decides the next eviction: true for LRU.
  @inlinable @inline(__always)
  func choosesLRU(_ generator: inout SplitMix64) -> Bool {
    Double(generator.next() >> 11) * 0x1p-53 < lru
  }

  /// Multiplies one expert's weight by `factor`; no weight leaves 0.01 … 0.99.
  @inlinable
  mutating func scale(lru isLRU: Bool, by factor: Double) {
    if isLRU { lru *= factor } else { lfu *= factor }
    lru /= lru + lfu
    lru = min(max(lru, 0.01), 0.99)
    lfu = 1 - lru
  }

  /// Shows both weights.
  func show(_ show: (_ name: String, _ value: Double) -> Void) {
    show("w_lru", lru)
    show("w_lfu", lfu)
  }
}
