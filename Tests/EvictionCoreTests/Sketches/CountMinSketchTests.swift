import Eviction
import Testing

@Suite("Count-min sketches")
struct CountMinSketchTests {
  static func hash(_ key: Int) -> UInt64 { SplitMix64.mix(UInt64(key) &+ 1) }

  /// The definition, written plainly: a dictionary of counters by block, row and column.
  struct Plain {
    var counts: [[Int]: Int] = [:]
    let blocks: Int
    let isConservative: Bool

    func places(_ hash: UInt64) -> [[Int]] {
      (0..<4).map { row in
        [Int(hash % UInt64(blocks)), row, Int(hash >> UInt64(44 + 5 * row) % 32)]
      }
    }

    func frequency(_ hash: UInt64) -> Int { places(hash).map { counts[$0] ?? 0 }.min()! }

    mutating func increment(_ hash: UInt64) -> Bool {
      let smallest = frequency(hash)
      var grew = false
      for place in places(hash) {
        let count = counts[place] ?? 0
        if count == 15 || (isConservative && count > smallest) { continue }
        counts[place] = count + 1
        grew = true
      }
      return grew
    }

    mutating func halve() -> Int {
      let odd = counts.values.count { $0 % 2 == 1 }
      counts = counts.mapValues { $0 / 2 }
      return odd
    }
  }

  @Test("Every answer is that of the plain definition", arguments: [false, true])
  func agreesWithTheDefinition(isConservative: Bool) {
    for capacity in [1, 8, 9, 16, 100] {
      var generator = SplitMix64(seed: UInt64(capacity))
      var sketch = CountMinSketch(capacity: capacity, isConservative: isConservative)
      #expect(sketch.capacity >= capacity && sketch.capacity < max(16, 2 * capacity))
      var plain = Plain(blocks: sketch.capacity / 8, isConservative: isConservative)
      for step in 0..<3_000 {
        let hash = Self.hash(generator.index(below: 1 + generator.index(below: 4 * capacity)))
        if generator.index(below: 500) == 0 {
          let odd = sketch.halve()
          #expect(odd == plain.halve())
        }
        let grew = sketch.increment(hash)
        let other = Self.hash(generator.index(below: 4 * capacity))
        if grew != plain.increment(hash) || sketch.frequency(of: hash) != plain.frequency(hash)
          || sketch.frequency(of: other) != plain.frequency(other)
        {
          Issue.record("capacity \(capacity), step \(step)")
          return
        }
      }
    }
  }

  @Test("A counter stops at 15 and does not spill into its neighbours")
  func countersSaturate() {
    var sketch = CountMinSketch(capacity: 8)
    for count in 1...15 {
      let grew = sketch.increment(0)
      #expect(grew && sketch.frequency(of: 0) == count)
    }
    let grew = sketch.increment(0)
    #expect(!grew && sketch.frequency(of: 0) == CountMinSketch.maximum)
    // Another column in one row only: its minimum is still the 0 there.
    #expect(sketch.frequency(of: 1 << 45) == 0)
    #expect(sketch.frequency(of: 1 << 44) == 0)
  }

  @Test("Halving rounds down and counts the odd ones; clearing forgets")
  func halving() {
    var sketch = CountMinSketch(capacity: 8)
    for _ in 0..<5 { sketch.increment(0) }
    var odd = sketch.halve()
    #expect(odd == 4 && sketch.frequency(of: 0) == 2)
    odd = sketch.halve()
    #expect(odd == 0 && sketch.frequency(of: 0) == 1)
    sketch.clear()
    #expect(sketch.frequency(of: 0) == 0)
  }

  @Test("Growing forgets nothing, and keeps keys apart from then on")
  func growing() {
    var sketch = CountMinSketch(capacity: 8)
    for key in 0..<20 { for _ in 0...(key % 5) { sketch.increment(Self.hash(key)) } }
    let before = (0..<20).map { sketch.frequency(of: Self.hash($0)) }
    sketch.grow(to: 100)
    #expect(sketch.capacity == 128)
    #expect((0..<20).map { sketch.frequency(of: Self.hash($0)) } == before)
    sketch.grow(to: 8)
    #expect(sketch.capacity == 128)
    // Two keys that differ only in the block.
    sketch.clear()
    sketch.increment(0)
    #expect(sketch.frequency(of: 1) == 0)
  }

  @Test("A sketch with room for its keys overestimates few of them")
  func accuracy() {
    // 2 000 keys once, 100 keys ten times, in a sketch for 2 048.
    var sketch = CountMinSketch(capacity: 2_000)
    for key in 0..<2_000 { sketch.increment(Self.hash(key)) }
    for key in 0..<100 { for _ in 0..<9 { sketch.increment(Self.hash(key)) } }
    let estimates = (0..<2_000).map { sketch.frequency(of: Self.hash($0)) }
    for key in 0..<100 { #expect(estimates[key] >= 10) }
    #expect(estimates[100...].allSatisfy { $0 >= 1 })
    #expect(estimates[100...].count { $0 > 1 } < 190, "at most a tenth is overestimated")
  }
}
