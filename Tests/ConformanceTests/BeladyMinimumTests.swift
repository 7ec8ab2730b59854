import Eviction
import EvictionTesting
import Testing

@Suite("The naive Belady's MIN")
struct BeladyMinimumTests {
  @Test("The farthest next use leaves")
  func byHand() {
    // a b c (b's next use is the farthest: ac) a c (ab or cb) b: 4 misses, and d is never used again:
    // bypassed, it evicts nothing.
    let keys = [0, 1, 2, 0, 2, 1]
    #expect(BeladyMinimum.misses(keys, capacity: 2) == 4)
    // ab, d is used never again and b last: without bypass ad, ad, b; with it ab, ab, ab
    #expect(BeladyMinimum.misses([0, 1, 3, 0, 1], capacity: 2) == 4)
    #expect(BeladyMinimum.misses([0, 1, 3, 0, 1], capacity: 2, bypass: true) == 3)
  }

  /// The fewest misses of all decisions, each tried.
  static func fewest(
    _ keys: ArraySlice<Int>, residents: Set<Int>, capacity: Int, bypass: Bool
  ) -> Int {
    guard let key = keys.first else { return 0 }
    let rest = keys.dropFirst()
    func after(_ residents: Set<Int>) -> Int {
      fewest(rest, residents: residents, capacity: capacity, bypass: bypass)
    }
    if residents.contains(key) { return after(residents) }
    if residents.count < capacity { return 1 + after(residents.union([key])) }
    var outcomes = residents.map { after(residents.subtracting([$0]).union([key])) }
    if bypass { outcomes.append(after(residents)) }
    return 1 + outcomes.min()!
  }

  @Test("No sequence of decisions does better", arguments: [false, true])
  func exhaustively(bypass: Bool) {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<60 {
      let keys = (0..<9).map { _ in generator.index(below: 5) }
      for capacity in 1...3 {
        let best = Self.fewest(keys[...], residents: [], capacity: capacity, bypass: bypass)
        let misses = BeladyMinimum.misses(keys, capacity: capacity, bypass: bypass)
        #expect(misses == best, "\(keys) at \(capacity)")
      }
    }
  }
}
