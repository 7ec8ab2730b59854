import Testing

@Suite("Pannier by hand")
struct PannierTests {
  @Test("Objects that came together leave together")
  func wholeContainersLeave() throws {
    // [ab] [cd]; [ef] after ab left; g evicts cd
    let trace = "a b c d e f g"
    #expect(
      try outcome(of: "pannier:container=0.5", capacity: 4, trace) == ". . . . .ab . .cd")
  }

  @Test("A container with an access per object becomes hot")
  func accessesMakeHot() throws {
    // [ab] has one access, and is only more recent; with two it is hot
    #expect(
      try outcome(of: "pannier:container=0.5", capacity: 4, "a b c d a b e f g")
        == ". . . . + + .cd . .ef")
    // One access more is needed: [ab] is the more recent of the cold
    #expect(
      try outcome(of: "pannier:container=0.5:accesses=2", capacity: 4, "a b c d a b e f g")
        == ". . . . + + .cd . .ab")
  }

  @Test("Hot containers beyond their share are cold again")
  func hotIsBounded() throws {
    // [ab] and then [cd] are hot, at most 2 of 4: [ab] is cold
    let trace = "a b c d a b c d e"
    #expect(
      try outcome(of: "pannier:container=0.5", capacity: 4, trace) == ". . . . + + + + .ab")
  }

  @Test("Among the survivors the fewest accesses per object leave")
  func survivors() throws {
    // [cd] has an access. Cold, the least recent first: [ab] [ef] [cd], then [gh], then [ij].
    // If all of them go to the survival queue, [cd] outlives [gh].
    let trace = "a b c d e f c g h i j k"
    #expect(
      try outcome(of: "pannier:container=0.34:survival=1", capacity: 6, trace)
        == ". . . . . . + .ab . .ef . .gh")
    #expect(
      try outcome(of: "pannier:container=0.34:survival=0", capacity: 6, trace)
        == ". . . . . . + .ab . .ef . .cd")
  }

  @Test("A container holds its share of bytes, or one larger object")
  func sizes() throws {
    // 5 of 10: [a3] is closed for b3; [b3 c2] is full; e6 needs 4 more: [a3], [b3 c2]
    #expect(
      try outcome(of: "pannier:container=0.5", capacity: 10, "a3 b3 c2 e6") == ". . . .abc")
  }
}
