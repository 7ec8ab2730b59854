import Eviction
import EvictionTesting
import Parameters
import Testing

@Suite("Segcache by hand")
struct SegcacheTests {
  @Test("Merging keeps what was requested, and forgets how often")
  func merging() throws {
    // Segments of 2, hits as numbers.
    //   a … h     a b   c d   e f   g h
    //   a b c     a1 b1 c1 d  e f   g h
    //   i         a b   c1 d  e f   g h    a and b stay: nothing is free
    //             c d   e f   g h   i      merged again: a and b leave, and after a segment of which
    //                                      nothing stays the next stays as a whole
    #expect(
      try outcome(of: "segcache:segments=4", capacity: 8, "a b c d e f g h a b c i")
        == ". . . . . . . . + + + .ab")
  }

  @Test("What is larger than a segment is refused")
  func largeObject() throws {
    #expect(try outcome(of: "segcache:segments=4", capacity: 8, "a3 b2") == "x .")
  }

  @Test("A segment whose time is over is emptied at the next miss")
  func expiry() throws {
    let keys = Array(0..<26)
    let short = try #require(keys.first { Workload.timeToLive(of: $0) < 8 })
    let long = try #require(keys.first { Workload.timeToLive(of: $0) >= 16 })
    let workload = Workload(
      capacity: 8, keys: 26,
      operations: [short, long, short].map { .request(key: $0, size: 1) })
    func events(_ text: String) throws -> [CacheEvent] {
      let arguments = try Specification(parsing: text)
        .arguments(for: Segcache.information.parameters)
      var driver = try PolicyDriver<Segcache>(workload, arguments: arguments)
      for index in workload.operations.indices { driver.perform(index) }
      #expect(driver.run.violation == nil)
      return driver.run.events
    }
    // The bucket of times to live below 8 expires after 1.
    #expect(
      try events("segcache:segments=4:resolution=1")
        == [.admitted(short), .evicted(short), .admitted(long), .admitted(short)])
    // In seconds, nothing expires within three nanoseconds.
    #expect(
      try events("segcache:segments=4") == [.admitted(short), .admitted(long), .hit(short)])
  }
}
