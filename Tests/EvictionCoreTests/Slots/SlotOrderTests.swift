import Eviction
import EvictionCore
import Testing

@Suite("Slots in an order of their own")
struct SlotOrderTests {
  @Test(
    "An order agrees with an array, whatever enters, climbs and leaves", arguments: [1, 2, 3, 4])
  func agreesWithAnArray(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var order = SlotOrder(slots: 100)
    order.reserve(slots: 3_000)
    var model: [Slot] = []
    for round in 0..<6 {
      // Each round prefers other ends: blocks are opened, split, emptied and merged.
      for _ in 0..<3_000 {
        let slot = Slot(dice.index(below: 3_000))
        guard let place = model.firstIndex(of: slot) else {
          let place = place(in: round, count: model.count, &dice)
          order.insert(slot, at: place)
          model.insert(slot, at: place)
          continue
        }
        #expect(order.place(of: order.position(of: slot)) == place)
        model.remove(at: place)
        if dice.index(below: 3) == 0 {
          order.remove(slot)
        } else {
          let distance = 1 + dice.index(below: dice.index(below: 2) == 0 ? 3 : 4_000)
          order.moveUp(order.position(of: slot), by: distance)
          model.insert(slot, at: max(0, place - distance))
        }
        #expect(order.last == model.last && order.count == model.count)
      }
      #expect(places(order) == model, "seed \(seed), round \(round)")
      while round % 2 == 0, let last = model.popLast() {
        #expect(order.last == last)
        order.remove(last)
      }
    }
    order.removeAll()
    #expect(order.last == nil && order.count == 0 && !order.contains(7))
    order.insert(7, at: 0)
    #expect(order.last == 7)
  }

  private func place(in round: Int, count: Int, _ dice: inout SplitMix64) -> Int {
    switch round % 3 {
    case 0: 0
    case 1: count
    default: dice.index(below: count + 1)
    }
  }

  private func places(_ order: borrowing SlotOrder) -> [Slot] {
    var slots = [Slot](repeating: .max, count: order.count)
    for slot in Slot(0)..<3_000 where order.contains(slot) {
      slots[order.place(of: order.position(of: slot))] = slot
    }
    return slots
  }
}
