import Foundation
import TestConditions
import Testing
import Traces

/// The table of public traces, read from the folder that `EVICTIONLAB_TRACES` names.
@Suite(.enabled(if: isOptimized, "whole traces need a release build: swift test -c release"))
struct PublicTracesTests {
  struct Expected: CustomTestStringConvertible {
    let file: String
    let format: String
    let requests: Int
    let distinct: Int
    let oneHitWonders: String
    var bytes: UInt64?
    var testDescription: String { file }
  }

  static let table = [
    Expected(
      file: "OLTP.lis.zst", format: "lis", requests: 914_145, distinct: 186_880,
      oneHitWonders: "0.4598"),
    Expected(
      file: "P2.lis.zst", format: "lis", requests: 12_729_495, distinct: 913_347,
      oneHitWonders: "0.2496"),
    Expected(
      file: "P3.lis.zst", format: "lis", requests: 3_912_296, distinct: 762_543,
      oneHitWonders: "0.3805"),
    Expected(
      file: "lirs-2_pools.trace.gz", format: "plain", requests: 100_000, distinct: 9939,
      oneHitWonders: "0.0295"),
    Expected(
      file: "lirs-cpp.trace.gz", format: "plain", requests: 9047, distinct: 1223,
      oneHitWonders: "0.7678"),
    Expected(
      file: "lirs-loop.trace.gz", format: "plain", requests: 505_500, distinct: 1011,
      oneHitWonders: "0.0000"),
    Expected(
      file: "lirs-multi1.trace.gz", format: "plain", requests: 15858, distinct: 2606,
      oneHitWonders: "0.3511"),
    Expected(
      file: "lirs-sprite.trace.gz", format: "plain", requests: 133_996, distinct: 7075,
      oneHitWonders: "0.2031"),
    Expected(
      file: "cloudPhysicsIO.txt", format: "plain", requests: 113_872, distinct: 48974,
      oneHitWonders: "0.4298"),
    Expected(
      file: "cloudPhysicsIO.csv", format: "csv", requests: 113_872, distinct: 48974,
      oneHitWonders: "0.4298", bytes: 4_205_978_112),
    Expected(
      file: "cloudPhysicsIO.oracleGeneral.bin", format: "oracleGeneral", requests: 113_872,
      distinct: 48974, oneHitWonders: "0.4298", bytes: 4_368_040_448),
    Expected(
      file: "adaptsize-request.trace.xz", format: "webcachesim", requests: 66987,
      distinct: 36815, oneHitWonders: "0.8110", bytes: 485_457_552),
    Expected(
      file: "mooncake-synthetic.jsonl", format: "mooncake", requests: 121_877, distinct: 43924,
      oneHitWonders: "0.5845"),
    // Counted by a few lines of Python, nested runs included.
    Expected(
      file: "weka-0001.json.xz", format: "weka", requests: 76127, distinct: 5119,
      oneHitWonders: "0.5540"),
    Expected(
      file: "weka-0002.json.xz", format: "weka", requests: 23559, distinct: 1539,
      oneHitWonders: "0.0130"),
    Expected(
      file: "weka-0003.json.xz", format: "weka", requests: 749_712, distinct: 37200,
      oneHitWonders: "0.3481"),
    Expected(
      file: "weka-0004.json.xz", format: "weka", requests: 319_344, distinct: 11756,
      oneHitWonders: "0.0728"),
    Expected(
      file: "cache2k-orm-busy.trace.xz", format: "binary", requests: 5_000_000, distinct: 76349,
      oneHitWonders: "0.1148"),
    Expected(
      file: "cache2k-web12.trace.xz", format: "binary", requests: 95607, distinct: 13756,
      oneHitWonders: "0.4512"),
    Expected(
      file: "cloudphysics-w106.trace.xz", format: "binary", requests: 5_292_456,
      distinct: 275_171, oneHitWonders: "0.3848"),
    Expected(
      file: "scarab-recs.trace.xz", format: "binary", requests: 1_245_184, distinct: 258_368,
      oneHitWonders: "0.4780"),
    Expected(
      file: "corda-vaultservice.trace.gz", format: "binary", requests: 135_702, distinct: 90468,
      oneHitWonders: "0.5000"),
    Expected(
      file: "cloudPhysicsIO.vscsi", format: "vscsi", requests: 113_872, distinct: 48974,
      oneHitWonders: "0.4298", bytes: 4_205_978_112),
    Expected(
      file: "address-gcc.trace.gz", format: "address", requests: 515_683, distinct: 35070,
      oneHitWonders: "0.6083"),
    Expected(
      file: "ragpulse-trace.jsonl", format: "ragpulse", requests: 71583, distinct: 21857,
      oneHitWonders: "0.8463"),
  ]

