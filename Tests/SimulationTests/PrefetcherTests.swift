import EvictionCore
import Foundation
import Requests
import Results
import Runner
import Simulation
import Testing
import Traces

/// Prefetchers before LRU and FIFO, against plain models over keys.
@Suite struct PrefetcherTests {
  /// The counts of `policy` on gets of `keys`.
  private func counts(
    _ policy: String, capacity: Int, _ keys: [UInt64], hits: HitLog? = nil, warmup: Int = 0
  ) throws -> RequestCounts {
    let choice = try PolicyChoice.parse([policy])[0]
    let stream = RequestStream(Trace.of(keys), needs: choice.needs)
    var options = SimulationOptions(
      RunOptions(capacity: capacity, arguments: choice.arguments, warmup: warmup))
    options.hits = hits
    return try #require(try choice.entry.simulator.run(stream, options: options))
  }

  /// A request of a key, or one that left for good.
  private struct Event {
    let key: UInt64
    let isEviction: Bool
    let isHit: Bool
  }

  private func expect(
    _ text: String, _ keys: [UInt64], capacity: Int, cycles: Int = 1,
    _ proposals: ([Event]) -> [UInt64]
  ) throws {
    for policy in ["lru", "fifo"] {
      let model = model(
        keys, capacity: capacity, cycles: cycles, reorders: policy == "lru", proposals)
      let run = try counts("\(policy):prefetch=\(text)", capacity: capacity, keys)
      #expect(run.hits == model.hits, "\(policy) \(text) \(capacity) \(keys)")
      #expect(run.prefetch == model.prefetched, "\(policy) \(text) \(capacity) \(keys)")
      #expect(run.insertions - run.evictions <= capacity)
      #expect(run.requests == keys.count)
    }
  }

  /// Keys, the next victim first; `proposals` are made of all so far. Unused ones enter again until they left `cycles` times.
  private func model(
    _ keys: [UInt64], capacity: Int, cycles: Int, reorders: Bool,
    _ proposals: ([Event]) -> [UInt64]
  ) -> (hits: Int, prefetched: PrefetchCounts) {
    var queue: [UInt64] = []
    var ahead: Set<UInt64> = []
    var displaced: Set<UInt64> = []
    var left: [UInt64: Int] = [:]
    var events: [Event] = []
    var hits = 0
    var prefetched = PrefetchCounts()
    func enter(_ key: UInt64, isFetched: Bool) -> (victim: UInt64, isUnused: Bool)? {
      defer { queue.append(key) }
      if isFetched {
        ahead.insert(key)
        displaced.remove(key)
      }
      if queue.count < capacity { return nil }
      let victim = queue.removeFirst()
      if isFetched { displaced.insert(victim) }
      return (victim, ahead.remove(victim) != nil)
    }
    func insert(_ key: UInt64, isFetched: Bool) {
      var leaving = enter(key, isFetched: isFetched)
      while let (victim, isUnused) = leaving {
        left[victim, default: 0] += 1
        if isUnused && left[victim]! < cycles {
          leaving = enter(victim, isFetched: true)
        } else {
          left[victim] = nil
          events.append(Event(key: victim, isEviction: true, isHit: false))
          leaving = nil
        }
      }
    }
    for key in keys {
      let place = queue.firstIndex(of: key)
      events.append(Event(key: key, isEviction: false, isHit: place != nil))
      left[key] = nil
      let wasAhead = ahead.remove(key) != nil
      let wasDisplaced = displaced.remove(key) != nil
      if let place {
        hits += 1
        if wasAhead { prefetched.hits += 1 }
        if reorders { queue.append(queue.remove(at: place)) }
      } else {
        prefetched.fetches += 1
        if wasDisplaced { prefetched.pollution += 1 }
        insert(key, isFetched: false)
      }
      for proposal in proposals(events) where !queue.contains(proposal) {
        prefetched.prefetches += 1
        prefetched.fetches += 1
        insert(proposal, isFetched: true)
      }
    }
    return (hits, prefetched)
  }

