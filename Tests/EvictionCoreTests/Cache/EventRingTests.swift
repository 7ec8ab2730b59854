import EvictionCore
import Foundation
import Synchronization
import Testing

@Suite struct EventRingTests {
  @Test func eventsComeOutAsTheyWentIn() {
    let ring = EventRing(capacity: 64)
    var events: [EventRing.Event] = []
    for event in CacheAccess.allCases {
      for cost in event == .miss ? [0] : [0, 1, 2, EventRing.Event.mostCost] {
        events.append(
          EventRing.Event(event, keyHash: .max &- UInt64(events.count) << 4, cost: cost))
      }
    }
    for event in events { ring.append(event) }
    var seen: [EventRing.Event] = []
    ring.drain { event, _, _ in seen.append(event) }
    #expect(seen == events)
    #expect(seen[0].keyHash == UInt64.max & ~0xF)
    #expect(EventRing.Event(.insertion, keyHash: 0, cost: .max).cost == 1 << 40)
  }

  @Test func everyWordIsSomeEvent() {
    for number in UInt64(0)..<16 {
      let event = EventRing.Event(word: 0xAB0 | number) { 7 }
      #expect(event.event == CacheAccess(rawValue: UInt8(number / 2)) ?? .removal)
      #expect(event.keyHash == 0xAB0)
    }
  }

  @Test func ringKeepsOrderAndCountsWhatItRefuses() {
    let ring = EventRing(capacity: 4)
    var seen: [UInt64] = []
    func append(_ key: UInt64, cost: Int = 1) {
      ring.append(EventRing.Event(.hit, keyHash: key << 4, cost: cost))
    }
    func drain(words: Int) {
      var place = 0
      ring.drain { event, first, count in
        #expect(first == place && count == words)
        place += event.cost == 1 ? 1 : 2
        seen.append(event.keyHash >> 4)
      }
    }
    for key in 0..<6 { append(UInt64(key)) }
    drain(words: 4)
    append(9)
    drain(words: 1)
    // An event of two words has no room beside three.
    for key: UInt64 in 10...12 { append(key) }
    append(13, cost: 5)
    append(14)
    drain(words: 4)
    append(15, cost: 5)
    append(16, cost: 5)
    append(17)
    drain(words: 4)
    #expect(seen == [0, 1, 2, 3, 9, 10, 11, 12, 14, 15, 16])
    #expect(ring.dropped == 4)
  }

  @Test func ringLosesNothingBetweenThreads() {
    let ring = EventRing(capacity: 64)
    let count: UInt64 = 5_000
    let isDone = Atomic(false)
    Thread.detachNewThread {
      for key in 0..<count {
        let event = EventRing.Event(.hit, keyHash: key << 4, cost: Int(key % 3))
        var dropped = ring.dropped
        ring.append(event)
        while ring.dropped != dropped {
          sched_yield()
          dropped = ring.dropped
          ring.append(event)
        }
      }
      isDone.store(true, ordering: .releasing)
    }
    var next: UInt64 = 0
    var isInOrder = true
    var wasDone = false
    while !wasDone {
      wasDone = isDone.load(ordering: .acquiring)
      ring.drain { event, _, _ in
        isInOrder = isInOrder && event.keyHash == next << 4 && event.cost == next % 3
        next += 1
      }
    }
    #expect(isInOrder && next == count)
  }
}
