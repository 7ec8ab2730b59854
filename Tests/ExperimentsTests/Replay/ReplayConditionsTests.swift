import AllocationCounter
import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Foundation
import RecordedTraces
import Requests
import Results
import Runner
import Synchronization
import Testing
import Traces

/// The requests of threads, the cost of a miss, and the precision of the look.
@Suite struct ReplayConditionsTests {
  private typealias Finished =
    @Sendable (CellKey, ReplayExperiment.Histograms) throws(TraceError) -> Void

  private func session(
    _ trace: Trace, policies: String = "lru", capacity: Int = 10, threads: [Int] = [1],
    repetitions: Int = 1, _ change: (inout ReplayConditions) -> Void = { _ in },
    finished: @escaping Finished = { _, _ in }
  ) throws -> ExperimentRun {
    var conditions = ReplayConditions()
    change(&conditions)
    let plan = try ExperimentPlan(
      traces: [trace], policies: PolicyChoice.parse([policies]), capacities: [.count(capacity)])
    var experiment = ReplayExperiment(
      locks: [LockChoice(MutexLock.self)], threads: threads, conditions: conditions,
      repetitions: .exactly(repetitions))
    experiment.finished = finished
    return try ExperimentRun(experiment.rows(of: plan))
  }

  @Test func keysBelongToOneThread() throws {
    var conditions = ReplayConditions()
    conditions.division = .keys
    let keys = (0..<2_000).map { UInt64($0 % 97) }
    let cache = FakeCache()
    let outcome = try cache.replay(.of(keys), threads: 3, conditions: conditions)
    #expect(outcome.counts.requests == 2_000)
    // The bare pass and the last one have threads of their own.
    for calls in [cache.calls.prefix(2_000), cache.calls.suffix(2_000)] {
      #expect(Set(calls.map(\.thread)).count == 3)
      for key in 0..<UInt32(97) {
        #expect(Set(calls.filter { $0.key == key }.map(\.thread)).count == 1)
      }
    }
    let owners = (0..<UInt32(97)).map { ReplayDivision.thread(of: $0, of: 3) }
    #expect(Set(owners) == [0, 1, 2])
  }

