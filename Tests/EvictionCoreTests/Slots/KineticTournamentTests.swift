import Eviction
import Testing

@Suite("Kinetic tournaments")
struct KineticTournamentTests {
  private struct Entry {
    var nextUse: Int
    var size: Int
  }

  /// Sizes whose products need 128 bits are compared by their order of magnitude beside small ones.
  @Test("The champion is the one a search finds", arguments: [1, 3, 1_000, 1 << 45])
  func agreesWithASearch(largest: Int) {
    for seed in 0..<20 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      var tournament = KineticTournament(slots: 40)
      var model: [Slot: Entry] = [:]
      for now in 0..<400 {
        // Who is used now gets another next use, or leaves.
        for (slot, entry) in model where entry.nextUse == now {
          tournament.remove(slot)
          model[slot] = nil
        }
        let slot = Slot(generator.index(below: 40))
        let nextUse = free(after: now, in: model, &generator)
        let size = 1 + generator.index(below: largest)
        if model[slot] == nil {
          tournament.insert(slot, nextUse: nextUse, size: size)
          model[slot] = Entry(nextUse: nextUse, size: size)
        } else if generator.index(below: 3) == 0 {
          tournament.changeSize(of: slot, by: size - model[slot]!.size)
          model[slot]!.size = size
        } else {
          tournament.update(slot, nextUse: nextUse)
          model[slot]!.nextUse = nextUse
        }
        if generator.index(below: 4) > 0 { continue }
        let best = model.max { worth($0.value, now) < worth($1.value, now) }?.key
        let champion = tournament.champion(at: now)
        if champion != best {
          Issue.record("seed \(seed), request \(now): \(champion ?? 99), not \(best ?? 99)")
          return
        }
        if let champion, generator.index(below: 2) == 0 {
          tournament.remove(champion)
          model[champion] = nil
        }
        #expect(tournament.count == model.count)
      }
      tournament.removeAll()
      #expect(tournament.count == 0 && tournament.champion(at: 400) == nil)
    }
  }

  private func worth(_ entry: Entry, _ now: Int) -> (UInt, UInt, Int) {
    let product = UInt(entry.nextUse - now).multipliedFullWidth(by: UInt(entry.size))
    return (product.high, product.low, entry.nextUse)
  }

  /// A next use that nobody has.
  private func free(
    after now: Int, in model: [Slot: Entry], _ generator: inout SplitMix64
  ) -> Int {
    while true {
      let candidate = now + 1 + generator.index(below: 1 + generator.index(below: 3_000))
      if !model.values.contains(where: { $0.nextUse == candidate }) { return candidate }
    }
  }
}
