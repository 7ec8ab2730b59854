import CacheReplay
import Eviction
import EvictionCore
import Experiments
import RecordedTraces
import Runner
import Testing
import Traces

@Suite struct ShardedReplayTests {
  private func session(
    _ policies: String, locks: [String], reads: [CacheReads] = [.strict], threads: [Int] = [1],
    capacity: Int = 100, requests: Int = 20_000
  ) throws -> ExperimentRun {
    let trace = try WholeTraces.load("orders.txt.zst", limit: requests)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse([policies]), capacities: [.count(capacity)])
    var conditions = ReplayConditions()
    conditions.sample = 1
    return try ExperimentRun(
      ReplayExperiment(
        locks: locks.map { try LockChoice(parsing: $0) }, reads: reads, threads: threads,
        conditions: conditions
      ).rows(of: plan))
  }

  @Test func oneThreadHitsAsTheSimulationHowItReads() throws {
    let cells = try session(
      "lru,arc,sieve", locks: ["mutex", "rwlock", "big-reader", "sharded:1:mutex"],
      reads: [.strict, .buffered]
    ).run().measurements
    #expect(cells.count == 3 * 4 * 2)
    for policy in ["lru", "arc", "sieve"] {
      let hits = Set(cells.filter { $0.policy == policy }.map(\.hits))
      #expect(hits.count == 1, "\(policy)")
    }
    #expect(Set(cells.compactMap(\.replay?.lock)).contains("sharded:1:mutex"))
    #expect(cells.compactMap(\.replay?.reads).filter { $0 == "buffered" }.count == 12)
  }

  @Test func shardsCostFewHitsAndEachHasAMeter() throws {
    let cells = try session("lru", locks: ["mutex", "sharded:4:mutex"]).run().measurements
    let whole = try #require(cells[0].hitRatio)
    let sharded = try #require(cells[1].hitRatio)
    #expect(abs(whole - sharded) < 0.05)
    let contention = try #require(cells[1].replay?.contention)
    let misses = cells[1].requests - cells[1].hits
    #expect(contention.shards.count == 4)
    #expect(contention.shards.reduce(0, +) == contention.acquisitions)
    #expect(contention.acquisitions == cells[1].requests + misses)
  }

  @Test(arguments: ["mutex", "rwlock", "big-reader", "sharded:4:barrier-queue"])
  func bufferedReadsAreCountedOnEveryThread(lock: String) throws {
    let cells = try session("arc", locks: [lock], reads: [.buffered], threads: [2])
      .run().measurements
    let cell = try #require(cells.first)
    #expect(cell.requests == 20_000)
    #expect(cell.replay?.latency?.get?.count == 20_000)
    // Each get and each set once, and a full buffer now and then; how many sets depends on who comes first.
    let acquisitions = try #require(cell.replay?.contention?.acquisitions)
    let sets = try #require(cell.replay?.latency?.set?.count)
    #expect(acquisitions >= 20_000 + sets * 9 / 10)
  }

  @Test func tooManyShardsAreRefused() throws {
    let finished = try session("lru", locks: ["sharded:16:mutex"], capacity: 10).run()
    #expect(finished.measurements.isEmpty)
    #expect(
      (finished.failure?.cause as? PolicyError)?.description
        == "lru: a capacity of 10 is too small for 16 shards; "
        + "give at most 10 shards or a capacity of 1 for each")
  }
}
