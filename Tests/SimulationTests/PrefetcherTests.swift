import Conformance
import EvictionCore
import Foundation
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// The counts of prefetchers, by hand and before every policy.
@Suite struct PrefetcherTests {
  /// The counts of `policy` on gets of `keys`.
  private func counts(
    _ policy: String, capacity: Int, _ keys: [UInt64], hits: HitLog? = nil, warmup: Int = 0
  ) throws -> RequestCounts {
    try counts(policy, capacity: capacity, Trace.of(keys), hits: hits, warmup: warmup)
  }

  /// The counts of `policy` on a trace, of bytes where it has sizes, and of a policy that keeps its contract.
  func counts(
    _ policy: String, capacity: Int, _ trace: Trace, hits: HitLog? = nil, warmup: Int = 0,
    expires: Bool = false
  ) throws -> RequestCounts {
    let choice = try PolicyChoice.parse([policy])[0]
    let stream = RequestStream(trace, isSized: trace.sizes != nil, needs: choice.needs)
    var options = SimulationOptions(
      RunOptions(
        capacity: capacity, arguments: choice.arguments, warmup: warmup, expires: expires))
    options.hits = hits
    let account = SlotAccount(slots: trace.distinct)
    options.account = account
    let counts = try #require(try choice.entry.simulator.run(stream, options: options))
    #expect(account.breach == nil, "\(policy) \(capacity)")
    return counts
  }

  @Test func mithrilByHand() throws {
    // Two objects are missed together twice. Then 2 is fetched after 1: it is a hit, and was unused until then.
    let form =
      "lru:prefetch=mithril:prefetch.mining-threshold=4:prefetch.block=64KiB:prefetch.cycle-time="
    let run = try counts(form + "1", capacity: 2, [1, 2, 3, 4, 1, 2, 3, 4, 1, 2])
    let prefetched = try #require(run.prefetch)
    #expect(run.hits == 1 && prefetched.hits == 1 && prefetched.prefetches == 1)
    // Unused, it leaves for 6; with another cycle it enters again, and is a hit.
    let keys: [UInt64] = [1, 2, 3, 4, 1, 2, 3, 4, 1, 5, 6, 2]
    let once = try counts(form + "1", capacity: 2, keys)
    let again = try counts(form + "2", capacity: 2, keys)
    #expect(once.hits == 0 && once.prefetch?.prefetches == 1)
    #expect(again.hits == 1 && again.prefetch?.hits == 1 && again.prefetch?.prefetches == 1)
    #expect(again.prefetch?.fetches == 12)
    // So it is if it was fetched in the warm-up; but then it is no hit of a prefetch.
    let warm = try counts(form + "2", capacity: 2, keys, warmup: 9)
    #expect(warm.hits == 1 && warm.prefetch?.hits == 0)
  }

  @Test func aFullTableOfMithrilReplacesItsFirstPairs() throws {
    // Each pair is associated. Then the first of each is requested again.
    let pairs = (0..<2100).map { UInt64(2 * $0) }
    let keys = pairs.flatMap { [$0, $0 + 1, $0, $0 + 1] } + pairs
    let run = try counts(
      "lru:prefetch=mithril:prefetch.mining-threshold=4:prefetch.block=1MiB:prefetch.cycle-time=1",
      capacity: 1, keys)
    #expect(run.prefetch?.prefetches == 1998)
  }

  @Test func lookaheadByHand() throws {
    // Requests 1 2 3 4 and 1; after 3, a run of three, 4 is fetched, after 4 the key 5, which never comes: each takes the
    // place of the least recent of two.
    let log = HitLog(requests: 5)
    let policy = "lru:prefetch=obl:prefetch.run=2"
    let run = try counts(policy, capacity: 2, [1, 2, 3, 4, 1], hits: log)
    #expect((0..<5).map { log[$0] } == [false, false, false, true, false])
    let prefetched = try #require(run.prefetch)
    #expect(prefetched.prefetches == 2 && prefetched.hits == 1 && prefetched.fetches == 6)
    #expect(prefetched.pollution == 0 && prefetched.accuracy == 0.5)
    // 2 left for the prefetch of 4.
    let polluted = try counts(policy, capacity: 2, [1, 2, 3, 2])
    #expect(polluted.prefetch?.pollution == 1)
  }

