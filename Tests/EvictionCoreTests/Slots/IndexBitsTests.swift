import Eviction
import Testing

@Suite("Index bits")
struct IndexBitsTests {
  /// Numbers at the edges of words and of summaries.
  static let edges = [0, 1, 62, 63, 64, 65, 127, 128, 4094, 4095, 4096, 4097, 8191, 8192, 9999]

  @Test("The next member is found from every edge to every edge")
  func everyPairOfEdges() {
    for member in Self.edges {
      var bits = IndexBits(count: 10_000)
      bits.insert(member)
      #expect(bits.last == member)
      for start in Self.edges {
        let found = bits.next(from: start)
        if found != (start <= member ? member : nil) {
          Issue.record("from \(start) found \(found as Any), not \(member)")
        }
      }
      bits.remove(member)
      #expect(bits.last == nil && bits.next(from: 0) == nil && !bits.contains(member))
    }
  }

  @Test("Members come out in ascending order, whatever else has left")
  func agreesWithASet() {
    var dice = SplitMix64(seed: 5)
    var bits = IndexBits(count: 10_000)
    var members: Set<Int> = []
    for _ in 0..<2_000 {
      let number = Self.edges[dice.index(below: Self.edges.count)]
      if dice.index(below: 2) == 0 {
        bits.insert(number)
        members.insert(number)
      } else {
        bits.remove(number)
        members.remove(number)
      }
      var found: [Int] = []
      while let next = bits.next(from: (found.last ?? -1) + 1) { found.append(next) }
      if found != members.sorted() || bits.last != members.max() {
        Issue.record("\(found) are the members, not \(members.sorted())")
        return
      }
    }
    bits.removeAll()
    #expect(bits.next(from: 0) == nil)
  }
}
