import EvictionCore
import RecordedTraces
import Testing
import TraceAnalysis
import Traces

/// The rules of the one-line reading, on traces of each kind.
@Suite struct TraceReadingTests {
  private func reading(_ trace: Trace) throws -> TraceReading {
    var options = TraceProfile.Options()
    options.replicates = 0
    return try TraceProfile(trace, options: options).reading
  }

  @Test(
    arguments: [
      ("zipf:alpha=0.9:keys=2000:requests=30000", .zipf),
      ("zipf:alpha=0:keys=200:requests=30000", .uniform),
      ("zipf:alpha=0.5:keys=1e6:requests=20000", .oneHit),
      ("hotscan:hot=100:scan=5000:requests=30000", .scan),
    ] as [(String, TraceReading.Pattern)])
  func generatedTracesAreTold(_ generator: String, _ pattern: TraceReading.Pattern) throws {
    #expect(try reading(TraceGenerators.trace(generator)).pattern == pattern)
  }

  @Test func loopIsTold() throws {
    let loop = try reading(Trace.of((0..<3000).map { UInt64($0 * 7919 % 300) }))
    #expect(loop.pattern == .loop)
    #expect(loop.text == "loop of 300 keys: LRU will fail below that size")
  }

  @Test func loopOfTextsIsTold() throws {
    let text = (0..<3000).map { "key\($0 * 7919 % 300)\n" }.joined()
    let loop = try reading(TraceLoader.load(bytes: Array(text.utf8), name: "keys.txt"))
    #expect(loop.text == "loop of 300 keys: LRU will fail below that size")
  }

  @Test func textsThatComeInTheOrderOfTheLastTimeAreTold() throws {
    // Twenty rounds over twenty parts of fifty keys, the parts of each round in another order.
    let text = (0..<20).flatMap { round in
      (0..<20).flatMap { part in
        (0..<50).map { "part\((part * [3, 7, 9, 11, 13][round % 5] + round) % 20)/\($0)\n" }
      }
    }.joined()
    let reading = try reading(TraceLoader.load(bytes: Array(text.utf8), name: "keys.txt"))
    #expect(reading.pattern == .uniform)
    #expect(reading.text.hasSuffix("as in a loop: LRU may fail below its size"), "\(reading.text)")
    #expect(reading.text.contains(" of the requests come in the order of the last time"))
  }

  @Test func scanOfKeysThatNeverComeBackIsTold() throws {
    let keys = (0..<5000).map { (request: UInt64) -> UInt64 in
      request / 100 % 5 < 3 ? (request &* 2_654_435_761) >> 16 % 10 : 1000 + 13 * request
    }
    let scan = try reading(Trace.of(keys))
    #expect(scan.pattern == .scan)
    #expect(scan.text.hasPrefix("scan-heavy: "))
  }

  @Test func keysThatComeOnceAreTold() throws {
    #expect(try reading(Trace.of([4, 9, 2])).pattern == .once)
  }

  @Test func twoLevelsOfPopularityAreMixed() throws {
    // Half of the requests go to 10 keys, half to 500, in no order.
    var state: UInt64 = 1
    let keys = (0..<20_000).map { _ -> UInt64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let draw = state >> 33
      return draw % 2 == 0 ? draw / 2 % 10 * 3 : 1000 + draw / 2 % 500 * 3
    }
    #expect(try reading(Trace.of(keys)).pattern == .mixed)
  }

  @Test(.withPublicTraces) func publishedLoopIsTold() throws {
    let loop = try reading(WholeTraces.load("lirs-loop.trace.gz", limit: 20_000))
    #expect(loop.text == "loop of 1011 keys: LRU will fail below that size")
  }
}