  @Test func copiesMakeAsManyRequestsAsThereAreThreads() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 5_000)
    let session = try session(trace, threads: [1, 3]) { $0.division = .copies }
    let requests = Mutex(0)
    let measurements = session.run { progress in
      requests.withLock { $0 = progress.requests }
    }.measurements
    let total = requests.withLock { $0 }
    #expect(measurements.map(\.requests) == [5_000, 15_000])
    #expect(measurements.map { $0.replay?.latency?.get?.count } == [5_000, 15_000])
    #expect(measurements.map(\.replay?.division) == [.copies, .copies])
    // A pass for each instrument.
    #expect(total == 3 * 5_000 + 3 * 15_000)
  }

  @Test func penaltyLiesBetweenTheGetAndTheSet() throws {
    for wait in MissPenalty.Wait.allCases {
      var conditions = ReplayConditions()
      conditions.missPenalty = MissPenalty(nanoseconds: 200_000, wait: wait)
      let cache = FakeCache(hits: false)
      let outcome = try cache.replay(.of([1, 2, 3]), conditions: conditions)
      let calls = cache.calls
      #expect(
        calls.map(\.isSet) == [false, true, false, true, false, true] + calls[6...].map(\.isSet))
      for (get, set) in zip(calls, calls.dropFirst()) where set.isSet {
        #expect(set.time - get.time >= 200_000)
      }
      #expect(outcome.seconds >= 3 * 200e-6)
      // The penalty is no part of the lookup: a fill is the lookup, the penalty and the set.
      let (miss, set) = (try #require(outcome.latency.miss), try #require(outcome.latency.set))
      let fill = try #require(outcome.latency.fill)
      #expect(miss.count == 3 && set.count == 3 && fill.count == 3)
      #expect(fill.mean >= miss.mean + 200_000 + set.mean)
      #expect(outcome.latency.get == miss)
    }
  }

  @Test func oneRequestInSoManyIsTimed() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 20_000)
    let measurement = try #require(try session(trace) { $0.sample = 10 }.run().measurements.first)
    let latency = try #require(measurement.replay?.latency)
    #expect(latency.sample == 10)
    #expect(measurement.requests == 20_000)
    #expect((1_800...2_200).contains(latency.get?.count ?? 0))
    // Each of them is one of a hit or of a miss with its set.
    #expect((latency.hit?.count ?? 0) + (latency.set?.count ?? 0) == latency.get?.count)
  }

  @Test(arguments: [(19_999, 1), (20_000, 2), (39_999, 3), (900_000, 16)], [0, 50_000])
  func ofLongTracesFewerAreTimed(counted: (requests: Int, sample: Int), warmup: Int) throws {
    let keys = (0..<warmup + counted.requests).map { UInt64($0 % 97) }
    let outcome = try ReplayedCache(work: {}).replay(.of(keys), warmup: warmup)
    #expect(outcome.latency.sample == counted.sample)
    let timed = try #require(outcome.latency.get?.count)
    let isWhole = counted.sample == 1
    let expected = counted.requests / counted.sample
    #expect(isWhole ? timed == expected : abs(timed - expected) < expected / 10)
  }

  @Test func samplesHaveNoPeriod() {
    var sampler = Sampler(oneIn: 4, seed: 1)
    let chosen = (0..<4_000).filter { _ in sampler.choosesNext() }
    #expect((900...1_100).contains(chosen.count))
    for phase in 0..<4 { #expect(chosen.count { $0 % 4 == phase } > 150) }
    var all = Sampler(oneIn: 1, seed: 1)
    #expect((0..<100).filter { _ in all.choosesNext() }.count == 100)
  }

  @Test func repetitionsAreMergedAndHaveIntervals() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 1_000)
    let seen = Mutex<[[String]]>([])
    let measurements = try session(
      trace, policies: "lru,arc", repetitions: 4,
      finished: { _, histograms in seen.withLock { $0.append(histograms.map(\.name)) } }
    ).run().measurements
    let names = seen.withLock { $0 }
    #expect(measurements.map(\.policy) == ["lru", "arc"])
    let timed = ["get", "hit", "miss", "set", "fill", "hold"]
    #expect(names == [timed, timed])
    for measurement in measurements {
      #expect(measurement.requests == 1_000)
      let replay = try #require(measurement.replay)
      #expect(replay.latency?.get?.count == 4_000)
      let repetitions = try #require(replay.repetitions)
      #expect(repetitions.count == 4)
      // One thread hits the same every time, which has no interval.
      #expect(
        repetitions.figures.map(\.name)
          == ["requestsPerSecond", "contendedRatio"]
          + ["get", "hit", "miss", "set", "fill"].flatMap {
            ["\($0).p50", "\($0).p99", "\($0).p999"]
          })
      for figure in repetitions.figures {
        let median = try #require(figure.median)
        let values = figure.values.sorted()
        #expect(values.count == 4 && (values[1]...values[2]).contains(median))
        // Too few for an interval of 95 %.
        #expect(figure.interval == nil)
      }
      #expect(repetitions["requestsPerSecond"]?.median == measurement.requestsPerSecond)
    }
  }

  @Test func cutSeparatesColdFromPostFill() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 8_000)
    let whole = try #require(try session(trace, capacity: 100).run().measurements.first)
    let fill = try #require(ReplayCut.fill.place(in: RequestStream(trace), capacity: 100))
    for (cut, cold) in [(ReplayCut.requests(3_000), 3_000), (.fill, fill)] {
      let measurement = try #require(
        try session(trace, capacity: 100) { $0.cut = cut }.run().measurements.first)
      let parts = try #require(measurement.replay?.cut)
      let after = try #require(parts.postFill)
      #expect(parts.cold.requests == cold)
      #expect(parts.cold.requests + after.requests == 8_000)
      #expect(parts.cold.hits + after.hits == whole.hits)
      #expect(measurement.hits == whole.hits)
      #expect(parts.cold.get?.count == parts.cold.requests)
    }
  }

  @Test func fillIsWhereTheCapacityIsExceeded() {
    let stream = RequestStream(Trace.of([1, 2, 1, 3, 4, 1, 5], sizes: [2, 3, 2, 4, 1, 2, 1]))
    #expect(ReplayCut.fill.place(in: stream, capacity: 3) == 5)
    #expect(ReplayCut.fill.place(in: stream, capacity: 5) == nil)
    let sized = RequestStream(
      Trace.of([1, 2, 1, 3, 4, 1, 5], sizes: [2, 3, 2, 4, 1, 2, 1]), isSized: true)
    #expect(ReplayCut.fill.place(in: sized, capacity: 5) == 4)
  }

  @Test func cacheThatIsNotFullAtTheCutHasNoPostFillFigures() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 2_000)
    let measurement = try #require(
      try session(trace, capacity: 1_000) { $0.cut = .requests(500) }.run().measurements.first)
    let cut = try #require(measurement.replay?.cut)
    #expect(cut.cold.requests == 500)
    #expect(cut.postFill == nil)
  }

  @Test func openLoopIsNotCut() throws {
    // A sleep is never shorter than asked for, so that these bounds hold on any machine: the k-th request
    // ends after k services and was meant to start after k − 1 distances.
    var conditions = ReplayConditions()
    conditions.arrivals = .uniform
    conditions.cut = .requests(120)
    let outcome = try FakeCache(pause: 1_000_000).replay(
      .of((0..<240).map { $0 }), pace: .rate(1_200), conditions: conditions)
    let response = try #require(outcome.response)
    #expect(response.whole.count == 240)
    for (quarter, median) in response.quarters.enumerated() {
      #expect(Double(median) >= Double(quarter * 60) * (1e6 - 1e9 / 1_200))
    }
    // What is counted is cut: that is of the bare pass.
    let cut = try #require(outcome.cut)
    #expect(cut.cold.requests == 120 && cut.cold.hits == 120 && cut.cold.get == nil)
  }

  @Test func processorTimeIsThatOfAllThreads() throws {
    var conditions = ReplayConditions()
    conditions.measuresResources = true
    let spin = 0.002
    let cache = ReplayedCache {
      let end = Self.processorSeconds + spin
      while Self.processorSeconds < end {}
    }
    let outcome = try cache.replay(
      .of((0..<20).map { $0 }), threads: 2, conditions: conditions)
    #expect(try #require(outcome.resources).cpuSeconds >= 20 * spin)
  }

  /// The time that this thread has spent on processors.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The allocations of the loop itself, which exist in debug builds only, are the difference's base.
  @Test(.enabled(if: allocations_are_counted()))
  func allocationsAreThoseOfTheRequests() throws {
    // What is made only once is made before.
    _ = try allocations(each: 1, of: 500)
    let counts = try [0, 1, 4].map { try allocations(each: $0, of: 500) }
    #expect(counts.map { $0 - counts[0] } == [0, 500, 2_000])
  }

  /// Returns the allocations of a run of `requests` requests, each of which makes `each`.
  private func allocations(each: Int, of requests: Int) throws -> Int {
    var conditions = ReplayConditions()
    conditions.measuresResources = true
    // For a pass of each instrument.
    let blocks = Blocks(capacity: 3 * requests * each)
    let cache = ReplayedCache { for _ in 0..<each { blocks.allocate() } }
    let outcome = try cache.replay(.of((0..<UInt64(requests)).map { $0 }), conditions: conditions)
    return try #require(outcome.resources?.allocations)
  }

  /// Memory that is kept until the end, so that no compiler leaves its allocation out.
  private final class Blocks: @unchecked Sendable {
    private var blocks: [UnsafeMutableRawPointer] = []

    init(capacity: Int) { blocks.reserveCapacity(capacity) }

    deinit { for block in blocks { block.deallocate() } }

    func allocate() { blocks.append(.allocate(byteCount: 64, alignment: 8)) }
  }

  @Test func resourcesAreOfTheRun() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 20_000)
    let measurement = try #require(
      try session(trace, capacity: 1_000) { $0.measuresResources = true }.run().measurements.first)
    let resources = try #require(measurement.replay?.resources)
    #expect((resources.allocations != nil) == allocations_are_counted())
    #if os(Linux)
      #expect(resources.peakMemory != nil)
    #endif
  }

  @Test func shardsAreCountedApart() throws {
    let trace = Trace.of([1, 2, 3, 1, 1, 1])
    let stream = RequestStream(trace, needs: .keyHash)
    let plan = try #require(try PolicyChoice.parse(["lru"]).first)
    var options = ReplayOptions(
      run: RunOptions(capacity: 10, arguments: plan.arguments), lock: SpinLock.self)
    options.shards = 3
    let replay = ReplayPasses(stream: stream, options: options) { lock in
      let locks = [lock(), lock(), lock()]
      return ReplayedCache(
        value: { key in
          locks[Int(key.id)].withLock {}
          return key.id
        },
        set: { _, _, _, _ in }, removeValue: { _ in }, cost: { _ in nil }, setCost: { _, _ in },
        statistics: { CacheStatistics() })
    }
    let outcome = replay.run { _ in true }
    let contention = try #require(outcome).contention
    #expect(contention.acquisitions == 6)
    #expect(contention.shards == [4, 1, 1])
    #expect(contention.shardSkew == 2)
  }
}
