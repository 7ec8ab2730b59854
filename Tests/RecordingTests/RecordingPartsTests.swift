import Eviction
import EvictionCore
import Foundation
import Recording
import Testing

@Suite struct RecordingPartsTests {
  @Test func keyedHashIsSipHash() {
    // The published vector of the eight bytes 0 … 7 under the key of the sixteen bytes 0 … 15.
    let keyed = KeyedHash(key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
    #expect(keyed.hash(of: 0x0706_0504_0302_0100) == 0x93f5_f579_9a93_2462)
  }

  @Test func missAndItsSetAreOneGet() {
    var matcher = FillMatcher(bits: 2)
    func request(_ event: CacheAccess, _ key: UInt64, _ cost: Int = 0) -> FillMatcher.Request? {
      matcher.request(EventRing.Event(event, keyHash: key << 4, cost: cost))
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
