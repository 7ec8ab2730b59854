import Statistics
import Testing

@Suite struct KeySampleRatioTests {
  @Test func equalKeysAreAMean() throws {
    // Ten keys of ten requests: hit ratios 0.1, 0.3, …, twice each.
    let hits = [1, 3, 5, 7, 9, 1, 3, 5, 7, 9]
    let ratio = try KeySampleRatio(
      hits: hits, requests: [Int](repeating: 10, count: 10), rate: 1e-9)
    let mean = try MeanInterval(hits.map { Double($0) / 10 }, of: .keySampling)
    #expect(abs(ratio.value - mean.mean) < 1e-12 && ratio.effectiveKeys == 10)
    #expect(abs(ratio.standardError - mean.standardError) < 1e-9)
    #expect(abs(ratio.interval().upperBound - mean.interval().upperBound) < 1e-8)
    #expect(ratio.estimand == .keySampling)
  }

  @Test func allKeysLeaveNothingOpen() throws {
    let ratio = try KeySampleRatio(
      hits: Array(0..<10), requests: [Int](repeating: 10, count: 10), rate: 1)
    #expect(ratio.interval() == ratio.value...ratio.value)
  }

  @Test func aHotKeyLeavesFewEffectiveOnes() throws {
    let requests = [100_000] + [Int](repeating: 1, count: 1_000)
    let ratio = try KeySampleRatio(hits: requests.map { $0 - 1 }, requests: requests, rate: 0.1)
    #expect(ratio.effectiveKeys < 1.1)
    // One degree of freedom: 12.7 standard errors instead of two.
    #expect(ratio.value - ratio.interval().lowerBound > 12 * ratio.standardError)
  }

  @Test func wrongSamplesAreRefused() {
    let ten = [Int](repeating: 4, count: 10)
    let error = #expect(throws: StatisticsError.self) {
      try KeySampleRatio(hits: [5] + ten.dropFirst(), requests: ten, rate: 0.5)
    }
    #expect(
      error?.description
        == "the number of hits of key 1 is 5.0; it has 4 requests, and needs one or "
        + "more, and no more hits")
    #expect(throws: StatisticsError.self) {
      try KeySampleRatio(hits: ten, requests: [0] + ten.dropFirst(), rate: 0.5)
    }
    #expect(throws: StatisticsError.self) {
      try KeySampleRatio(hits: [1], requests: [1], rate: 0.5)
    }
    #expect(throws: StatisticsError.self) {
      try KeySampleRatio(hits: ten, requests: [1], rate: 0.5)
    }
  }
}
