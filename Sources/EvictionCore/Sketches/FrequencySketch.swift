/// Approximate counts of recent requests: TinyLFU decides by them.
///
/// A ``CountMinSketch`` that forgets: after a *sample* of additions every counter is halved. With
/// a *doorkeeper* (a ``BloomFilter``) the first request of a key since the last halving goes there
/// and counts one; only further ones reach the counters, and halving clears the doorkeeper.
///
///     var sketch = FrequencySketch()
///     sketch.record(request.keyHash)
///     if sketch.frequency(of: candidate) > sketch.frequency(of: victim) { … }
///     sketch.note(residents: count)    // whenever an object was admitted
///
/// An addition is a request that changed something: those of a key whose counters have all reached
/// 15 do not count towards the sample. After a halving the number of additions is halved too, less
/// what rounding took from the odd counters.
///
/// The sample and the number of counters follow the largest number of residents that was noted, 8
/// at least: a cache that is full of objects that count one has the sample and the counters of its
/// capacity, and one whose capacity is in bytes learns how many objects that is. When the counters
/// double, keys keep their counts.
///
/// - Paper: G. Einziger, R. Friedman and B. Manes, “TinyLFU: a highly efficient cache admission
///   policy”, ACM Transactions on Storage 13(4), 2017.
/// - Complexity: O(1) amortised. Memory: 8 bytes per object, and with a doorkeeper one byte per
///   unit of sample, both rounded up to a power of two.
public struct FrequencySketch: ~Copyable {
  @usableFromInline var counters: CountMinSketch
  @usableFromInline var doorkeeper: BloomFilter
  @usableFromInline let hasDoorkeeper: Bool
  @usableFromInline let samplesPerObject: Int
  /// The largest number of residents, which the counters have room for.
  @usableFromInline var objects = 8
  @usableFromInline var sampleSize = 1
  @usableFromInline var additionCount = 0

  /// The sketch of an empty cache.
  ///
  /// - Parameters:
  ///   - samplesPerObject: The number of additions before a halving, as a multiple of the residents.
  ///   - hasDoorkeeper: True if the first request of a key goes to a Bloom filter.
  ///   - isConservative: True if only the smallest of a key's counters grow.
  public init(
    samplesPerObject: Int = 10, hasDoorkeeper: Bool = false, isConservative: Bool = false
  ) {
    self.samplesPerObject = samplesPerObject
    self.hasDoorkeeper = hasDoorkeeper
    counters = CountMinSketch(capacity: objects, isConservative: isConservative)
    doorkeeper = BloomFilter(capacity: 1)
    fit()
  }

  /// The number of additions before a halving.
  @inlinable @inline(__always)
  public var sample: Int { sampleSize }

  /// Additions since the last halving, and half of those before.
  @inlinable @inline(__always)
  public var additions: Int { additionCount }

  /// Adjusts counters and sample to the number of residents if it is the largest so far.
  @inlinable @inline(__always)
  public mutating func note(residents: Int) { if residents > objects { grow(to: residents) } }

  /// No more than that number of objects will be resident from now on: shortens the sample if there were
  /// more. The counters stay.
  public mutating func limit(residents: Int) {
    objects = min(objects, max(residents, 8))
    fit()
    ageIfDue()
  }

  /// Counts a request of the key.
  @inlinable @inline(__always)
  public mutating func record(_ hash: UInt64) {
    let isAdded = hasDoorkeeper && doorkeeper.insert(hash) || counters.increment(hash)
    // Without a branch: which keys have reached the largest count cannot be foreseen.
    additionCount &+= isAdded ? 1 : 0
    ageIfDue()
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

  @usableFromInline @inline(never)
  mutating func grow(to residents: Int) {
    objects = residents
    counters.grow(to: residents)
    fit()
  }

  /// Sets the sample, and makes room for it in the doorkeeper: at most 2²⁶ keys.
  mutating func fit() {
    let (product, overflow) = objects.multipliedReportingOverflow(by: samplesPerObject)
    sampleSize = overflow ? .max : max(product, 1)
    if hasDoorkeeper { doorkeeper.grow(to: min(sampleSize, 1 << 26)) }
  }

  @inlinable @inline(__always)
  mutating func ageIfDue() { if additionCount >= sampleSize { age() } }

  /// Halves the frequencies.
  @usableFromInline @inline(never)
  mutating func age() {
    let odd = counters.halve()
    additionCount = min(max(0, additionCount &- odd / 4), sampleSize) / 2
    if hasDoorkeeper { doorkeeper.clear() }
  }
}
