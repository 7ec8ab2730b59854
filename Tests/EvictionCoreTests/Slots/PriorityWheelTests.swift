import Eviction
import Testing

@Suite("Priority wheels")
struct PriorityWheelTests {
  /// Priorities and the steps at which they were set, by slot.
  struct Model {
    var entries: [Slot: (priority: UInt64, step: Int)] = [:]

    var first: Slot? {
      entries.min { ($0.value.priority, $0.value.step) < ($1.value.priority, $1.value.step) }?.key
    }
  }

  /// A distance that is short, long, or reaches into the highest digits.
  static func distance(_ generator: inout SplitMix64) -> UInt64 {
    generator.next() >> UInt64(5 + generator.index(below: 59))
  }

  @Test("The smallest, longest unchanged slot is at hand", arguments: 0..<20 as Range<UInt64>)
  func againstAModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var wheel = PriorityWheel(slots: 8)
    var model = Model()
    var slots = 8
    var lowest: UInt64 = 0
    for step in 0..<600 {
      if step == 300 {
        slots = 30
        wheel.reserve(slots: slots)
      }
      let slot = Slot(generator.index(below: slots))
      let priority = lowest + (generator.index(below: 2) == 0 ? 1 : Self.distance(&generator) >> 2)
      switch generator.index(below: 4) {
      case 0:
        if let first = model.first {
          lowest = min(model.entries[first]!.priority, 1 << 60)
          wheel.remove(first)
          model.entries[first] = nil
        }
      case 1 where model.entries[slot] != nil:
        wheel.remove(slot)
        model.entries[slot] = nil
      default:
        if model.entries[slot] == nil {
          wheel.insert(slot, priority: priority)
        } else {
          wheel.update(slot, priority: priority)
        }
        model.entries[slot] = (priority, step)
      }
      if generator.index(below: 150) == 0 {
        wheel.removeAll()
        model.entries = [:]
      }
      let first = wheel.first()
      let isRight =
        first == model.first
        && (first.map { wheel.priority(of: $0) == model.entries[$0]!.priority } ?? true)
      if !isRight {
        Issue.record("seed \(seed), step \(step): \(String(describing: first))")
        return
      }
    }
  }

  @Test("A priority below one that was the smallest comes first, and equals keep their order")
  func goingBack() {
    var wheel = PriorityWheel(slots: 5)
    for slot in Slot(0)..<4 { wheel.insert(slot, priority: 1_000_000) }
    #expect(wheel.first() == 0)
    wheel.insert(4, priority: 3)
    #expect(wheel.first() == 4)
    wheel.remove(4)
    wheel.update(1, priority: 1_000_000)
    var order: [Slot] = []
    while let slot = wheel.first() {
      order.append(slot)
      wheel.remove(slot)
    }
    #expect(order == [0, 2, 3, 1])
  }
}
