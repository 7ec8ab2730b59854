import Eviction
import Testing

@Suite("Slot sets")
struct SlotSetTests {
  @Test("The last member takes the place of a removed one", arguments: 0..<20 as Range<UInt64>)
  func removalSwapsWithTheLast(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var set = SlotSet(slots: 4)
    var model: [Slot] = []
    var slots = 4
    for step in 0..<300 {
      if step % 30 == 29 {
        slots += generator.index(below: 4)
        set.reserve(slots: slots)
      }
      let slot = Slot(generator.index(below: slots))
      if let index = model.firstIndex(of: slot) {
        set.remove(slot)
        model[index] = model[model.count - 1]
        model.removeLast()
      } else {
        set.insert(slot)
        model.append(slot)
      }
      if generator.index(below: 100) == 0 {
        set.removeAll()
        model = []
      }
      let members = (0..<set.count).map { set[$0] }
      let known = (0..<Slot(slots)).filter { set.contains($0) }
      if members != model || known != model.sorted() {
        Issue.record("seed \(seed), step \(step): \(members) is not \(model)")
        return
      }
    }
  }
}
