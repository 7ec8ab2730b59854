import Testing
import Traces

@Suite struct RandomSourceTests {
  @Test func publishedValuesComeOut() {
    var random = RandomSource(state: (1, 2, 3, 4))
    let expected: [UInt64] = [
      11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
    ]
    #expect((0..<5).map { _ in random.next() } == expected)
    var state: UInt64 = 1_234_567
    let seeds: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
    ]
    #expect((0..<3).map { _ in RandomSource.split(&state) } == seeds)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 100, 255, 256, 1000, 4097] as [UInt64])
  func aPermutationMissesNothing(_ count: UInt64) {
    for seed in 0..<5 as Range<UInt64> {
      let permutation = Permutation(count: count, seed: seed)
      let images = (0..<count).map { permutation($0) }
      #expect(Set(images).count == Int(count) && images.allSatisfy { $0 < count })
      if count >= 1000 {
        let kept = zip(images, images.dropFirst()).count { $1 == $0 &+ 1 }
        #expect(kept < 20, "order shows through: \(kept) neighbours stay neighbours")
      }
    }
  }

  @Test func aPermutationHandlesTheLargestRanges() {
    for count in [UInt64.max, 1 << 63, 1 << 40] {
      let permutation = Permutation(count: count, seed: 1)
      #expect((0..<1000).allSatisfy { permutation($0) < count })
    }
  }
}
