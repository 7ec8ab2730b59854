import Foundation
import RecordedTraces
import Testing
import TraceAnalysis
import Traces

/// Figures of the published traces, which others have counted, too.
@Suite(.withPublicTraces, .inReleaseBuilds) struct TraceAnalysisPublicTests {
  struct Expected: CustomTestStringConvertible {
    let file: String
    let requests: Int
    let distinct: Int
    let oneHitWonders: String
    let bytes: Int?

    init(_ file: String, _ requests: Int, _ distinct: Int, _ share: String, _ bytes: Int? = nil) {
      self.file = file
      self.requests = requests
      self.distinct = distinct
      oneHitWonders = share
      self.bytes = bytes
    }

    var testDescription: String { file }
  }

  static let table = [
    Expected("OLTP.lis.zst", 914_145, 186_880, "0.4598"),
    Expected("P2.lis.zst", 12_729_495, 913_347, "0.2496"),
    Expected("P3.lis.zst", 3_912_296, 762_543, "0.3805"),
    Expected("lirs-2_pools.trace.gz", 100_000, 9_939, "0.0295"),
    Expected("lirs-cpp.trace.gz", 9_047, 1_223, "0.7678"),
    Expected("lirs-loop.trace.gz", 505_500, 1_011, "0.0000"),
    Expected("lirs-multi1.trace.gz", 15_858, 2_606, "0.3511"),
    Expected("lirs-sprite.trace.gz", 133_996, 7_075, "0.2031"),
    Expected("cache2k-orm-busy.trace.xz", 5_000_000, 76_349, "0.1148"),
    Expected("cache2k-web12.trace.xz", 95_607, 13_756, "0.4512"),
    Expected("cloudphysics-w106.trace.xz", 5_292_456, 275_171, "0.3848"),
    Expected("scarab-recs.trace.xz", 1_245_184, 258_368, "0.4780"),
    Expected("corda-vaultservice.trace.gz", 135_702, 90_468, "0.5000"),
    Expected("address-gcc.trace.gz", 515_683, 35_070, "0.6083"),
    Expected("adaptsize-request.trace.xz", 66_987, 36_815, "0.8110", 485_457_552),
    Expected("cloudPhysicsIO.txt", 113_872, 48_974, "0.4298"),
    Expected("cloudPhysicsIO.csv", 113_872, 48_974, "0.4298", 4_205_978_112),
    Expected("cloudPhysicsIO.vscsi", 113_872, 48_974, "0.4298", 4_205_978_112),
    Expected("cloudPhysicsIO.oracleGeneral.bin", 113_872, 48_974, "0.4298", 4_368_040_448),
    Expected("mooncake-synthetic.jsonl", 121_877, 43_924, "0.5845"),
  ]

  @Test(arguments: table) func figuresAreThoseOfTheTable(_ expected: Expected) throws {
    let folder = try #require(WholeTraces.publicFolder)
    let trace = try TraceLoader.load(
      path: "\(folder)/\(expected.file)", columns: TraceProfile.columns)
    var options = TraceProfile.Options()
    options.replicates = 0
    let volume = try #require(try TraceProfile(trace, options: options)[Volume.self])
    #expect(volume.requests == expected.requests && volume.distinct == expected.distinct)
    #expect(String(format: "%.4f", volume.oneHitWonderRatio) == expected.oneHitWonders)
    if let bytes = expected.bytes { #expect(volume.bytes == bytes) }
    #expect(volume.distinctBytes == trace.distinctBytes)
  }
}
