import Eviction
import Testing

@Suite("Trees of bitmaps")
struct BitmapTreeTests {
  @Test("Smallest and largest are those of a sorted set", arguments: [60, 500, 5_000, 300_000])
  func agreesWithASet(bound: Int) {
    var generator = SplitMix64(seed: UInt64(bound))
    var tree = BitmapTree()
    var model: Set<Int> = []
    for step in 0..<2_000 {
      // Bunches, so that words fill and empty.
      let number = min(bound - 1, generator.index(below: bound) / 7 * 7 + generator.index(below: 2))
      if model.contains(number) {
        tree.remove(number)
        model.remove(number)
      } else if step % 3 != 2 {
        tree.insert(number)
        model.insert(number)
      } else if let some = model.randomElement(using: &generator) {
        tree.remove(some)
        model.remove(some)
      }
      if step % 700 == 699 {
        tree.removeAll()
        model = []
      }
      #expect(tree.isEmpty == model.isEmpty)
      #expect(tree.contains(number) == model.contains(number))
      if tree.first != model.min() || tree.last != model.max() {
        Issue.record("step \(step): \(tree.first ?? -1)…\(tree.last ?? -1)")
        return
      }
    }
  }

  @Test("Numbers beyond the room make it grow and lose nothing")
  func growth() {
    var tree = BitmapTree()
    #expect(tree.first == nil && tree.last == nil && !tree.contains(1 << 40))
    for number in [0, 63, 64, 4_095, 4_096, 262_143, 262_144, 20_000_000] {
      tree.insert(number)
      #expect(tree.first == 0 && tree.last == number)
    }
    for number in [20_000_000, 262_144, 262_143, 4_096, 4_095, 64, 63] {
      #expect(tree.last == number)
      tree.remove(number)
    }
    #expect(tree.first == 0 && tree.last == 0)
  }
}
