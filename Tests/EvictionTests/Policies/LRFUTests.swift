import Testing

@Suite("LRFU by hand")
struct LRFUTests {
  @Test("λ says whether three old requests are worth more than two new ones")
  func spectrum() throws {
    // Requests 1, 2, 3 are a's, 4 and 5 are b's. Sums of 2^(λt):
    // λ = 0: a 3, b 2. λ = 0.1: a 1.07 + 1.15 + 1.23 = 3.45, b 1.32 + 1.41 = 2.73.
    // λ = 0.5: a 1.41 + 2 + 2.83 = 6.24, b 4 + 5.66 = 9.66. λ = 1: a 2 + 4 + 8 = 14, b 16 + 32 = 48.
    let trace = "a a a b b c"
    #expect(try outcome(of: "lrfu:lambda=0", capacity: 2, trace) == ". + + . + .b")
    #expect(try outcome(of: "lrfu:lambda=0.1", capacity: 2, trace) == ". + + . + .b")
    #expect(try outcome(of: "lrfu:lambda=0.5", capacity: 2, trace) == ". + + . + .a")
    #expect(try outcome(of: "lrfu:lambda=1", capacity: 2, trace) == ". + + . + .a")
  }

  @Test("λ = 1 is LRU, also where a sum of many requests is rounded up to the next power")
  func lambdaOneIsLRU() throws {
    // 60 requests of a sum up to 2^61 − 2, which a double rounds to 2^61; b's one request is 2^61.
    let trace = String(repeating: "a ", count: 60) + "b c"
    #expect(try outcome(of: "lrfu:lambda=1", capacity: 2, trace).hasSuffix("+ . .a"))
  }

  @Test("Among equals the least recently used leaves")
  func ties() throws {
    #expect(try outcome(of: "lrfu:lambda=0", capacity: 2, "a b b a c") == ". . + + .b")
  }
}
