import Eviction
import Testing

@Suite("Slot logs")
struct SlotLogsTests {
  static let slots = 40

  /// Expects these contents of the lists, most recent first.
  static func expect(
    _ logs: borrowing SlotLogs, are lists: [[Slot]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var isRight = true
    for (number, members) in lists.enumerated() {
      let id = ListID(UInt8(number + 1))
      isRight = isRight && logs.count(of: id) == members.count && logs.size(of: id) == members.count
      isRight = isRight && logs.front(of: id) == members.first
      isRight = isRight && logs.back(of: id) == members.last
      for (index, slot) in members.enumerated() {
        isRight = isRight && logs.owner(of: slot) == id
        isRight = isRight && logs.newer(than: slot) == (index == 0 ? nil : members[index - 1])
      }
    }
    let outside = Set(0..<Slot(slots)).subtracting(lists.joined())
    for slot in outside { isRight = isRight && logs.owner(of: slot) == .none }
    if !isRight { Issue.record("the lists are not \(lists)", sourceLocation: sourceLocation) }
  }

  @Test("Random moves keep the order that lists have", arguments: 0..<20 as Range<UInt64>)
  func moves(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var host = PinningHost()
    var logs = SlotLogs(count: 2, slots: Self.slots)
    var lists: [[Slot]] = [[], []]
    // Some seeds keep their lists short, so that a log is emptied now and then.
    let used = 1 + Self.slots >> (seed % 5)
    for _ in 0..<3000 {
      let slot = Slot(generator.index(below: min(used, Self.slots)))
      let list = generator.index(below: 2)
      let id = ListID(UInt8(list + 1))
      let owner = lists.firstIndex { $0.contains(slot) }
      switch generator.index(below: 8) {
      case 0 where !lists[list].isEmpty:
        logs.evictFront(of: id, host: &host)
        let victim = host.victims[host.victims.count - 1]
        #expect(victim == lists[list].removeFirst())
      case 1 where !lists[list].isEmpty:
        logs.evictBack(of: id, host: &host)
        let victim = host.victims[host.victims.count - 1]
        #expect(victim == lists[list].removeLast())
      case 2 where owner != nil:
        let other = ListID(UInt8(2 - owner!))
        logs.move(slot, from: ListID(UInt8(owner! + 1)), toFrontOf: other, size: 1)
        lists[owner!].removeAll { $0 == slot }
        lists[1 - owner!].insert(slot, at: 0)
      case 3 where owner != nil:
        logs.remove(slot, from: ListID(UInt8(owner! + 1)), size: 1)
        lists[owner!].removeAll { $0 == slot }
      case 4 where owner == nil:
        logs.prepend(slot, to: id, size: 1)
        lists[list].insert(slot, at: 0)
      case 5 where owner == list || owner == nil && !lists[list].isEmpty:
        let moved = owner == list ? generator.index(below: 2) : 0
        logs.moveToFront(slot, of: id, moved: moved, orReplaceBackIf: owner == nil ? 1 : 0)
        if owner == nil { lists[list].removeLast() }
        if moved == 1 { lists[list].removeAll { $0 == slot } }
        if moved == 1 || owner == nil { lists[list].insert(slot, at: 0) }
      case 6 where owner == list || owner == nil && !lists[list].isEmpty:
        let moved = owner == list ? generator.index(below: 2) : 0
        logs.moveToFront(slot, of: id, moved: moved, orReplaceFrontIf: owner == nil ? 1 : 0)
        if owner == nil { lists[list].removeFirst() }
        if moved == 1 { lists[list].removeAll { $0 == slot } }
        if moved == 1 || owner == nil { lists[list].insert(slot, at: 0) }
      default:
        if owner == list {
          logs.moveToFront(slot, of: id)
          lists[list].removeAll { $0 == slot }
          lists[list].insert(slot, at: 0)
        }
      }
      Self.expect(logs, are: lists)
    }
  }
}
