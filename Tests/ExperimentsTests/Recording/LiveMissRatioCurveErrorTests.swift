import Eviction
import EvictionCore
import RecordedTraces
import Requests
import SimulatedCounts
import Testing
import Traces

/// The distance of the estimates from an exact simulation, on recorded traces.
@Suite struct LiveMissRatioCurveErrorTests {
  /// The mean difference at sizes from 1 % to 50 % of the keys.
  private func error(_ trace: Trace, followedKeys: Int) throws -> Double {
    let curve = LiveMissRatioCurve(ratio: 0.5, followedKeys: followedKeys)
    let hashes = trace.keyHashes(seed: 42)
    for id in trace.ids where curve.observedKeys.contains(hashes[Int(id)]) {
      curve.cacheDid(.hit, keyHash: hashes[Int(id)], cost: 1)
    }
    #expect(curve.followed <= followedKeys && curve.ratio < 0.5)
    let stream = RequestStream(trace)
    let capacities = [1, 2, 5, 10, 20, 50].map { trace.distinct * $0 / 100 }
    let errors = try capacities.map { capacity in
      let exact = try simulate("lru", stream, capacity: capacity)
      let missRatio = 1 - Double(exact.hits) / Double(trace.requests)
      let estimate = try #require(
        curve.missRatio(atCapacity: capacity, gets: trace.requests))
      return abs(estimate - missRatio)
    }
    return errors.reduce(0, +) / Double(errors.count)
  }

  @Test(arguments: ["orders.txt.zst", "zipf.txt.zst"])
  func estimatesAreNearOnBundledTraces(_ name: String) throws {
    let trace = try WholeTraces.load(name, limit: 100_000)
    #expect(try error(trace, followedKeys: trace.distinct / 4) < 0.05)
  }

  @Test(.withPublicTraces)
  func estimatesAreNearOnAPublicTrace() throws {
    let trace = try WholeTraces.load("cloudPhysicsIO.txt")
    #expect(try error(trace, followedKeys: 8192) < 0.02)
  }

  @Test(.inReleaseBuilds, .withPublicTraces, arguments: ["OLTP.lis.zst", "P3.lis.zst"])
  func estimatesAreNearOnWholeTraces(_ name: String) throws {
    let trace = try WholeTraces.load(name)
    #expect(try error(trace, followedKeys: 8192) < 0.02)
    #expect(try error(trace, followedKeys: 2048) < 0.04)
  }
}
