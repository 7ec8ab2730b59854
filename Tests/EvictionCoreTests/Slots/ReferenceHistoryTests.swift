import Eviction
import Testing

@Suite("Reference histories")
struct ReferenceHistoryTests {
  @Test("The latest K requests of each slot are kept, across growth", arguments: [1, 2, 3, 5])
  func latestRequestsAreKept(depth: Int) {
    var generator = SplitMix64(seed: UInt64(depth))
    var history = ReferenceHistory(depth: depth, slots: 2)
    var model: [[Int]] = [[], []]  // the latest last
    for number in 1...300 {
      if number % 50 == 0 {
        history.reserve(slots: model.count + 1)
        model.append([])
      }
      let slot = generator.index(below: model.count)
      if model[slot].isEmpty || generator.index(below: 8) == 0 {
        history.begin(Slot(slot), with: number)
        model[slot] = [number]
      } else {
        history.append(number, to: Slot(slot))
        model[slot].append(number)
      }
      for (slot, requests) in model.enumerated() {
        let oldest = requests.count < depth ? 0 : requests[requests.count - depth]
        #expect(history.latest(of: Slot(slot)) == requests.last ?? 0)
        #expect(history.oldest(of: Slot(slot)) == oldest)
      }
    }
  }
}
