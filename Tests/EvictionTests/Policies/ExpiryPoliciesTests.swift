import Eviction
import Testing

/// In workloads an object of a lives for 24 operations, of b 14, of c 39, of h 15, of i 14, of s 2.
@Suite("Policies that look at expiries, by hand")
struct ExpiryPoliciesTests {
  @Test("The soonest or the latest expiry leaves")
  func extremesLeave() throws {
    // a until 24, s until 3, c until 41, b until 17
    #expect(try outcome(of: "expire-soonest", capacity: 2, "a s c b") == ". . .s .a")
    #expect(try outcome(of: "expire-latest", capacity: 2, "a s c b") == ". . .a .c")
    // h and i until 15
    #expect(try outcome(of: "expire-soonest", capacity: 2, "h i a") == ". . .h")
    #expect(try outcome(of: "expire-latest", capacity: 2, "h i s") == ". . .h")
  }

  @Test("A read leaves the expiry as it is, a write may move it")
  func hitsWithAndWithoutExpiry() throws {
    func run<Policy: ReplacementPolicy & ~Copyable>(
      _ type: Policy.Type, _ expiries: [(Slot, Int64)]
    ) throws -> String {
      let requests = expiries.enumerated().map {
        Request(slot: $1.0, time: Int64($0), expiry: $1.1)
      }
      return try outcome(of: type, capacity: 2, requests)
    }
    let reads: [(Slot, Int64)] = [(0, 100), (1, 200), (0, .max), (2, 300)]
    #expect(try run(ExpireSoonest.self, reads) == ". . + .a")
    #expect(try run(ExpireLatest.self, reads) == ". . + .b")
    #expect(try run(TLRU.self, reads) == ". . + .b")
    let writes: [(Slot, Int64)] = [(0, 100), (1, 200), (0, 250), (2, 300)]
    #expect(try run(ExpireSoonest.self, writes) == ". . + .b")
    #expect(try run(ExpireLatest.self, writes) == ". . + .a")
    let never: [(Slot, Int64)] = [(0, .max), (1, 200), (2, .max), (3, .max)]
    #expect(try run(ExpireSoonest.self, never) == ". . .b .a")
    #expect(try run(ExpireLatest.self, never) == ". . .a .c")
    #expect(try run(TLRU.self, never) == ". . .a .b")
    // The read at 4 finds b expired, though it was used last; what comes expired is not admitted.
    let expired: [(Slot, Int64)] = [(0, 90), (1, 3), (0, .max), (1, .max), (2, 4), (2, 99)]
    #expect(try run(TLRU.self, expired) == ". . + + x .b")
  }

  @Test("TLRU: what has expired leaves before the least recently used")
  func expiredLeaveFirst() throws {
    // c until 39, s until 3, a until 26; b comes at 3
    #expect(try outcome(of: "tlru", capacity: 3, "c s a b") == ". . . .s")
    // s until 4: d comes at 3, e at 4
    #expect(try outcome(of: "tlru", capacity: 3, "c a s d e") == ". . . .c .s")
    // Two that have expired: k until 3, then s until 3, whose expiry was set later
    #expect(try outcome(of: "tlru", capacity: 4, "k s c d e f") == ". . . . .k .s")
    // A trim for nobody knows the time of the last request: s until 3, not yet over at 2
    #expect(try outcome(of: "tlru", capacity: 3, "c s a !") == ". . . _c")
    #expect(try outcome(of: "tlru", capacity: 3, "c s a c !") == ". . . + _s")
  }
}
