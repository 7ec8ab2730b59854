import EvictionCore
import Parameters
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// Misses that take time, against plain models over keys, and the bound of latencies against every choice of victims.
@Suite struct DelayTests {
  private struct Run {
    var hits = 0
    var byteHits = 0
    var evictions = 0
    var latency = LatencyMeasures()
    var isHit: [Bool] = []
  }

  private func run(
    _ policy: String, capacity: Int, _ trace: Trace, _ delay: MissDelay, warmup: Int = 0
  ) throws -> Run {
    let choice = try PolicyChoice.parse([policy])[0]
    let stream = RequestStream(
      trace, isSized: trace.sizes != nil, needs: choice.needs, warmup: warmup)
    var options = SimulationOptions(
      RunOptions(capacity: capacity, arguments: choice.arguments, warmup: warmup))
    options.run.delay = delay
    let (log, hits) = (LatencyLog(delay), HitLog(requests: trace.requests))
    (options.latencies, options.hits) = (log, hits)
    let counts = try #require(try choice.entry.simulator.run(stream, options: options))
    let latency = log.measures
    #expect(counts.requests == counts.hits + latency.delayedHits + latency.misses)
    return Run(
      hits: counts.hits, byteHits: counts.byteHits, evictions: counts.evictions, latency: latency,
      isHit: (0..<trace.requests).map { hits[$0] })
  }

  /// Keys of which some come in bursts, and times of which some are equal.
  private func trace(_ generator: inout SplitMix64, most: Int = 200) -> (
    keys: [UInt64], times: [Int64]
  ) {
    let kinds = generator.index(below: 30) + 2
    var (key, time) = (UInt64(0), Int64(0))
    var (keys, times): ([UInt64], [Int64]) = ([], [])
    for _ in 0..<generator.index(below: most) + 1 {
      if generator.index(below: 2) == 0 { key = UInt64(generator.index(below: kinds)) }
      time += Int64(generator.index(below: 4))
      keys.append(key)
      times.append(time)
    }
    return (keys, times)
  }

  /// The latency of each request, where `requests` tells what becomes of the requests of a fetch that has ended, and
  /// which keys are resident.
  private func model(
    _ keys: [UInt64], _ times: [Int64], delay: Int64, resident: () -> [UInt64],
    hit: (UInt64, Int64) -> Void, enter: (UInt64, Int64) -> Void
  ) -> [Int64] {
    var fetches: [(key: UInt64, ends: Int64, times: [Int64])] = []
    var latencies: [Int64] = []
    func end(_ now: Int64) {
      while let first = fetches.first, first.ends <= now {
        fetches.removeFirst()
        enter(first.key, first.times[0])
        for time in first.times.dropFirst() { hit(first.key, time) }
      }
    }
    for (key, time) in zip(keys, times) {
      end(time)
      if resident().contains(key) {
        hit(key, time)
        latencies.append(0)
      } else if let place = fetches.firstIndex(where: { $0.key == key }) {
        fetches[place].times.append(time)
        latencies.append(fetches[place].ends - time)
      } else {
        fetches.append((key, time + delay, [time]))
        latencies.append(delay)
        end(time)
      }
    }
    return latencies
  }

  private func expect(_ run: Run, _ latencies: [Int64], _ note: String) {
    let sorted = latencies.sorted().map { Int($0) }
    #expect(run.latency.total == sorted.reduce(0, +), "\(note)")
    #expect(run.latency.p50 == sorted[(sorted.count + 1) / 2 - 1], "\(note)")
    let rank = (99 * sorted.count + 99) / 100
    #expect(run.latency.p99 == sorted[rank - 1], "\(note)")
  }

  @Test func listsAreTheirModels() throws {
    var generator = SplitMix64(seed: 6)
    for number in 0..<200 {
      let (keys, times) = trace(&generator)
      let capacity = generator.index(below: 12) + 1
      let delay = Int64(generator.index(below: 20))
      for policy in ["lru", "fifo"] {
        // The next victim first.
        var queue: [UInt64] = []
        let latencies = model(
          keys, times, delay: delay, resident: { queue },
          hit: { key, _ in
            if policy == "lru", let place = queue.firstIndex(of: key) {
              queue.append(queue.remove(at: place))
            }
          },
          enter: { key, _ in
            if queue.count == capacity { queue.removeFirst() }
            queue.append(key)
          })
        let run = try run(policy, capacity: capacity, Trace.of(keys, times: times), .time(delay))
        expect(run, latencies, "\(policy) \(number)")
      }
    }
  }

