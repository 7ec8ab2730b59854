import Eviction
import Testing

@Suite("Sorted runs with a heap beside them")
struct PriorityRunTests {
  static func drain(_ run: inout PriorityRun<Int>) -> [Int] {
    var priorities: [Int] = []
    while let slot = run.first() {
      priorities.append(run.priority(of: slot))
      run.remove(slot)
    }
    return priorities
  }

  @Test("Slots come out by priority, in whatever order they came")
  func everyOrderOfSix() {
    for order in SlotHeapTests.permutations(6) {
      var run = PriorityRun<Int>(slots: 6)
      for (slot, priority) in order.enumerated() { run.insert(Slot(slot), priority: priority) }
      #expect(run.count == 6)
      let drained = Self.drain(&run)
      if drained != Array(0..<6) { Issue.record("\(order) came out as \(drained)") }
    }
  }

  @Test("Any slot can leave, rise or get any other priority, in every order of five")
  func everyRemovalAndChange() {
    for order in SlotHeapTests.permutations(5) {
      for slot in 0..<5 {
        for change in [nil, -1, 1, 3, 9] as [Int?] {
          var run = PriorityRun<Int>(slots: 5)
          for (slot, priority) in order.enumerated() {
            run.insert(Slot(slot), priority: 2 * priority)
          }
          var expected = order.map { 2 * $0 }
          if let change {
            if change > expected[slot] {
              run.raise(Slot(slot), priority: change)
            } else {
              run.update(Slot(slot), priority: change)
            }
            expected[slot] = change
          } else {
            run.remove(Slot(slot))
            expected.remove(at: slot)
          }
          #expect(run.contains(Slot(slot)) == (change != nil))
          let drained = Self.drain(&run)
          if drained != expected.sorted() {
            Issue.record("\(order), slot \(slot) to \(String(describing: change)): \(drained)")
          }
        }
      }
    }
  }

  /// A model is a dictionary. Priorities mostly grow with time, more or less strictly by the seed.
  @Test("The first is that of a plain search, whatever happens", arguments: 0..<30 as Range<UInt64>)
  func model(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let disorder = [1, 50, 2000, 100_000][Int(seed % 4)]
    let slots = [5, 60, 700][Int(seed % 3)]
    var run = PriorityRun<Int>(slots: seed % 2 == 0 ? slots : 0)
    var model: [Slot: Int] = [:]
    for step in 0..<6000 {
      let slot = Slot(generator.index(below: slots))
      run.reserve(slots: Int(slot) + 1)
      let priority = (10 * step + generator.index(below: disorder)) * slots + Int(slot)
      switch generator.index(below: 10) {
      case 0, 1, 2, 3:
        if model[slot] == nil {
          run.insert(slot, priority: priority)
          model[slot] = priority
        } else if priority >= run.priority(of: slot) {
          run.raise(slot, priority: priority)
          model[slot] = priority
        }
      case 4:
        guard let earlier = model[slot] else { continue }
        let lower = earlier - slots * generator.index(below: disorder)
        run.update(slot, priority: lower)
        model[slot] = lower
      case 5:
        if model[slot] == nil { continue }
        run.update(slot, priority: priority)
        model[slot] = priority
      case 6:
        if model[slot] == nil { continue }
        run.remove(slot)
        model[slot] = nil
      case 7 where step % 1000 == 999:
        run.removeAll()
        model = [:]
      default:
        guard let first = run.first() else {
          #expect(model.isEmpty, "seed \(seed)")
          continue
        }
        #expect(model[first] == model.values.min(), "seed \(seed), step \(step)")
        run.remove(first)
        model[first] = nil
      }
      #expect(run.count == model.count, "seed \(seed)")
    }
    #expect(Self.drain(&run) == model.values.sorted(), "seed \(seed)")
  }
}
