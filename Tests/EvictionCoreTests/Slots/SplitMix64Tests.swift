import Eviction
import Testing

@Suite("SplitMix64")
struct SplitMix64Tests {
  @Test("draws the published sequence")
  func publishedSequence() {
    var generator = SplitMix64(seed: 1_234_567)
    let published: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(published.map { _ in generator.next() } == published)
  }

  @Test("draws every index below a bound about equally often")
  func indicesAreUniform() {
    var generator = SplitMix64(seed: 1)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<14_000 { counts[generator.index(below: 7)] += 1 }
    // 2000 each; six standard deviations are about 250.
    #expect(counts.allSatisfy { abs($0 - 2_000) < 250 })
  }

  @Test("draws the only index below 1")
  func onlyIndex() {
    var generator = SplitMix64(seed: 1)
    #expect((0..<10).allSatisfy { _ in generator.index(below: 1) == 0 })
  }
}