  @Test func listsWithSizesAreTheirModels() throws {
    var generator = SplitMix64(seed: 12)
    for number in 0..<200 {
      let (keys, times) = trace(&generator)
      let capacity = generator.index(below: 900) + 1
      let delay = Int64(generator.index(below: 20))
      let sizes = keys.map { _ in
        generator.index(below: (generator.index(below: 9) == 0 ? capacity : capacity / 4) + 2)
      }
      for policy in ["lru", "fifo"] {
        // The next victim first. A fetch brings the size that its miss told.
        var queue: [(key: UInt64, size: Int)] = []
        var told: [UInt64: Int] = [:]
        var index = 0
        var byteHits = 0
        let latencies = model(
          keys, times, delay: delay,
          resident: {
            // Asked once for each request, after the fetches that are over.
            let key = keys[index]
            if queue.contains(where: { $0.key == key }) {
              byteHits += sizes[index]
            } else if told[key] == nil {
              told[key] = sizes[index]
            }
            index += 1
            return queue.map(\.key)
          },
          hit: { key, _ in
            if policy == "lru", let place = queue.firstIndex(where: { $0.key == key }) {
              queue.append(queue.remove(at: place))
            }
          },
          enter: { key, _ in
            let size = told.removeValue(forKey: key)!
            if size > capacity { return }
            while queue.reduce(size, { $0 + $1.size }) > capacity { queue.removeFirst() }
            queue.append((key, size))
          })
        let trace = Trace.of(keys, sizes: sizes.map { UInt64($0) }, times: times)
        let run = try run(policy, capacity: capacity, trace, .time(delay))
        expect(run, latencies, "\(policy) \(number)")
        #expect(run.byteHits == byteHits, "\(policy) \(number)")
      }
    }
  }

  @Test func sieveIsItsModel() throws {
    var generator = SplitMix64(seed: 7)
    for number in 0..<200 {
      let (keys, times) = trace(&generator)
      let capacity = generator.index(below: 12) + 1
      let delay = Int64(generator.index(below: 20))
      // The oldest first; the hand is a key, or nil for the oldest.
      var queue: [UInt64] = []
      var visited: Set<UInt64> = []
      var hand: UInt64?
      let latencies = model(
        keys, times, delay: delay, resident: { queue },
        hit: { key, _ in if queue.contains(key) { visited.insert(key) } },
        enter: { key, _ in
          if queue.count == capacity {
            var place = hand.flatMap { queue.firstIndex(of: $0) } ?? 0
            while visited.remove(queue[place]) != nil { place = (place + 1) % queue.count }
            hand = place + 1 < queue.count ? queue[place + 1] : nil
            queue.remove(at: place)
          }
          queue.append(key)
        })
      let run = try run("sieve", capacity: capacity, Trace.of(keys, times: times), .time(delay))
      expect(run, latencies, "\(number)")
    }
  }

  @Test func aggregateDelaysAreTheirModel() throws {
    var generator = SplitMix64(seed: 8)
    for number in 0..<200 {
      let (keys, times) = trace(&generator)
      let capacity = generator.index(below: 12) + 1
      let delay = Int64(generator.index(below: 20) + 1)
      // In the order of the policy's array; the requests of each since it entered.
      var residents: [(key: UInt64, times: [Int64])] = []
      var now = Int64.min
      func rank(_ times: [Int64]) -> (Double, Int64) {
        var (windows, start, sum) = (0.0, Int64(0), 0.0)
        for time in times {
          if windows == 0 || time - start >= delay { (windows, start) = (windows + 1, time) }
          sum += Double(delay - (time - start))
        }
        return (sum / windows / Double(max(1, now - times.last!)), times.last!)
      }
      let latencies = model(
        keys, times, delay: delay, resident: { residents.map(\.key) },
        hit: { key, time in
          now = max(now, time)
          if let place = residents.firstIndex(where: { $0.key == key }) {
            residents[place].times.append(time)
          }
        },
        enter: { key, time in
          now = max(now, time + delay)
          if residents.count == capacity {
            let ranks = residents.map { rank($0.times) }
            let victim = ranks.indices.min { ranks[$0] < ranks[$1] }!
            residents[victim] = residents[residents.count - 1]
            residents.removeLast()
          }
          residents.append((key, [time]))
        })
      let run = try run("lru-mad", capacity: capacity, Trace.of(keys, times: times), .time(delay))
      expect(run, latencies, "\(number)")
    }
  }

