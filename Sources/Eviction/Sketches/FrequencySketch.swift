/// How often keys were requested lately: what TinyLFU decides by.
///
/// A ``CountMinSketch`` that forgets: after a *sample* of additions every counter is halved. With a
/// *doorkeeper* (a ``BloomFilter``) the first request of a key since the last halving goes there and
/// counts one; only further ones reach the counters, and halving clears the doorkeeper.
///
///     var sketch = FrequencySketch(objects: 100_000, sample: 1_000_000)
///     sketch.record(request.keyHash)
///     sketch.frequency(of: candidate) > sketch.frequency(of: victim)
///
/// An addition is a request that changed something; those of a key whose counters have all reached
/// 15 do not count towards the sample. After a halving the number of additions is halved too, less what
/// rounding took from the odd counters, as in Caffeine.
///
/// - Paper: G. Einziger, R. Friedman and B. Manes, “TinyLFU: a highly efficient cache admission policy”,
///   ACM Transactions on Storage 13(4), 2017.
/// - Complexity: O(1) amortised. Memory: 8 bytes per object, and with a doorkeeper one byte per
///   unit of sample, both rounded up to a power of two.
public struct FrequencySketch: ~Copyable {
  @usableFromInline var counters: CountMinSketch
  @usableFromInline var doorkeeper: BloomFilter
  @usableFromInline let hasDoorkeeper: Bool
  @usableFromInline var sampleSize: Int
  @usableFromInline var additionCount = 0

  /// An empty sketch.
  ///
  /// - Parameters:
  ///   - objects: How many objects it should tell apart: the cache's capacity in objects.
  ///   - sample: How many additions make a halving; ten times `objects` as a rule.
  ///   - hasDoorkeeper: Whether the first request of a key goes to a Bloom filter.
  ///   - isConservative: Whether only the smallest of a key's counters grow.
  public init(
    objects: Int, sample: Int, hasDoorkeeper: Bool = false, isConservative: Bool = false
  ) {
    counters = CountMinSketch(capacity: objects, isConservative: isConservative)
    doorkeeper = BloomFilter(capacity: hasDoorkeeper ? sample : 0)
    self.hasDoorkeeper = hasDoorkeeper
    sampleSize = max(sample, 1)
  }

  /// How many additions make a halving.
  @inlinable @inline(__always)
  public var sample: Int { sampleSize }

  /// Additions since the last halving, and half of those before.
  @inlinable @inline(__always)
  public var additions: Int { additionCount }

  /// How many objects it tells apart.
  @inlinable @inline(__always)
  public var objects: Int { counters.capacity }

  /// Makes room for `objects` objects, and sets the sample. Forgets nothing, and never shrinks.
  public mutating func resize(objects: Int, sample: Int) {
    counters.grow(to: objects)
    if hasDoorkeeper { doorkeeper.grow(to: sample) }
    sampleSize = max(sample, 1)
    ageIfDue()
  }

  /// Counts a request of the key.
  @inlinable @inline(__always)
  public mutating func record(_ hash: UInt64) {
    if hasDoorkeeper && doorkeeper.insert(hash) || counters.increment(hash) {
      additionCount &+= 1
      ageIfDue()
    }
  }

  /// The key's frequency: 0 … 15, one more with a doorkeeper.
  @inlinable @inline(__always)
  public func frequency(of hash: UInt64) -> Int {
    let counted = counters.frequency(of: hash)
    return hasDoorkeeper && doorkeeper.contains(hash) ? counted &+ 1 : counted
  }

  /// Asks the processor to bring near what is known of the key.
  @inlinable @inline(__always)
  public func prefetch(_ hash: UInt64) {
    counters.prefetch(hash)
    if hasDoorkeeper { doorkeeper.prefetch(hash) }
  }

  /// Forgets every key.
  public mutating func clear() {
    counters.clear()
    doorkeeper.clear()
    additionCount = 0
  }

  @inlinable @inline(__always)
  mutating func ageIfDue() { if additionCount >= sampleSize { age() } }

  /// Halves the frequencies.
  @inlinable @inline(never)
  mutating func age() {
    let odd = counters.halve()
    additionCount = min(max(0, additionCount &- odd / 4), sampleSize) / 2
    if hasDoorkeeper { doorkeeper.clear() }
  }
}
