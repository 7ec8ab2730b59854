import Eviction
import Testing

@Suite("Frequency lists")
struct FrequencyListsTests {
  /// Frequencies and last requests by slot.
  struct Model {
    var entries: [Slot: (frequency: Int, lastUse: Int)] = [:]

    var leastFrequent: Slot? {
      entries.min {
        ($0.value.frequency, $0.value.lastUse) < ($1.value.frequency, $1.value.lastUse)
      }?.key
    }
  }

  @Test("The least frequent, least recent slot is at hand", arguments: 0..<20 as Range<UInt64>)
  func againstAModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var lists = FrequencyLists(slots: 8)
    var model = Model()
    var slots = 8
    let host = PinningHost()
    for step in 0..<400 {
      if step == 200 {
        slots = 20
        lists.reserve(slots: slots)
      }
      let slot = Slot(generator.index(below: 1 + generator.index(below: slots)))
      if !lists.contains(slot) {
        lists.insert(slot)
        model.entries[slot] = (1, step)
      } else if generator.index(below: 6) == 0 {
        lists.remove(slot)
        model.entries[slot] = nil
      } else {
        lists.increment(slot)
        model.entries[slot] = (model.entries[slot]!.frequency + 1, step)
      }
      if generator.index(below: 150) == 0 {
        lists.removeAll()
        model.entries = [:]
      }
      let least = lists.leastFrequent(host: host)
      if least != model.leastFrequent {
        Issue.record("seed \(seed), step \(step): \(String(describing: least))")
        return
      }
    }
  }

  @Test("More frequencies than there were lists for")
  func manyFrequencies() {
    var lists = FrequencyLists(slots: 200)
    for slot in Slot(0)..<200 {
      lists.insert(slot)
      for _ in 0..<(slot * 7 % 200) { lists.increment(slot) }
    }
    var order: [Slot] = []
    let host = PinningHost()
    while let slot = lists.leastFrequent(host: host) {
      order.append(slot)
      lists.remove(slot)
    }
    // 7 and 200 have no common divisor, so each frequency belongs to one slot.
    #expect(order.map { $0 * 7 % 200 } == Array(0..<200))
  }
}