  @Test func latenciesByHand() throws {
    // A miss of 1 at 0 ends at 10: a wait of 6 at 4, and of 1 at 9. At 10 it is resident.
    let keys: [UInt64] = [1, 1, 1, 1, 2, 1]
    let trace = Trace.of(keys, times: [0, 4, 9, 10, 11, 30])
    let run = try run("lru", capacity: 1, trace, .time(10))
    #expect(run.isHit == [false, false, false, true, false, false])
    #expect(run.latency.delayedHits == 2 && run.latency.misses == 3)
    #expect(run.latency.total == 10 + 6 + 1 + 0 + 10 + 10)
    // By requests, each takes one: of 1 at 0 until 3.
    let counted = try self.run("lru", capacity: 1, Trace.of(keys), .requests(3))
    #expect(counted.latency.total == 3 + 2 + 1 + 0 + 3 + 0)
  }

  /// A miss that takes no time is a sweep's, to the last hit and eviction.
  @Test(arguments: RunnablePolicyEntry.catalog.map(\.information.name), [false, true])
  func noDelayIsASweep(_ policy: String, isSized: Bool) throws {
    let keys: [UInt64] = (0..<3_000).map { (index: UInt64) in
      index % 7 == 0 ? index % 90 : index / 2 % 250
    }
    let needs = try PolicyChoice.parse([policy])[0].needs
    if !needs.isDisjoint(with: [.expiry, .keyLength]) { return }
    let sizes = keys.indices.map { UInt64($0 % 50 == 0 ? 7_000 : $0 % 199) }
    let trace = Trace.of(
      keys, sizes: isSized ? sizes : nil, times: keys.indices.map { Int64($0) * 1_000 },
      operations: isSized ? keys.indices.map { $0 % 3 == 0 ? .write : .read } : nil)
    let capacity = isSized ? 6_000 : 60
    let choice = try PolicyChoice.parse([policy])[0]
    let stream = RequestStream(trace, isSized: isSized, needs: choice.needs)
    let log = HitLog(requests: keys.count)
    var options = SimulationOptions(RunOptions(capacity: capacity, arguments: choice.arguments))
    options.hits = log
    let counts = try #require(try choice.entry.simulator.run(stream, options: options))
    let delayed = try run(policy, capacity: capacity, trace, .time(0))
    #expect(delayed.hits == counts.hits && delayed.evictions == counts.evictions)
    #expect(delayed.byteHits == counts.byteHits)
    #expect(delayed.isHit == keys.indices.map { log[$0] })
    #expect(delayed.latency.total == 0 && delayed.latency.delayedHits == 0)
    for delay in [MissDelay.time(20_000), .requests(50)] {
      let run = try run(policy, capacity: capacity, trace, delay)
      #expect(run.latency.delayedHits > 0)
      let bound = LatencyBound(stream, delay: delay, warmup: 0)
      let most = choice.information.ignoresCapacity ? Int.max : capacity
      #expect(run.latency.total >= bound.least(capacity: most))
    }
  }

