import Eviction
import Testing

@Suite("Pairs of slot links")
struct SlotLinkPairsTests {
  /// The lists as arrays, the front first.
  private struct Model {
    var stack: [Slot] = []
    var queue: [Slot] = []
    var otherQueue: [Slot] = []
  }

  @Test("The stack and the queues are as arrays would be", arguments: 0..<20 as Range<UInt64>)
  func listsAreArrays(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var links = SlotLinkPairs(count: 2, slots: 3)
    var model = Model()
    var slots = 3
    for step in 0..<400 {
      if step % 40 == 39 {
        slots += generator.index(below: 3)
        links.reserve(slots: slots)
      }
      if generator.index(below: 150) == 0 {
        links.removeAll()
        model = Model()
      }
      let slot = Slot(generator.index(below: slots))
      switch generator.index(below: 3) {
      case 0: move(slot, in: &links, .stack(1), &model.stack, &generator)
      case 1 where !model.otherQueue.contains(slot):
        move(slot, in: &links, .queue(1), &model.queue, &generator)
      default:
        if model.queue.contains(slot) { break }
        move(slot, in: &links, .queue(2), &model.otherQueue, &generator)
      }
      #expect(links.front(of: .stack(1)) == model.stack.first, "seed \(seed), step \(step)")
      #expect(links.back(of: .stack(1)) == model.stack.last, "seed \(seed), step \(step)")
      #expect(links.front(of: .queue(1)) == model.queue.first, "seed \(seed), step \(step)")
      #expect(links.back(of: .queue(1)) == model.queue.last, "seed \(seed), step \(step)")
      #expect(links.back(of: .queue(2)) == model.otherQueue.last, "seed \(seed), step \(step)")
    }
    while let oldest = model.stack.popLast() {
      #expect(links.back(of: .stack(1)) == oldest)
      links.remove(oldest, from: .stack(1))
    }
    #expect(links.front(of: .stack(1)) == nil)
  }

  /// Puts a slot that is not in the list at its front; takes out one that is, or moves it there.
  private func move(
    _ slot: Slot, in links: inout SlotLinkPairs, _ list: SlotLinkPairs.List,
    _ model: inout [Slot], _ generator: inout SplitMix64
  ) {
    guard let index = model.firstIndex(of: slot) else {
      links.prepend(slot, to: list)
      model.insert(slot, at: 0)
      return
    }
    model.remove(at: index)
    if generator.index(below: 2) == 0 {
      links.remove(slot, from: list)
    } else {
      links.moveToFront(slot, of: list)
      model.insert(slot, at: 0)
    }
  }
}