  /// Keys of which some follow each other.
  private func keys(_ generator: inout SplitMix64) -> [UInt64] {
    let most = generator.index(below: 40) + 2
    var key = 0
    return (0..<generator.index(below: 300) + 1).map { _ in
      key = generator.index(below: 4) == 0 ? generator.index(below: most) : key + 1
      return UInt64(key)
    }
  }

  @Test func lookaheadIsItsModel() throws {
    var generator = SplitMix64(seed: 4)
    for run in 0..<100 {
      let keys = keys(&generator)
      let length = run % 4
      try expect("obl:prefetch.run=\(length)", keys, capacity: generator.index(below: 12) + 1) {
        let last = $0.filter { !$0.isEviction }.map(\.key).suffix(length + 1)
        let isRun =
          last.count == length + 1 && zip(last, last.dropFirst()).allSatisfy { $0 + 1 == $1 }
        return isRun ? [last.last! + 1] : []
      }
    }
  }

  @Test func theGraphIsItsModel() throws {
    var generator = SplitMix64(seed: 5)
    for run in 0..<100 {
      let keys = keys(&generator)
      let range = run % 5 + 1
      let capacity = generator.index(below: 12) + 1
      let arcs = generator.index(below: 60) + 1
      let form =
        "pg:prefetch.range=\(range):prefetch.threshold=0.25:prefetch.block=\(32 * arcs)B"
        + ":prefetch.memory=1"
      try expect(form, keys, capacity: capacity) { events in
        graph(
          events.filter { !$0.isEviction }.map(\.key), range: range, arcs: arcs * capacity)
      }
    }
  }

  /// The objects that follow the last request in more than a quarter of its counts, the rarest first.
  private func graph(_ requests: [UInt64], range: Int, arcs limit: Int) -> [UInt64] {
    var nodes: [UInt64: (total: Int, arcs: [(key: UInt64, count: Int)])] = [:]
    var made = 0
    var isFull = false
    for index in requests.indices where index >= range {
      defer { isFull = isFull || made >= limit }
      let first = requests[index - range]
      if nodes[first] == nil {
        if isFull { continue }
        nodes[first] = (0, [])
        made += 1
      }
      // The ring holds the requests after the first in the order of their places.
      let window = (index - range + 1...index).sorted { $0 % range < $1 % range }
      for place in window {
        nodes[first]!.total += 1
        if let arc = nodes[first]!.arcs.firstIndex(where: { $0.key == requests[place] }) {
          nodes[first]!.arcs[arc].count += 1
        } else if isFull {
          break
        } else {
          nodes[first]!.arcs.append((requests[place], 1))
          made += 1
        }
      }
    }
    guard let node = nodes[requests.last!] else { return [] }
    let likely = node.arcs.filter { 4 * $0.count > node.total }
    return (1...max(1, node.total)).flatMap { count in
      likely.filter { $0.count == count }.map(\.key)
    }
  }

  @Test func mithrilIsItsModel() throws {
    var generator = SplitMix64(seed: 6)
    for run in 0..<100 {
      let keys = keys(&generator)
      let capacity = generator.index(below: 12) + 1
      let rule = MithrilRule(
        range: run % 5 + 1, most: run % 7 + 2, least: min(run % 4 + 1, run % 7 + 2),
        confidence: run % 3 + 1, list: run % 2 + 1,
        trigger: ["miss", "evict", "miss_evict", "each_req"][run / 3 % 4],
        ready: generator.index(below: 12) + 1, rows: generator.index(below: 20) + 1)
      let cycles = run % 4 + 1
      // A row takes 12 bytes and 2 for each timestamp, an even number; one row is never used.
      let width = (rule.least + 1) / 2 * 2 + 12
      let threshold = rule.least == 1 ? 8 * (rule.ready - 1) + 7 : rule.ready * rule.least
      let form =
        "mithril:prefetch.range=\(rule.range):prefetch.max-support=\(rule.most)"
        + ":prefetch.min-support=\(rule.least):prefetch.confidence=\(rule.confidence)"
        + ":prefetch.pf-list-size=\(rule.list):prefetch.rec-trigger=\(rule.trigger)"
        + ":prefetch.cycle-time=\(cycles):prefetch.mining-threshold=\(threshold)"
        + ":prefetch.block=\((50 * width * (rule.rows + 1) + capacity - 1) / capacity)B"
      try expect(form, keys, capacity: capacity, cycles: cycles) { mithril($0, rule) }
    }
  }