  @Test func theBoundIsBelowEveryChoice() throws {
    var generator = SplitMix64(seed: 9)
    var reached = 0
    for _ in 0..<300 {
      let (keys, times) = trace(&generator, most: 10)
      let delay = Int64(generator.index(below: 8))
      let warmup = generator.index(below: keys.count)
      let stream = RequestStream(Trace.of(keys, times: times))
      let sized = RequestStream(
        Trace.of(keys, sizes: keys.map { $0 % 4 }, times: times), isSized: true)
      let (one, rest): ((UInt64) -> Int, (UInt64) -> Int) = ({ _ in 1 }, { Int($0 % 4) })
      for capacity in 1...3 {
        for (stream, size) in [(stream, one), (sized, rest)] {
          let least = Exhaustion(
            keys, times, size: size, delay: delay, capacity: capacity, warmup: warmup
          ).least
          let bound = LatencyBound(stream, delay: .time(delay), warmup: warmup)
            .least(capacity: capacity)
          #expect(bound <= least, "\(keys) \(times) \(delay) \(capacity) \(warmup)")
          if bound == least && least > 0 { reached += 1 }
        }
      }
    }
    #expect(reached > 600)
  }

  /// The least sum of latencies over all choices of what enters and what leaves.
  private struct Exhaustion {
    let keys: [UInt64]
    let times: [Int64]
    let size: (UInt64) -> Int
    let delay: Int64
    let capacity: Int
    let warmup: Int

    init(
      _ keys: [UInt64], _ times: [Int64], size: @escaping (UInt64) -> Int, delay: Int64,
      capacity: Int, warmup: Int
    ) {
      (self.keys, self.times, self.size, self.delay) = (keys, times, size, delay)
      (self.capacity, self.warmup) = (capacity, warmup)
    }

    var least: Int { least(from: 0, resident: [], fetches: []) }

    /// The residents that can stay beside a newcomer, as many as fit.
    private func fits(_ key: UInt64, _ resident: Set<UInt64>) -> Set<Set<UInt64>> {
      if size(key) > capacity { return [] }
      if resident.reduce(size(key), { $0 + size($1) }) <= capacity { return [resident] }
      return resident.reduce(into: []) { $0.formUnion(fits(key, resident.subtracting([$1]))) }
    }

    private func least(
      from index: Int, resident: Set<UInt64>, fetches: [(key: UInt64, ends: Int64)]
    ) -> Int {
      if index == keys.count { return 0 }
      let (key, now) = (keys[index], times[index])
      if let first = fetches.first, first.ends <= now {
        let rest = Array(fetches.dropFirst())
        var choices = [resident]
        choices += fits(first.key, resident).map { $0.union([first.key]) }
        return choices.map { least(from: index, resident: $0, fetches: rest) }.min()!
      }
      let next = index + 1
      if resident.contains(key) { return least(from: next, resident: resident, fetches: fetches) }
      let counts = index >= warmup
      if let fetch = fetches.first(where: { $0.key == key }) {
        return (counts ? Int(fetch.ends - now) : 0)
          + least(from: next, resident: resident, fetches: fetches)
      }
      let begun = fetches + [(key, now + delay)]
      return (counts ? Int(delay) : 0) + least(from: next, resident: resident, fetches: begun)
    }
  }

  @Test func theWarmUpIsNotCounted() throws {
    let trace = Trace.of([1, 1, 1, 2], times: [0, 1, 2, 3])
    let run = try run("lru", capacity: 2, trace, .time(10), warmup: 1)
    #expect(run.latency.misses == 1 && run.latency.delayedHits == 2)
    #expect(run.latency.total == 9 + 8 + 10)
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let trace = Trace.of([1, 2, 3], times: [0, 1, 2])
    let removing = Trace.of([1, 2, 3], times: [0, 1, 2], operations: [.get, .get, .delete])
    #expect(throws: PolicyError.self) { try run("lru", capacity: 2, removing, .time(5)) }
    for policy in ["lru:admission=bloom", "lru:prefetch=obl"] {
      #expect(throws: PolicyError.self) { try run(policy, capacity: 2, trace, .time(5)) }
    }
    #expect(throws: PolicyError.self) { try run("lru", capacity: 2, trace, .time(.max)) }
    let settings = ExperimentPlan.Settings()
    var request = ExperimentRequest(
      SweepExperiment(), policies: try PolicyChoice.parse(["lru"]), capacities: [.count(2)],
      settings: settings)
    request.settings.delay = .time(5)
    #expect(throws: PlanError.self) {
      try request.kind.plan(request, on: [Trace.of([1, 2, 3])], part: nil)
    }
  }
}
