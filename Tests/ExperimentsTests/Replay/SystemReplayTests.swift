import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import Requests
import Results
import Runner
import Systems
import Testing
import Traces

/// Systems are driven as caches are.
@Suite struct SystemReplayTests {
  private func replay(
    _ systems: [String], policies: [String] = ["lru"], on trace: Trace, capacity: Int,
    threads: [Int] = [1], settings: ExperimentPlan.Settings = .init(),
    folder: String? = nil
  ) throws -> [Results.Measurement] {
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse(policies), capacities: [.count(capacity)],
      settings: settings)
    var kind = ReplayExperiment(locks: [LockChoice(MutexLock.self)], threads: threads)
    kind.systems = try systems.map(SystemChoice.init(parsing:))
    if let folder { kind.folder = folder }
    let finished = try ExperimentRun(kind.rows(of: plan)).run()
    if let failure = finished.failure { throw failure }
    return finished.measurements
  }

  @Test func aKeyWithoutASizeIsHeldAsTheSmallest() throws {
    let trace = try TraceLoader.load(
      bytes: Array("key,op,size\na,get,0\na,get,0\nb,get,100\n".utf8), name: "m.csv",
      columns: [.sizes, .operations])
    #expect(try replay(["dictionary-lock"], on: trace, capacity: 10).map(\.hits) == [1, 1])
  }

  private var keys: [UInt64] {
    var random = SplitMix64(seed: 8)
    return (0..<3_000).map { _ in UInt64(random.index(below: 1 + random.index(below: 400))) }
  }

  /// The policies that a cache in memory takes and that a trace of keys alone runs: the others need the trace's
  /// future, times to live or lengths of keys.
  static let policies = RunnablePolicyEntry.catalog.filter {
    $0.needs.isSubset(of: [.keyHash])
      && (try? MemoryCache<Int, Int>.open(countLimit: 60, policy: $0.policy)) != nil
  }.map(\.information.name)

  @Test(arguments: policies)
  func memoryCacheHitsAsThePolicyDoes(policy: String) throws {
    let rows = try replay(
      ["memorycache:policy=\(policy)"], policies: [policy], on: .of(keys), capacity: 60)
    #expect(rows.map(\.replay?.system?.first) == [nil, "m"])
    #expect(rows[0].hits == rows[1].hits)
  }

  /// The hits of `memorycache` are those of the policy; on disk other hashes decide where hashes do.
  @Test(arguments: ["lru", "s3fifo", "arc", "wtinylfu", "slru"])
  func ownCacheHitsAsThePolicyDoes(policy: String) throws {
    let rows = try replay(
      ["memorycache:policy=\(policy)", "diskcache:policy=\(policy)"], policies: [policy],
      on: .of(keys), capacity: 60)
    #expect(rows.map(\.replay?.system?.first) == [nil, "m", "d"])
    #expect(rows.map(\.policy) == [policy, policy, policy])
    #expect(rows[0].hits == rows[1].hits && rows[0].hits > 0)
    if policy != "wtinylfu" { #expect(rows[0].hits == rows[2].hits) }
  }

  @Test func everySystemIsDrivenAndSaysWhatItTakes() throws {
    let names = SystemCatalog.all.map { $0.information.name }
    let rows = try replay(names, on: .of(keys), capacity: 60)
    #expect(rows.map(\.replay?.system) == [nil] + names)
    for row in rows.dropFirst() {
      let use = try #require(row.replay?.systemUse)
      let usesDisk =
        SystemCatalog.system(named: row.replay?.system ?? "")?.information.usesDisk == true
      #expect(usesDisk == (use.diskBytes != nil) && usesDisk == (use.files != nil))
      let misses = row.requests - row.hits
      #expect(use.bytesSet >= 8 * misses)
      let timed = row.replay?.latency?.get?.count ?? 0
      #expect(row.requests == 3_000 && timed > 0)
    }
    // Without limits only first requests miss.
    let unbounded = rows.filter { ["dictionary-lock", "fsfilecache"].contains($0.replay?.system) }
    let firsts = 3_000 - Set(keys).count
    #expect(unbounded.map(\.hits) == [firsts, firsts])
    let yycache = try #require(rows.first { $0.replay?.system == "yycache" })
    let acquisitions = yycache.replay?.contention?.acquisitions ?? 0
    #expect(yycache.replay?.lock == "pthread" && acquisitions > 3_000)
  }

  /// A minute on the trace's clock makes YYCache trim its disk.
  @Test func rulesOfTimeFollowTheTrace() throws {
    let distinct = (0..<200).map { UInt64($0) }
    func hits(secondsApart: Int64) throws -> Int {
      let times = (0..<400).map { Int64($0) * secondsApart * 1_000_000_000 }
      let trace = Trace.of(distinct + distinct, times: times)
      return try #require(try replay(["yycache"], on: trace, capacity: 10).last).hits
    }
    // All within a minute: nothing was trimmed. Else a tenth is left at most.
    #expect(try hits(secondsApart: 0) == 200)
    #expect(try hits(secondsApart: 61) < 20)
  }

  @Test func backgroundComesAtItsRequests() throws {
    let distinct = (0..<20).map { UInt64($0) }
    let trace = Trace.of(distinct + distinct)
    func hits(_ system: String) throws -> Int {
      try #require(try replay([system], on: trace, capacity: 4).last).hits
    }
    #expect(try hits("sdwebimage:memory=0:background=0") == 20)
    // The clean-up before the second half leaves one file, the last.
    #expect(try hits("sdwebimage:memory=0:background=20") < 20)
  }

  @Test func failureOfTheDiskIsOneLine() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/none-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: folder))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: (any Error).self) {
      try replay(["yycache"], on: .of([1, 2]), capacity: 5, folder: folder)
    }
  }

  @Test func sizesAreTheTraces() throws {
    let trace = Trace.of([1, 2, 1, 3], sizes: [100, 5_000, 100, 30_000])
    let rows = try replay(
      ["yycache"], on: trace, capacity: 1_000_000, settings: .init(isSized: true))
    let use = try #require(rows.last?.replay?.systemUse)
    #expect(use.bytesSet == 35_100 && use.files ?? 0 >= 2)
    #expect(use.diskBytes ?? 0 >= 30_000 && use.writeAmplification ?? 0 > 1)
  }
}