  /// Every policy that can be told of objects that nobody requested runs with each prefetcher, and one that never
  /// proposes anything changes no hit.
  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name))
  func everyPolicyRuns(_ policy: String) throws {
    let keys: [UInt64] = (0..<3_000).map { (index: UInt64) in
      index % 7 == 0 ? index % 90 : index / 2 % 250
    }
    let known: RequestNeeds = [.keyHash, .time, .cost]
    let needs = try PolicyChoice.parse([policy])[0].needs
    if needs.isSubset(of: known) {
      let alone = try counts(policy, capacity: 60, keys)
      let silent = try counts("\(policy):prefetch=pg:prefetch.threshold=1", capacity: 60, keys)
      #expect(silent.hits == alone.hits && silent.evictions == alone.evictions)
      for prefetcher in PrefetcherCatalog.all.map({ $0.information.name }) {
        let run = try counts("\(policy):prefetch=\(prefetcher)", capacity: 60, keys)
        let prefetched = try #require(run.prefetch)
        #expect(prefetched.fetches == keys.count - run.hits + prefetched.prefetches)
        #expect(prefetched.hits <= min(run.hits, prefetched.prefetches))
      }
    } else if needs.isDisjoint(with: [.expiry, .keyLength]) {
      #expect(throws: PolicyError.self) {
        try counts("\(policy):prefetch=obl", capacity: 60, keys)
      }
    }
  }

  /// The same with sizes, times to live, costs, and requests that write and remove.
  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name))
  func everyPolicyRunsWithSizes(_ policy: String) throws {
    var generator = SplitMix64(seed: 11)
    var (keys, times, sizes): ([UInt64], [Int64], [UInt64]) = ([], [], [])
    var operations: [TraceOperation] = []
    for index in 0..<3_000 {
      keys.append(UInt64(index % 7 == 0 ? generator.index(below: 90) : index / 2 % 250))
      times.append(Int64(index) * 1_000)
      sizes.append(UInt64(generator.index(below: index % 50 == 0 ? 9_000 : 300)))
      let kind = generator.index(below: 30)
      operations.append(kind == 0 ? .delete : kind == 1 ? .set : kind == 2 ? .touch : .get)
    }
    let ttls = keys.map { Int64($0 % 5) * 150_000 }
    let choice = try PolicyChoice.parse([policy])[0]
    let known: RequestNeeds = [.keyHash, .time, .cost]
    guard choice.needs.isSubset(of: known) else { return }
    let plain = Trace.of(keys, sizes: sizes, times: times)
    let mixed = Trace.of(
      keys, sizes: sizes, times: times, operations: operations, ttls: ttls,
      costs: keys.map { Double($0 % 9) })
    let alone = try counts(policy, capacity: 8_000, plain)
    let silent = try counts("\(policy):prefetch=pg:prefetch.threshold=1", capacity: 8_000, plain)
    #expect(silent.hits == alone.hits && silent.evictions == alone.evictions)
    #expect(silent.byteHits == alone.byteHits && silent.rejections == alone.rejections)
    for prefetcher in ["obl:prefetch.run=1", "pg:prefetch.memory=1", "mithril:prefetch.memory=1"] {
      for (trace, expires) in [(plain, false), (mixed, false), (mixed, true)] {
        let run = try counts(
          "\(policy):prefetch=\(prefetcher)", capacity: 8_000, trace, expires: expires)
        let prefetched = try #require(run.prefetch)
        let bytes = try #require(prefetched.bytes)
        #expect(prefetched.fetches == run.requests - run.hits + prefetched.prefetches)
        #expect(prefetched.hits <= min(run.hits, prefetched.prefetches))
        #expect(bytes.requested == run.bytes && bytes.useful <= bytes.prefetched)
        #expect(bytes.fetched == run.bytes - run.byteHits + bytes.prefetched)
      }
    }
  }

  @Test func whatIsFetchedHasTheSizeOfItsLatestRequest() throws {
    // 3 is fetched after 2, with the 30 bytes of its first request; 4, which never comes, with those of 3.
    let policy = "lru:prefetch=obl:prefetch.run=1"
    let first = try counts(policy, capacity: 100, Trace.of([1, 2, 3], sizes: [10, 20, 30]))
    var bytes = try #require(first.prefetch?.bytes)
    #expect(first.hits == 1 && first.byteHits == 30)
    #expect(bytes.prefetched == 60 && bytes.useful == 30 && bytes.useless == 30)
    #expect(bytes.fetched == 90 && bytes.requested == 60 && bytes.accuracy == 0.5)
    // 3 was larger once than it is when it comes again, and does not fit any more.
    let keys: [UInt64] = [3, 1, 2, 3]
    let latest = try counts(policy, capacity: 50, Trace.of(keys, sizes: [45, 20, 20, 10]))
    bytes = try #require(latest.prefetch?.bytes)
    #expect(latest.hits == 1 && bytes.prefetched == 55 && bytes.useful == 45)
    // What is larger than the cache is not fetched.
    let large = try counts(policy, capacity: 40, Trace.of(keys, sizes: [45, 20, 20, 10]))
    #expect(large.prefetch?.prefetches == 1 && large.prefetch?.bytes?.prefetched == 10)
  }

  @Test func whatIsFetchedLivesFromItsFetchOn() throws {
    // 3 is over at 2 seconds; at 4 it is fetched, and over at 6.
    let policy = "lru:prefetch=obl:prefetch.run=1"
    let second = Int64(1_000_000_000)
    for (time, hits) in [(Int64(5), 1), (7, 0)] {
      let trace = Trace.of(
        [3, 1, 2, 3], times: [0, 3 * second, 4 * second, time * second],
        ttls: [2 * second, 50 * second, 50 * second, 0])
      #expect(try counts(policy, capacity: 5, trace, expires: true).hits == hits)
    }
  }

  @Test func whatWasRemovedIsNotFetched() throws {
    let policy = "lru:prefetch=obl:prefetch.run=1"
    let keys: [UInt64] = [3, 3, 1, 2, 3]
    let removed = Trace.of(keys, operations: [.get, .delete, .get, .get, .get])
    #expect(try counts(policy, capacity: 5, removed).prefetch?.prefetches == 1)
    // A write is no use of what was fetched, and no request.
    let written = Trace.of([1, 2, 3, 3], operations: [.get, .get, .set, .get])
    let run = try counts(policy, capacity: 5, written)
    #expect(run.requests == 3 && run.hits == 1)
    #expect(run.prefetch?.prefetches == 2 && run.prefetch?.hits == 0)
  }

  @Test func aPrefetchOfTheWarmUpIsNotCounted() throws {
    // 4 is fetched after 3, and requested after the warm-up; then 5 is fetched, and requested.
    let policy = "lru:prefetch=obl:prefetch.run=2"
    let run = try counts(policy, capacity: 4, [1, 2, 3, 4, 5], warmup: 3)
    let prefetched = try #require(run.prefetch)
    #expect(run.requests == 2 && run.hits == 2)
    #expect(prefetched.hits == 1 && prefetched.prefetches == 2)
  }

  @Test func noneIsNoPrefetcher() throws {
    let run = try counts("lru:prefetch=none", capacity: 2, [1, 2, 1, 3, 2])
    #expect(run.hits == 1 && run.prefetch == nil)
  }

  @Test func everyFileIsRegistered() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Requests/Prefetchers")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardized.path)
    let registered = PrefetcherCatalog.all.map { "\($0).swift" }
    #expect(registered.sorted() == files.sorted())
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let keys: [UInt64] = [1, 2, 3]
    #expect(throws: PolicyError.self) {
      try counts("lru:prefetch=obl:admission=bloom", capacity: 2, keys)
    }
    for text in ["prefetch=nonsense", "prefetch.run=3", "prefetch=obl:prefetch.range=3"] {
      #expect(throws: PolicyError.self) { try PolicyChoice.parse(["lru:" + text]) }
    }
    let sized = Trace.of(keys, sizes: [1, 1, 1])
    #expect(throws: PolicyError.self) {
      try counts("lru:prefetch=pg:prefetch.block=4KiB", capacity: 2, sized)
    }
  }
}