  /// Mithril's bounds, all of them small.
  private struct MithrilRule {
    let range: Int
    let most: Int
    let least: Int
    let confidence: Int
    let list: Int
    let trigger: String
    let ready: Int
    let rows: Int

    func records(_ event: Event) -> Bool {
      switch trigger {
      case "miss": !event.isEviction && !event.isHit
      case "evict": event.isEviction
      case "miss_evict": event.isEviction || !event.isHit
      default: !event.isEviction
      }
    }

    func associates(_ first: [Int], _ other: [Int], isNearest: Bool) -> Bool {
      let gaps = zip(first, other).map { abs($0 - $1) }
      let seen = gaps.dropLast().enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
      let isStrong = seen.contains(1) || gaps == [1]
      return seen.filter { $0 > range }.count <= confidence && (isNearest || isStrong)
    }
  }

  /// The objects that were associated with the last request.
  private func mithril(_ events: [Event], _ rule: MithrilRule) -> [UInt64] {
    var times: [UInt64: [Int]] = [:]
    var ring = [UInt64?](repeating: nil, count: rule.rows)
    var head = 0
    var ready: [UInt64] = []
    var fetched: [UInt64: [UInt64]] = [:]
    var now = -1
    for event in events {
      if !event.isEviction { now += 1 }
      guard rule.records(event) else { continue }
      let key = event.key
      if let place = ready.firstIndex(of: key) {
        if times[key]!.count == rule.most {
          times[key] = nil
          ready.swapAt(place, ready.count - 1)
          ready.removeLast()
        } else {
          times[key]!.append(now)
        }
      } else if let row = ring.firstIndex(of: key) {
        times[key]!.append(now)
        if times[key]!.count == rule.least {
          ready.append(key)
          ring[row] = nil
          if head > 0 {
            head -= 1
            ring.swapAt(row, head)
          }
        }
      } else {
        times[key] = [now]
        if rule.least == 1 {
          ready.append(key)
        } else {
          ring[head] = key
          head = (head + 1) % rule.rows
          if let old = ring[head] { times[old] = nil }
          ring[head] = nil
        }
      }
      if ready.count < rule.ready { continue }
      let order = (0...now).flatMap { time in ready.filter { times[$0]![0] == time } }
      for (index, first) in order.enumerated() {
        let near = order[(index + 1)...].filter {
          times[$0]![0] - times[first]![0] <= rule.range
            && abs(times[$0]!.count - times[first]!.count) <= rule.confidence
        }
        for other in near
        where rule.associates(times[first]!, times[other]!, isNearest: other == near[0]) {
          if fetched[first, default: []].contains(other) { continue }
          fetched[first] = (fetched[first, default: []] + [other]).suffix(rule.list)
        }
      }
      for key in ready { times[key] = nil }
      ready = []
    }
    return fetched[events.last { !$0.isEviction }!.key] ?? []
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
    let choice = try PolicyChoice.parse(["lru:prefetch=obl"])[0]
    let sized = RequestStream(Trace.of(keys, sizes: [1, 1, 1]), isSized: true)
    #expect(throws: PolicyError.self) {
      try choice.entry.simulator.run(
        sized,
        options: SimulationOptions(RunOptions(capacity: 2, arguments: choice.arguments)))
    }
  }
}
