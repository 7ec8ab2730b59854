import Eviction
import Testing

@Suite("Ranked lists")
struct RankedListsTests {
  /// Counts and last requests by slot, and which of the slots are retired.
  struct Model {
    var counts: [Slot: Int] = [:]
    var lastUse: [Slot: Int] = [:]
    var retired: Set<Slot> = []

    /// The least frequent of those that are not retired, the least recent first.
    var leastFrequent: [Slot] {
      let ranked = counts.filter { !retired.contains($0.key) }
      let lowest = ranked.values.min()
      return ranked.keys.filter { counts[$0] == lowest }.sorted { lastUse[$0]! < lastUse[$1]! }
    }

    mutating func forget(_ slot: Slot) {
      counts[slot] = nil
      retired.remove(slot)
    }
  }

  @Test(
    "The least frequent slot is at hand, also after retired ones came back",
    arguments: 0..<20 as Range<UInt64>)
  func againstAModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var lists = RankedLists(slots: 8)
    var model = Model()
    var slots = 8
    for step in 0..<600 {
      if step == 200 {
        slots = 20
        lists.reserve(slots: slots)
      }
      let slot = Slot(generator.index(below: 1 + generator.index(below: slots)))
      let roll = generator.index(below: 8)
      if model.counts[slot] == nil {
        lists.rank(slot)
        model.counts[slot] = 1
      } else if roll == 0 {
        lists.forgetFrequency(of: slot)
        model.forget(slot)
      } else if model.retired.contains(slot) {
        lists.revive(slot, counting: roll % 2 == 0)
        model.counts[slot]! += roll % 2 == 0 ? 1 : 0
        model.retired.remove(slot)
      } else if roll < 4 {
        lists.retire(slot, noting: step << 40 + 7 - step)
        if lists.note(of: slot) != step << 40 + 7 - step { Issue.record("step \(step): the note") }
        model.retired.insert(slot)
      } else {
        lists.increment(slot)
        model.counts[slot]! += 1
      }
      model.lastUse[slot] = step
      if generator.index(below: 200) == 0 {
        lists.removeAll()
        model = Model()
      }
      let host = PinningHost()
      let least = lists.leastFrequent(among: .leastRecent, host: host)
      let newest = lists.leastFrequent(among: .mostRecent, host: host)
      if least != model.leastFrequent.first || newest != model.leastFrequent.last
        || lists.frequency(of: slot) != model.counts[slot] ?? 0
      {
        Issue.record("seed \(seed), step \(step), slot \(slot)")
        return
      }
    }
  }

  @Test("Lists by recency go their own way", arguments: 0..<10 as Range<UInt64>)
  func listsAgainstAModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var lists = RankedLists(slots: 30)
    var model: [[Slot]] = Array(repeating: [], count: 5)  // the most recent first
    for step in 0..<400 {
      let slot = Slot(generator.index(below: 30))
      let target = RankedList(UInt8(1 + generator.index(below: 4)))
      let size = Int(slot) + 1
      let owner = lists.list(of: slot)
      model[Int(owner.rawValue)].removeAll { $0 == slot }
      if owner == .none {
        lists.prepend(slot, to: target, size: size)
        lists[slot] = UInt8(truncatingIfNeeded: step)
      } else if owner == target {
        lists.moveToFront(slot, of: target)
      } else if step % 3 == 0 {
        lists.remove(slot, size: size)
      } else {
        lists.move(slot, toFrontOf: target, size: size)
      }
      let now = lists.list(of: slot)
      if now != .none { model[Int(now.rawValue)].insert(slot, at: 0) }
      for list in 1...4 {
        let id = RankedList(UInt8(list))
        let size = model[list].reduce(0) { $0 + Int($1) + 1 }
        if lists.back(of: id) != model[list].last || lists.size(of: id) != size
          || lists.isEmpty(id) != model[list].isEmpty
        {
          Issue.record("seed \(seed), step \(step), list \(list)")
          return
        }
      }
    }
  }

  @Test("More counts than there were levels for")
  func manyLevels() {
    var lists = RankedLists(slots: 200)
    for slot in Slot(0)..<200 {
      lists.prepend(slot, to: RankedList(1), size: 1)
      lists.rank(slot)
      for _ in 0..<(slot * 7 % 200) { lists.increment(slot) }
    }
    var order: [Slot] = []
    let host = PinningHost()
    while let slot = lists.leastFrequent(among: .leastRecent, host: host) {
      order.append(slot)
      lists.retire(slot)
    }
    // 7 and 200 have no common divisor, so each count belongs to one slot.
    #expect(order.map { $0 * 7 % 200 } == Array(0..<200))
    #expect(lists.back(of: RankedList(1)) == 0)
    for slot in Slot(0)..<200 { lists.revive(slot, counting: true) }
    #expect((Slot(0)..<200).allSatisfy { lists.frequency(of: $0) == Int($0 * 7 % 200) + 2 })
  }
}
