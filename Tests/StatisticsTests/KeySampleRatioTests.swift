import Statistics
import Testing

@Suite struct KeySampleRatioTests {
  @Test func keysOfAHugeTraceAreAMean() throws {
    // Ten keys of ten requests, of which 1, 3, 5, 7 and 9 miss, twice each.
    let misses: [UInt32] = [1, 3, 5, 7, 9, 1, 3, 5, 7, 9]
    let ratio = KeySampleRatio(
      counts: misses, ofKeys: 1_000_000_000_000, requests: 10_000_000_000_000)
    let mean = try MeanInterval(misses.map { Double($0) / 10 }, of: .keySampling)
    #expect(abs(ratio.value - mean.mean) < 1e-12 && ratio.sampled == 10)
    #expect(abs(ratio.standardError - mean.standardError) < 1e-9)
    #expect(abs(ratio.interval().upperBound - mean.interval().upperBound) < 1e-8)
    #expect(ratio.estimand == .keySampling)
  }

  @Test func allKeysLeaveNothingOpen() {
    let ratio = KeySampleRatio(counts: Array(0..<10), ofKeys: 10, requests: 100)
    #expect(ratio.value == 0.45 && ratio.interval() == 0.45...0.45)
    #expect(KeySampleRatio(counts: [3], ofKeys: 1, requests: 4).interval() == 0.75...0.75)
  }

  @Test func hotKeyThatHitsDecidesNothing() {
    let ratio = KeySampleRatio(
      counts: [UInt32](repeating: 1, count: 100), ofKeys: 1_000, requests: 100_000)
    #expect(ratio.value == 0.01 && ratio.standardError == 0, "each key misses once")
  }

  @Test func oneKeyOfSeveralSaysNothing() {
    let ratio = KeySampleRatio(counts: [2], ofKeys: 10, requests: 40)
    #expect(ratio.value == 0.5 && ratio.interval() == 0...1)
  }
}
