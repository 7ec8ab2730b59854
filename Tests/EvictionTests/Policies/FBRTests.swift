import Eviction
import Testing

@Suite("FBR by hand")
struct FBRTests {
  // Of 4: one new, one middle, two old.

  @Test("The lowest count of the old section leaves, the least recent among equals")
  func lowestCountOfTheOldSection() throws {
    // new | middle | old, least recent first, with counts above 1
    //   a b c d     d|c|ab
    //   a           a2|d|bc
    //   e           e|a2|cd      b leaves
    //   f           f|e|d a2     c leaves
    //   g           g|f|a2 e     d leaves
    //   h           h|g|a2 f     e leaves
    #expect(
      try outcome(of: "fbr", capacity: 4, "a b c d a e f g h") == ". . . . + .b .c .d .e")
  }

  @Test("Requests in the new section do not count")
  func burstsDoNotCount() throws {
    let trace = "a a a b c d e"
    #expect(try outcome(of: "fbr", capacity: 4, trace) == ". + + . . . .a")
    // without a new section a has 3
    #expect(try outcome(of: "fbr:new=0", capacity: 4, trace) == ". + + . . . .b")
  }

  @Test("Counts above Cmax are not told apart")
  func maximumCount() throws {
    // a has 3, b has 2; all is old
    let trace = "a a a b b c"
    #expect(try outcome(of: "fbr:new=0:old=1", capacity: 2, trace) == ". + + . + .b")
    #expect(try outcome(of: "fbr:new=0:old=1:cmax=1", capacity: 2, trace) == ". + + . + .a")
  }

  @Test("Counts are halved when their average exceeds Amax")
  func aging() throws {
    // a falls back to 1 each time, b too
    #expect(
      try outcome(of: "fbr:new=0:old=1:amax=1", capacity: 2, "a a a b b c") == ". + + . + .a")
  }

  @Test("Sections that take more than all are refused")
  func conflicts() {
    #expect(throws: PolicyError.self) {
      try outcome(of: "fbr:new=0.6:old=0.5", capacity: 4, "a")
    }
  }
}
