import Testing

@Suite("MQ by hand")
struct MQTests {
  @Test("The lowest queue gives up its head: frequency before recency")
  func lowestQueueFirst() throws {
    // a is in queue 1, b in queue 0
    #expect(try outcome(of: "mq", capacity: 2, "a a b c") == ". + . .b")
    // with one queue it is LRU
    #expect(try outcome(of: "mq:queues=1", capacity: 2, "a a b c") == ". + . .a")
  }

  @Test("Qout remembers frequencies")
  func historyCountsOn() throws {
    // a comes back with frequency 2, in queue 1: c leaves for d, d for e; else a leaves for e
    let trace = "a b c a d e"
    #expect(try outcome(of: "mq", capacity: 2, trace) == ". . .a .b .c .d")
    #expect(try outcome(of: "mq:ghosts=0", capacity: 2, trace) == ". . .a .b .c .a")
  }

  @Test("Room is made first, so that the newcomer's own victim may push it out of Qout")
  func victimPushesOutNewcomer() throws {
    // Qout holds one: b pushes out a, which comes back with frequency 1
    #expect(
      try outcome(of: "mq:ghosts=0.5", capacity: 2, "a b c a d e") == ". . .a .b .c .a")
  }

  @Test("An object that waits longer than its life time moves one queue down")
  func lifeTimesEnd() throws {
    // Life time 1: a enters queue 1 at time 1, and the tail of queue 0 at 3: ba, bac; b leaves for d and
    // a for e. Otherwise a stays in queue 1: b and c leave.
    let trace = "a a b c d e"
    #expect(try outcome(of: "mq:lifetime=0.34", capacity: 3, trace) == ". + . . .b .a")
    #expect(try outcome(of: "mq", capacity: 3, trace) == ". + . . .b .c")
  }
}
