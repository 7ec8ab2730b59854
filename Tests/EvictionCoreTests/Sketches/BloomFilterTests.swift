import Eviction
import Testing

@Suite("Bloom filters")
struct BloomFilterTests {
  @Test("An inserted key is there, and one in thirty others seems to be")
  func falsePositives() {
    for capacity in [64, 1_024, 65_536] {
      var filter = BloomFilter(capacity: capacity)
      #expect(filter.capacity == capacity)
      var known = 0
      for key in 0..<UInt64(capacity) where !filter.insert(SplitMix64.mix(key)) { known += 1 }
      #expect(known < max(8, capacity / 50), "few of the new keys were thought known")
      var lost = 0
      for key in 0..<UInt64(capacity) where !filter.contains(SplitMix64.mix(key)) { lost += 1 }
      for key in 0..<UInt64(capacity) where filter.insert(SplitMix64.mix(key)) { lost += 1 }
      #expect(lost == 0)
      var strangers = 0
      for key in 0..<UInt64(10_000) where filter.contains(SplitMix64.mix(key + 1 << 40)) {
        strangers += 1
      }
      #expect(strangers < 500, "capacity \(capacity): \(strangers) of 10 000")
      filter.clear()
      #expect(filter.contains(SplitMix64.mix(0)) == false)
    }
  }

  @Test("Growing forgets nothing")
  func growing() {
    var filter = BloomFilter(capacity: 1)
    for key in 0..<UInt64(64) { filter.insert(key) }
    filter.grow(to: 1_000)
    #expect(filter.capacity == 1_024)
    for key in 0..<UInt64(64) { #expect(filter.contains(key) == true) }
    filter.grow(to: 2)
    #expect(filter.capacity == 1_024)
  }
}
