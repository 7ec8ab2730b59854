import Eviction
import Testing

@Suite("Slot lists")
struct SlotListsTests {
  /// Two lists as arrays, most recent first.
  struct Layout: Equatable {
    var lists: [[Slot]]

    /// Every way to put `slots` slots into two lists, or in none.
    static func all(slots: Int) -> [Layout] {
      var layouts = [Layout(lists: [[], []])]
      for slot in 0..<Slot(slots) {
        layouts += layouts.flatMap { layout in
          (0..<2).flatMap { list in
            (0...layout.lists[list].count).map { position in
              var longer = layout
              longer.lists[list].insert(slot, at: position)
              return longer
            }
          }
        }
      }
      return layouts
    }

    func list(of slot: Slot) -> Int? { lists.firstIndex { $0.contains(slot) } }

    mutating func take(_ slot: Slot) { for list in 0..<2 { lists[list].removeAll { $0 == slot } } }
  }

  /// Each slot's size is its number plus one.
  static func build(_ layout: Layout, slots: Int) -> SlotLists<UInt8> {
    var lists = SlotLists<UInt8>(count: 2, slots: slots)
    for (list, members) in layout.lists.enumerated() {
      for slot in members {
        lists.append(slot, to: SlotLists.ID(UInt8(list + 1)), size: Int(slot) + 1)
      }
    }
    return lists
  }

  /// Expects these contents of the lists, asked in every way there is.
  static func expect(
    _ lists: borrowing SlotLists<UInt8>, are layout: Layout, slots: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var isRight = true
    for (number, members) in layout.lists.enumerated() {
      let id = SlotLists<UInt8>.ID(UInt8(number + 1))
      isRight = isRight && lists.count(of: id) == members.count
      isRight = isRight && lists.isEmpty(id) == members.isEmpty
      isRight = isRight && lists.size(of: id) == members.reduce(0) { $0 + Int($1) + 1 }
      isRight = isRight && lists.front(of: id) == members.first
      isRight = isRight && lists.back(of: id) == members.last
      for (index, slot) in members.enumerated() {
        let newer = index == 0 ? nil : members[index - 1]
        let older = index == members.count - 1 ? nil : members[index + 1]
        isRight = isRight && lists.newer(than: slot) == newer && lists.older(than: slot) == older
      }
    }
    for slot in 0..<Slot(slots) {
      let owner = layout.list(of: slot).map { UInt8($0 + 1) } ?? 0
      isRight = isRight && lists.owner(of: slot).rawValue == owner
    }
    if !isRight {
      Issue.record("the lists are not \(layout.lists)", sourceLocation: sourceLocation)
    }
  }

  @Test("Every operation on every layout of four slots in two lists does what it says")
  func everySmallLayout() {
    for layout in Layout.all(slots: 4) {
      Self.expect(Self.build(layout, slots: 4), are: layout, slots: 4)
      for slot in Slot(0)..<4 {
        for target in 0..<2 { Self.checkOperations(on: layout, slot: slot, target: target) }
      }
    }
  }

  private static func checkOperations(on layout: Layout, slot: Slot, target: Int) {
    let id = SlotLists<UInt8>.ID(UInt8(target + 1))
    let size = Int(slot) + 1
    var without = layout
    without.take(slot)
    var atFront = without
    atFront.lists[target].insert(slot, at: 0)
    var atBack = without
    atBack.lists[target].append(slot)

    var lists = build(layout, slots: 4)
    if layout.list(of: slot) == nil {
      lists.prepend(slot, to: id, size: size)
      expect(lists, are: atFront, slots: 4)
      lists = build(layout, slots: 4)
      lists.append(slot, to: id, size: size)
      expect(lists, are: atBack, slots: 4)
      return
    }
    lists.move(slot, toFrontOf: id, size: size)
    expect(lists, are: atFront, slots: 4)
    lists = build(layout, slots: 4)
    lists.remove(slot, size: size)
    expect(lists, are: without, slots: 4)
    if layout.list(of: slot) == target {
      lists = build(layout, slots: 4)
      lists.moveToFront(slot, of: id)
      expect(lists, are: atFront, slots: 4)
      var rotated = layout
      let (through, behind) = split(layout.lists[target], after: slot)
      rotated.lists[target] = behind + through
      lists = build(layout, slots: 4)
      lists.rotate(id, until: slot)
      expect(lists, are: rotated, slots: 4)
    }
  }

  private static func split(_ slots: [Slot], after slot: Slot) -> ([Slot], [Slot]) {
    let end = (slots.firstIndex(of: slot) ?? 0) + 1
    return (Array(slots[..<end]), Array(slots[end...]))
  }

  @Test("Growth keeps every layout, and a cleared structure is as new")
  func growthAndClearing() {
    for layout in Layout.all(slots: 3) {
      var lists = Self.build(layout, slots: 3)
      lists.reserve(slots: 100)
      lists.reserve(slots: 5)
      Self.expect(lists, are: layout, slots: 100)
      lists.prepend(99, to: .first, size: 100)
      lists.removeAll()
      Self.expect(lists, are: Layout(lists: [[], []]), slots: 100)
      lists.prepend(99, to: .first, size: 100)
      Self.expect(lists, are: Layout(lists: [[99], []]), slots: 100)
    }
  }

  @Test("A changed size counts in the list that holds the slot")
  func changedSize() {
    var lists = Self.build(Layout(lists: [[0, 1], [2]]), slots: 4)
    lists.changeSize(of: 1, by: 10)
    #expect(lists.size(of: .first) == 13)
    lists.changeSize(of: 2, by: -2)
    #expect(lists.size(of: SlotLists.ID(2)) == 1)
  }
}
