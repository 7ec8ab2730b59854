import Foundation
import Testing
import Traces

@Suite struct TraceGeneratorsTests {
  @Test func aSeedGivesTheSameTraceForEver() throws {
    func fingerprint(_ text: String, _ seed: UInt64) throws -> UInt64 {
      let trace = try TraceGenerators.trace(text, seed: seed)
      return (0..<trace.requests).reduce(UInt64(0)) { sum, request in
        let key = trace.integerKey(of: trace.ids[request]) ?? 0
        return KeyHash.finish(sum ^ key) &+ UInt64(request)
      }
    }
    let zipf = "zipf:alpha=1.0:keys=1e4:requests=1e5"
    #expect(try fingerprint(zipf, 42) == 0x6604_BF54_1133_3310)
    #expect(try fingerprint(zipf, 42) != fingerprint(zipf, 43))
    #expect(try fingerprint("zipf:alpha=0.8:keys=1e4:requests=1e5", 42) == 0x60B0_C47C_4C7F_B637)
    #expect(try fingerprint("hotscan:requests=1e5", 42) == 0x4C31_C308_6AF7_A7AF)
  }

  @Test(arguments: ["0", "0.5", "0.9", "1", "1.2", "2.5"])
  func popularityFollowsZipfsLaw(_ alpha: String) throws {
    let exponent = try #require(Double(alpha))
    let ranks = 50
    let samples = 400_000
    let sampler = ZipfSampler(ranks: UInt64(ranks), alpha: exponent)
    var random = RandomSource(seed: 9)
    var counts = [Int](repeating: 0, count: ranks)
    for _ in 0..<samples { counts[Int(sampler.rank(&random)) - 1] += 1 }
    let weights = (1...ranks).map { power(Double($0), -exponent) }
    let total = weights.reduce(0, +)
    var chiSquare = 0.0
    for (count, weight) in zip(counts, weights) {
      let expected = weight / total * Double(samples)
      let difference = Double(count) - expected
      chiSquare += difference * difference / expected
    }
    // 49 degrees of freedom: 1 in 10 000 is above 95.
    #expect(chiSquare < 95)
  }

  private func power(_ base: Double, _ exponent: Double) -> Double {
    Foundation.pow(base, exponent)
  }

  @Test func zipfKeysStayInRangeAndPopularOnesAreScattered() throws {
    let trace = try TraceGenerators.trace("zipf:keys=1000:requests=200000")
    var counts = [Int](repeating: 0, count: trace.distinct)
    for id in trace.ids { counts[Int(id)] += 1 }
    let keys = (0..<trace.distinct).map { trace.integerKey(of: UInt32($0)) ?? .max }
    #expect(keys.allSatisfy { $0 < 1000 } && trace.distinct > 990)
    let popular = counts.indices.sorted { counts[$0] > counts[$1] }.prefix(20).map { keys[$0] }
    #expect(popular.contains { $0 >= 500 } && popular.contains { $0 < 500 })
    #expect(popular != popular.sorted())
  }

  @Test func oneKeyIsEnough() throws {
    let trace = try TraceGenerators.trace("zipf:keys=1:requests=10")
    #expect(trace.distinct == 1 && trace.integerKey(of: 0) == 0)
  }

  @Test func aHotSetAndAScanAreMixed() throws {
    let trace = try TraceGenerators.trace("hotscan:hot=10:scan=50:share=0.25:requests=10000")
    let keys = trace.ids.map { trace.integerKey(of: $0) ?? .max }
    #expect(abs(keys.count { $0 < 10 } - 2500) < 200)
    let scanned = keys.filter { $0 >= 10 }
    #expect(scanned.enumerated().allSatisfy { $1 == 10 + UInt64($0 % 50) })
  }

  @Test func columnsAreMadeWhenAskedFor() throws {
    let trace = try TraceGenerators.trace(
      "zipf:keys=10:requests=2500:size=64", columns: [.sizes, .times])
    #expect(trace.sizes?.allSatisfy { $0 == 64 } == true)
    #expect(trace.times?.last == 2_499_000_000)
  }

  @Test func wrongParametersAreRefused() {
    func text(_ specification: String) -> String {
      failure { () throws(TraceError) in _ = try TraceGenerators.trace(specification) }?
        .description ?? "none"
    }
    let known = TraceGenerators.all.map { $0.information.name }.joined(separator: ", ")
    #expect(text("normal") == "no trace generator is called “normal”; known are \(known)")
    #expect(
      text("hot-shift:keys=5:hot=6")
        == "hot-shift: a hot set of 6 is larger than all 5 keys; lower hot or raise keys")
    #expect(text("zipf:alpha=11") == "zipf: alpha=11 is out of range; give 0…10")
    #expect(
      text("zipf:beta=1")
        == "zipf has no parameter “beta”; it has alpha, keys, requests, size")
    #expect(
      text("hotscan:hot=0")
        == "hotscan: hot=0 is out of range; give a whole number 1…1099511627776")
  }
}
