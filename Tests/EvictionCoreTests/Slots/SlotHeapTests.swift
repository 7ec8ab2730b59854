import Eviction
import Testing

@Suite("Slot heaps")
struct SlotHeapTests {
  /// Every order of the numbers below `count`.
  static func permutations(_ count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return permutations(count - 1).flatMap { shorter in
      (0..<count).map { position in
        var longer = shorter
        longer.insert(count - 1, at: position)
        return longer
      }
    }
  }

  static func drain(_ heap: inout SlotHeap<Int>) -> [Int] {
    var priorities: [Int] = []
    while let slot = heap.first {
      priorities.append(heap.priority(of: slot))
      heap.remove(slot)
    }
    return priorities
  }

  @Test("Slots come out by priority, in whatever order they came")
  func everyOrderOfSix() {
    for order in Self.permutations(6) {
      var heap = SlotHeap<Int>(slots: 6)
      for (slot, priority) in order.enumerated() { heap.insert(Slot(slot), priority: priority) }
      #expect(heap.count == 6)
      let drained = Self.drain(&heap)
      if drained != Array(0..<6) { Issue.record("\(order) came out as \(drained)") }
    }
  }

  @Test("Any slot can leave, or get any other priority, in every order of five")
  func everyRemovalAndUpdate() {
    for order in Self.permutations(5) {
      for slot in 0..<5 {
        for change in [nil, -1, 1, 3, 9] as [Int?] {
          var heap = SlotHeap<Int>(slots: 5)
          for (slot, priority) in order.enumerated() {
            heap.insert(Slot(slot), priority: 2 * priority)
          }
          var expected = order.map { 2 * $0 }
          if let change {
            heap.update(Slot(slot), priority: change)
            expected[slot] = change
          } else {
            heap.remove(Slot(slot))
            expected.remove(at: slot)
          }
          #expect(heap.contains(Slot(slot)) == (change != nil))
          let drained = Self.drain(&heap)
          if drained != expected.sorted() {
            Issue.record("\(order), slot \(slot) to \(String(describing: change)): \(drained)")
          }
        }
      }
    }
  }

  @Test("Another slot can stand in for the first, of any priority, in every order of five")
  func everyReplacementOfTheFirst() {
    for order in Self.permutations(5) {
      for priority in [-1, 0, 1, 3, 9] {
        var heap = SlotHeap<Int>(slots: 6)
        for (slot, priority) in order.enumerated() {
          heap.insert(Slot(slot), priority: 2 * priority)
        }
        heap.replaceFirst(with: 5, priority: priority)
        #expect(heap.contains(5) && !heap.contains(Slot(order.firstIndex(of: 0)!)))
        let drained = Self.drain(&heap)
        if drained != [2, 4, 6, 8, priority].sorted() {
          Issue.record("\(order), \(priority): \(drained)")
        }
      }
    }
  }

  @Test("A heap that grew or was cleared is right", arguments: 0..<10 as Range<UInt64>)
  func growthAndClearing(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var heap = SlotHeap<Int>()
    for round in 0..<3 {
      var expected: [Int] = []
      for slot in Slot(0)..<100 {
        heap.reserve(slots: Int(slot) + 1)
        let priority = generator.index(below: 1_000_000)
        heap.insert(slot, priority: priority)
        expected.append(priority)
      }
      if round == 1 {
        heap.removeAll()
        #expect(heap.count == 0 && heap.first == nil && !heap.contains(5))
      } else {
        #expect(Self.drain(&heap) == expected.sorted(), "seed \(seed)")
      }
    }
  }
}
