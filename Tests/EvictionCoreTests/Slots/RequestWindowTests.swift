import Eviction
import Testing

@Suite("Request windows")
struct RequestWindowTests {
  @Test(
    "Counts are those of the requests that fit", arguments: 0..<20 as Range<UInt64>,
    [false, true])
  func againstAModel(seed: UInt64, isSized: Bool) {
    var generator = SplitMix64(seed: seed)
    var window = RequestWindow(slots: 6, limit: isSized ? 4000 : 1500, isSized: isSized)
    var model: [(slot: Slot?, size: Int)] = []
    var modelSize = 0
    var slots = 6
    for step in 1...4000 {
      if step == 2000 {
        slots = 12
        window.reserve(slots: slots)
        window.limit = isSized ? 900 : 300
      }
      let slot = Slot(generator.index(below: slots))
      let size = isSized ? generator.index(below: 6) : 1
      window.add(slot, size: size)
      // An empty object takes one unit.
      model.append((slot, max(size, 1)))
      modelSize += max(size, 1)
      while window.isOver { _ = window.dropOldest() }
      while modelSize > window.limit { modelSize -= model.removeFirst().size }
      if generator.index(below: 100) == 0 {
        window.forget(slot)
        model = model.map { $0.slot == slot ? (nil, $0.size) : $0 }
      } else if window.lastUse(of: slot) != step {
        Issue.record("seed \(seed), step \(step): \(window.lastUse(of: slot))")
      }
      if generator.index(below: 1500) == 0 {
        window.removeAll()
        model = []
        modelSize = 0
      }
      if step % 50 == 0 {
        let counts = (0..<Slot(slots)).map { window.count(of: $0) }
        let expected = (0..<Slot(slots)).map { slot in model.count { $0.slot == slot } }
        if counts != expected {
          Issue.record("seed \(seed), step \(step): \(counts), not \(expected)")
          return
        }
      }
    }
  }

  @Test("A slot is reported when its count falls below its floor, which falls with it")
  func floors() {
    var window = RequestWindow(slots: 2, limit: 4, isSized: false)
    for slot: Slot in [0, 1, 0, 0] { window.add(slot, size: 1) }
    window.setFloor(of: 0, to: 2)
    #expect(window.dropOldest() == nil)  // 2 left
    #expect(window.dropOldest() == nil)  // the other one's floor is 0
    #expect(window.dropOldest() == 0)
    #expect(window.dropOldest() == 0)
    #expect(window.count(of: 0) == 0)
  }
}
