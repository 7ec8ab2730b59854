import Eviction
import PolicyModels
import Testing

/// Searches that go on where the last one ended, on a host that keeps an account of its releases.
@Suite("Resumed searches beside pinned slots")
struct PinnedListsTests {
  @Test(
    "Lists and hands find what a search from the back finds", arguments: 0..<40 as Range<UInt64>)
  func lists(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let slots = [6, 30, 90][Int(seed % 3)]
    var host = AccountingHost(slots: slots)
    var lists = PinnedLists(count: 3, slots: slots)
    for _ in 0..<3000 {
      let slot = Slot(generator.index(below: slots))
      let list = ListID(UInt8(1 + generator.index(below: 2)))
      let owner = lists.owner(of: slot)
      switch generator.index(below: 9) {
      case 0, 1:
        if owner != .none {
          lists.move(slot, from: owner, toFrontOf: list, size: 1)
        } else if generator.index(below: 8) == 0 {
          lists.append(slot, to: list, size: 1)
        } else {
          lists.prepend(slot, to: list, size: 1)
        }
      case 2: if owner != .none { lists.remove(slot, from: owner, size: 1) }
      case 3, 4: host.pin(slot)
      case 5, 6: host.release(slot)
      case 7:
        let order = Self.order(of: list, in: lists)
        let first = order.firstIndex { !host.isPinned($0) }
        let turned = first.map { order[$0...] + order[..<$0] } ?? order[...]
        let found = lists.passPinned(of: list, host: host)
        #expect(found == first.map { order[$0] })
        #expect(Self.order(of: list, in: lists) == Array(turned))
      default:
        let expected = Self.order(of: list, in: lists).first { !host.isPinned($0) }
        let found = lists.unpinnedBack(of: list, host: host)
        let lacks = lists.lacksVictim(list, host: host)
        #expect(found == expected && lacks == (expected == nil))
        if let found { lists.remove(found, from: list, size: 1) }
      }
    }
  }

  @Test("A hand may stop between its latest newcomers, again and again")
  func narrowPlaces() {
    let slots = 500
    var host = AccountingHost(slots: slots)
    var lists = PinnedLists(count: 1, slots: slots)
    var order: [Slot] = []
    for slot in 0..<Slot(slots) {
      lists.prepend(slot, to: .first, size: 1)
      order.append(slot)
      let found = lists.passPinned(of: .first, host: host)
      #expect(found == slot)
      order = [slot] + order.dropLast()
      host.pin(slot)
      if slot % 7 != 0 { continue }
      // The last one and an earlier one.
      let released = order[order.count / 2]
      host.release(released)
      let oldest = lists.unpinnedBack(of: .first, host: host)
      #expect(oldest == released)
      host.pin(released)
    }
    #expect(Self.order(of: .first, in: lists) == order)
  }

  @Test(
    "A run sets pinned slots aside until they are released", arguments: 0..<40 as Range<UInt64>)
  func run(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let slots = [6, 30, 90][Int(seed % 3)]
    var host = AccountingHost(slots: slots)
    var run = PriorityRun<Int>(slots: slots)
    var priorities: [Slot: Int] = [:]
    for step in 0..<3000 {
      let slot = Slot(generator.index(below: slots))
      switch generator.index(below: 8) {
      case 0, 1:
        let priority = generator.index(below: 50) * 10_000 + step
        if run.contains(slot) {
          if step % 3 == 0, priority > run.priority(of: slot) {
            run.raise(slot, priority: priority)
          } else {
            run.update(slot, priority: priority)
          }
        } else {
          run.insert(slot, priority: priority)
        }
        priorities[slot] = priority
      case 2:
        if run.contains(slot) { run.remove(slot) }
        priorities[slot] = nil
      case 3, 4: host.pin(slot)
      case 5, 6: host.release(slot)
      default:
        let free = priorities.filter { !host.isPinned($0.key) }
        let found = run.firstUnpinned(host: host)
        #expect(found == free.min { $0.value < $1.value }?.key)
        #expect(run.count == priorities.count)
      }
    }
  }

  /// The slots of a list from the back.
  private static func order(of list: ListID, in lists: borrowing PinnedLists) -> [Slot] {
    var order: [Slot] = []
    var next = lists.back(of: list)
    while let slot = next {
      order.append(slot)
      next = lists.newer(than: slot)
    }
    return order
  }
}
