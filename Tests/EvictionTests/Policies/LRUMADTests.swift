import Eviction
import Testing

@Suite("LRU-MAD by hand")
struct LRUMADTests {
  @Test("What is requested in a burst stays longer than what is requested once")
  func bursts() throws {
    // Requests 1 and 2 of a in one window of 3: a delay of 3 + 2; b at 3: 3. At 4 c is fetched until 7: a has 5 / 5, b
    // 3 / 4.
    #expect(try outcome(of: "lru-mad:delay=3", capacity: 2, "a a b c") == ". + . .b")
    #expect(try outcome(of: "lru", capacity: 2, "a a b c") == ". + . .a")
  }

  @Test("The delays of several windows are a mean")
  func windows() throws {
    // Each request of a is a window of 1: a delay of 1. At 4, until 5: a has 1 / 3, b 1 / 2.
    #expect(try outcome(of: "lru-mad:delay=1", capacity: 2, "a a b c") == ". + . .a")
  }

  @Test("What has left begins anew")
  func leaving() throws {
    // b leaves at 4. At 5, until 8, a has 5 / 6, c 3 / 4. b's window begins at 5: at 7, until 10, it has 5 / 4, a 5 / 8.
    #expect(
      try outcome(of: "lru-mad:delay=3", capacity: 2, "a a b c b b d") == ". + . .b .c + .a")
  }

  @Test("Of equals the least recent leaves")
  func order() throws {
    #expect(try outcome(of: "lru-mad", capacity: 3, "a b c a d e") == ". . . + .b .c")
  }
}
