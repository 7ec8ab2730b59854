import Eviction
import Testing

@Suite("Monotone queues")
struct MonotoneQueueTests {
  /// Placings by slot: the priority, and the number of the placing.
  typealias Placings = [Slot: (priority: UInt64, number: Int)]

  static func first(of placings: Placings) -> Slot? {
    placings.min { ($0.value.priority, $0.value.number) < ($1.value.priority, $1.value.number) }?
      .key
  }

  /// A sequence of operations like a policy's, compared with a dictionary after each one.
  static func difference(seed: UInt64, step: (inout SplitMix64) -> UInt64) -> String? {
    var dice = SplitMix64(seed: seed)
    var queue = MonotoneQueue(slots: 20)
    var placings: Placings = [:]
    for number in 0..<400 {
      let slot = Slot(dice.index(below: 20))
      let roll = dice.index(below: 10)
      if roll < 7 {
        let priority = queue.floor + step(&dice)
        if queue.contains(slot) {
          queue.update(slot, priority: priority)
        } else {
          queue.insert(slot, priority: priority)
        }
        placings[slot] = (priority, number)
      } else if roll < 8 {
        if queue.contains(slot) { queue.remove(slot) }
        placings[slot] = nil
      } else {
        let expected = first(of: placings)
        let found = queue.first()
        if found != expected {
          return "operation \(number): \(found as Any), not \(expected as Any)"
        }
        guard let found else { continue }
        if queue.floor != placings[found]?.priority { return "operation \(number): the floor" }
        if roll == 9 {
          queue.remove(found)
          placings[found] = nil
        }
      }
      if queue.contains(slot) != (placings[slot] != nil) { return "operation \(number): members" }
    }
    return nil
  }

  @Test("The smallest priority comes first, among equals the least recently placed")
  func agreesWithADictionary() {
    for seed in 0..<40 as Range<UInt64> {
      let near = Self.difference(seed: seed) { UInt64($0.index(below: 4)) }
      #expect(near == nil, "seed \(seed), near the floor: \(near ?? "")")
      let far = Self.difference(seed: seed) { $0.next() >> UInt64(8 + $0.index(below: 56)) }
      #expect(far == nil, "seed \(seed), far from the floor: \(far ?? "")")
    }
  }

  @Test("Doubles that are not negative have the order of their bit patterns")
  func doublesAreOrdered() {
    let values = [0.0, .leastNonzeroMagnitude, 0.1, 1, 1.5, 2, 1e6, 1e300, .infinity]
    var queue = MonotoneQueue(slots: values.count)
    for (slot, value) in values.enumerated().reversed() {
      queue.insert(Slot(slot), priority: value.bitPattern)
    }
    var drained: [Double] = []
    while let slot = queue.first() {
      drained.append(values[Int(slot)])
      queue.remove(slot)
    }
    #expect(drained == values)
  }

  @Test("An emptied queue keeps its floor, and grows with its members in place")
  func clearingAndGrowing() {
    var queue = MonotoneQueue(slots: 2)
    queue.insert(0, priority: 5)
    #expect(queue.first() == 0)
    queue.removeAll()
    #expect(queue.first() == nil && queue.floor == 5)
    queue.insert(1, priority: 9)
    queue.reserve(slots: 100)
    queue.insert(99, priority: 8)
    #expect(queue.contains(1) && !queue.contains(0) && queue.first() == 99)
  }
}
