import Eviction
import Foundation
import Synchronization
import Testing

import Laboratory

@Suite struct RecordingPartsTests {
  @Test func keyedHashIsSipHash() {
    // The published vector of the eight bytes 0 … 7 under the key of the sixteen bytes 0 … 15.
    let keyed = KeyedHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
    #expect(keyed.hash(of: 0x0706_0504_0302_0100) == 0x93f5_f579_9a93_2462)
  }

  @Test func eventHoldsTheLargestCost() {
    for event in CacheAccess.allCases {
      let kept = EventRing.Event(event, keyHash: .max, cost: Int.max >> 8)
      #expect(kept.event == event && kept.cost == UInt64(Int.max >> 8) && kept.keyHash == .max)
    }
  }

  @Test func ringKeepsOrderAndCountsWhatItRefuses() {
    let ring = EventRing(capacity: 3)
    var seen: [UInt64] = []
    for key in 0..<6 { ring.append(EventRing.Event(.hit, keyHash: UInt64(key), cost: 0)) }
    ring.drain { event, place, count in
      #expect(place == seen.count && count == 4)
      seen.append(event.keyHash)
    }
    ring.append(EventRing.Event(.hit, keyHash: 9, cost: 0))
    ring.drain { event, _, _ in seen.append(event.keyHash) }
    #expect(seen == [0, 1, 2, 3, 9])
    #expect(ring.dropped == 2)
  }

  @Test func ringLosesNothingBetweenThreads() {
    let ring = EventRing(capacity: 64)
    let count: UInt64 = 5_000
    let isDone = Atomic(false)
    Thread.detachNewThread {
      for key in 0..<count {
        var dropped = ring.dropped
        ring.append(EventRing.Event(.hit, keyHash: key, cost: 1))
        while ring.dropped != dropped {
          sched_yield()
          dropped = ring.dropped
          ring.append(EventRing.Event(.hit, keyHash: key, cost: 1))
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
        isInOrder = isInOrder && event.keyHash == next
        next += 1
      }
    }
    #expect(isInOrder && next == count)
  }

  @Test func missAndItsSetAreOneGet() {
    var matcher = FillMatcher(bits: 2)
    func request(_ event: CacheAccess, _ key: UInt64, _ cost: Int = 0) -> FillMatcher.Request? {
      matcher.request(EventRing.Event(event, keyHash: key, cost: cost))
    }
    #expect(request(.miss, 1) == nil)
    #expect(request(.miss, 1) == nil)
    #expect(request(.insertion, 1, 5) == .init(operation: .get, size: 5))
    #expect(matcher.missesWithoutSet == 1)
    #expect(request(.insertion, 1, 6) == .init(operation: .set, size: 6))
    #expect(request(.insertion, 0, 6) == .init(operation: .set, size: 6))
    // 1 and 5 end alike, so that 1 waits no more.
    for key: UInt64 in [1, 2, 5] { #expect(request(.miss, key) == nil) }
    #expect(request(.insertion, 1, 7) == .init(operation: .set, size: 7))
    #expect(request(.insertion, 2, 7) == .init(operation: .get, size: 7))
    #expect(request(.insertion, 5, 7) == .init(operation: .get, size: 7))
    #expect(matcher.missesWithoutSet == 2)
  }
}
