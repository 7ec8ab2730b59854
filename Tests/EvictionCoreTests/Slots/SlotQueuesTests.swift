import Testing

import Eviction

@Suite("Queues of slots")
struct SlotQueuesTests {
  @Test("are first in, first out, and know their sums")
  func firstInFirstOut() {
    var queues = SlotQueues(count: 2, slots: 8)
    queues.append(5, to: .first, size: 10)
    queues.append(3, to: .first, size: 20, frequency: 2)
    queues.append(4, to: .second, size: 1)
    #expect(queues.front(of: .first) == 5)
    #expect(queues.count(of: .first) == 2)
    #expect(queues.size(of: .first) == 30)
    queues.moveFront(of: .first, to: .second, size: 10, frequency: 1)
    #expect(queues.owner(of: 5) == .second)
    #expect(queues.frequency(of: 5) == 1)
    #expect(queues.frequency(of: 3) == 2)
    #expect(queues.size(of: .second) == 11)
    queues.removeFront(of: .first, size: 20)
    #expect(queues.isEmpty(.first) && queues.front(of: .first) == nil)
    #expect(queues.owner(of: 3) == .none)
    queues.removeAll()
    #expect(queues.isEmpty(.second) && queues.owner(of: 5) == .none)
  }

  @Test("count references up to a limit")
  func referencesAreCapped() {
    var queues = SlotQueues(count: 3, slots: 1)
    queues.append(0, to: .init(3), size: 1)
    for _ in 0..<100 { queues.reference(0, atMost: 63) }
    #expect(queues.frequency(of: 0) == 63)
    #expect(queues.owner(of: 0).rawValue == 3)
    queues.setFrequency(of: 0, to: 1)
    queues.reference(0, atMost: 1)
    #expect(queues.frequency(of: 0) == 1)
  }

  @Test("move the hand off a slot that leaves, and from the newest to the oldest")
  func hand() {
    var queues = SlotQueues(count: 1, slots: 4)
    for slot in 0..<4 { queues.append(Slot(slot), to: .first, size: 1) }
    queues.advanceHand(of: .first)
    queues.advanceHand(of: .first)
    #expect(queues.slotAtHand(of: .first) == 2)
    queues.remove(2, size: 1)
    #expect(queues.slotAtHand(of: .first) == 3)
    queues.removeAtHand(of: .first, size: 1)
    #expect(queues.slotAtHand(of: .first) == 0)
    queues.remove(0, size: 1)
    #expect(queues.slotAtHand(of: .first) == 1)
    queues.advanceHand(of: .first)
    #expect(queues.slotAtHand(of: .first) == 1)
    queues.remove(1, size: 1)
    queues.append(3, to: .first, size: 1)
    #expect(queues.slotAtHand(of: .first) == 3)
  }

  @Test("keep order and hand when the rings are rebuilt", arguments: [20, 200])
  func randomOperations(slots: Int) {
    var generator = SplitMix64(seed: UInt64(slots))
    var queues = SlotQueues(count: 2, slots: slots / 2)
    queues.reserve(slots: slots)
    var plain: [[Slot]] = [[], []]
    var hand: Slot?
    for step in 0..<20_000 {
      let slot = Slot(generator.index(below: step % 2_000 < 1_000 ? slots : 10))
      let owner = plain.firstIndex { $0.contains(slot) }
      #expect(queues.owner(of: slot).rawValue == owner.map { UInt8($0 + 1) } ?? 0)
      if let owner {
        let index = plain[owner].firstIndex(of: slot)!
        if hand == slot { hand = index + 1 < plain[owner].count ? plain[owner][index + 1] : nil }
        plain[owner].remove(at: index)
        queues.remove(slot, size: 1)
      } else {
        let target = generator.index(below: 4) == 0 ? 1 : 0
        plain[target].append(slot)
        queues.append(slot, to: .init(UInt8(target + 1)), size: 1)
      }
      if !plain[0].isEmpty && generator.index(below: 3) == 0 {
        let index = plain[0].firstIndex(of: hand ?? plain[0][0])! + 1
        hand = index < plain[0].count ? plain[0][index] : nil
        queues.advanceHand(of: .first)
      }
      #expect(queues.front(of: .first) == plain[0].first)
      #expect(queues.count(of: .second) == plain[1].count)
      if let oldest = plain[0].first {
        #expect(queues.slotAtHand(of: .first) == hand ?? oldest)
      }
    }
    while let oldest = plain[0].first {
      #expect(queues.front(of: .first) == oldest)
      plain[0].removeFirst()
      queues.removeFront(of: .first, size: 1)
    }
    let isConsistent = queues.invariantsHold()
    #expect(isConsistent)
  }

  @Test("keep a slot's place good while others come and go, and the rings are rebuilt")
  func places() {
    var generator = SplitMix64(seed: 3)
    var queues = SlotQueues(count: 1, slots: 300)
    var plain: [Slot] = []
    var places: [Slot: SlotQueues.Place] = [:]
    for step in 0..<20_000 {
      let slot = Slot(generator.index(below: step % 4_000 < 2_000 ? 300 : 10))
      if let index = plain.firstIndex(of: slot) {
        plain.remove(at: index)
        queues.remove(at: places.removeValue(forKey: slot)!, of: .first, size: 1)
      } else {
        plain.append(slot)
        queues.append(slot, to: .first, size: 1, frequency: UInt8(slot % 4))
        places[slot] = queues.place(of: slot)
      }
      #expect(queues.oldestPlace(of: .first)?.slot == plain.first)
      if plain.isEmpty { continue }
      let index = generator.index(below: plain.count)
      let place = places[plain[index]]!
      let newer = queues.newer(than: place)
      #expect(newer?.slot == (index + 1 < plain.count ? plain[index + 1] : nil))
      let odd = queues.first(from: place, having: 1)
      #expect(odd?.slot == plain[index...].first { $0 % 2 == 1 })
    }
    let isConsistent = queues.invariantsHold()
    #expect(isConsistent)
    #expect(plain.count > 10)
  }

  @Test("use room in proportion to what they hold, however long they run")
  func ringsStaySmall() {
    var queues = SlotQueues(count: 1, slots: 1_000)
    for slot in 0..<1_000 { queues.append(Slot(slot), to: .first, size: 1) }
    let room = queues.room(of: .first)
    #expect(room <= 4_000)
    for step in 0..<100_000 {
      // The middle one leaves, as under SIEVE's hand.
      let slot = Slot(step &* 7 % 1_000)
      queues.remove(slot, size: 1)
      queues.append(slot, to: .first, size: 1)
    }
    #expect(queues.room(of: .first) <= 4_000)
  }
}

extension SlotQueues.ID {
  fileprivate static var second: SlotQueues.ID { SlotQueues.ID(2) }
}