  /// The folder, or nil, and then the tests below are reported as skipped.
  static let folder = ProcessInfo.processInfo.environment["EVICTIONLAB_TRACES"]

  @Test(
    .enabled(if: folder != nil, "EVICTIONLAB_TRACES names no folder of public traces"),
    arguments: table)
  func countsAreThoseOfTheTable(_ expected: Expected) throws {
    let path = try #require(Self.folder) + "/" + expected.file
    let trace = try TraceLoader.load(path: path, columns: .sizes)
    #expect(trace.name == expected.file)
    #expect(trace.format == expected.format)
    #expect(trace.requests == expected.requests)
    #expect(trace.distinct == expected.distinct)
    #expect(trace.sizes.map { $0.reduce(0, &+) } == expected.bytes)
    var counts = [UInt8](repeating: 0, count: trace.distinct)
    trace.ids.withUnsafeBufferPointer { ids in
      for id in ids where counts[Int(id)] < 2 { counts[Int(id)] += 1 }
    }
    let share = Double(counts.count { $0 == 1 }) / Double(trace.distinct)
    #expect(String(format: "%.4f", share) == expected.oneHitWonders)
  }

  @Test(.enabled(if: folder != nil, "EVICTIONLAB_TRACES names no folder of public traces"))
  func oneWorkloadIsTheSameInEveryFormat() throws {
    let folder = try #require(Self.folder)
    let traces = try [".txt", ".csv", ".oracleGeneral.bin", ".vscsi"].map {
      suffix throws(TraceError) in
      try TraceLoader.load(path: folder + "/cloudPhysicsIO" + suffix)
    }
    for trace in traces {
      #expect(ids(trace) == ids(traces[0]))
      #expect(Array(trace.keyHashes()) == Array(traces[0].keyHashes()))
    }
  }

  @Test(.enabled(if: folder != nil, "EVICTIONLAB_TRACES names no folder of public traces"))
  func theStructNotationReadsWhatVSCSIReads() throws {
    let path = try #require(Self.folder) + "/cloudPhysicsIO.vscsi"
    let named = try TraceLoader.load(
      path: path, format: "binary:format=<IIIHHQQ:key=6:size=2:time=7:unit=us:op=4:ops=scsi",
      columns: .all)
    let detected = try TraceLoader.load(path: path, columns: .all)
    #expect(ids(named) == ids(detected))
    #expect(named.columns == [.sizes, .times, .operations] && named.columns == detected.columns)
    #expect(named.sizes.map(Array.init) == detected.sizes.map(Array.init))
    #expect(named.times.map(Array.init) == detected.times.map(Array.init))
    #expect(named.operations.map(Array.init) == detected.operations.map(Array.init))
  }

  @Test(.enabled(if: folder != nil, "EVICTIONLAB_TRACES names no folder of public traces"))
  func filesAreOneTraceOneAfterTheOther() throws {
    let folder = try #require(Self.folder)
    let paths = [".txt", ".csv", ".oracleGeneral.bin"].map { folder + "/cloudPhysicsIO" + $0 }
    let trace = try TraceLoader.load(paths: paths)
    let one = try TraceLoader.load(path: paths[0])
    #expect(trace.requests == 3 * 113_872 && trace.distinct == 48974)
    #expect(ids(trace) == ids(one) + ids(one) + ids(one))
  }

  @Test(.enabled(if: folder != nil, "EVICTIONLAB_TRACES names no folder of public traces"))
  func digestsAreThoseOfTheFolder() throws {
    let folder = try #require(Self.folder)
    let sums = try String(contentsOfFile: folder + "/SHA256SUMS", encoding: .utf8)
    for line in sums.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: true)
      let file = parts[1].drop { $0 == "*" }
      guard FileManager.default.fileExists(atPath: folder + "/" + file) else { continue }
      #expect(try TraceLoader.sha256(ofFile: folder + "/" + file) == parts[0], "\(file)")
    }
  }
}
