import EvictionCore
import Requests
import Results
import Testing
import Traces

/// Prefetchers before LRU and FIFO, against plain models over keys.
@Suite struct PrefetcherModelTests {
  /// A request of a key, or one that left for good.
  private struct Event {
    let key: UInt64
    let isEviction: Bool
    let isHit: Bool
  }

  private func expect(
    _ text: String, _ keys: [UInt64], sizes: [UInt64]? = nil, capacity: Int, cycles: Int = 1,
    _ proposals: ([Event]) -> [UInt64]
  ) throws {
    for policy in ["lru", "fifo"] {
      let model = model(
        keys, sizes, capacity: capacity, cycles: cycles, reorders: policy == "lru", proposals)
      let run = try PrefetcherTests().counts(
        "\(policy):prefetch=\(text)", capacity: capacity, Trace.of(keys, sizes: sizes))
      let note = Comment(
        rawValue: "\(policy) \(text) \(capacity) \(keys) \(sizes.map { "\($0)" } ?? "")")
      #expect(run.hits == model.hits, note)
      #expect(run.prefetch == model.prefetched, note)
      #expect(sizes == nil || run.byteHits == model.byteHits, note)
      #expect(sizes != nil || run.insertions - run.evictions <= capacity)
      #expect(run.requests == keys.count)
    }
  }

  /// Keys, the next victim first; `proposals` are made of all so far. Unused ones enter again until they left `cycles` times.
  private func model(
    _ keys: [UInt64], _ sizes: [UInt64]?, capacity: Int, cycles: Int, reorders: Bool,
    _ proposals: ([Event]) -> [UInt64]
  ) -> (hits: Int, byteHits: Int, prefetched: PrefetchCounts) {
    var queue: [(key: UInt64, size: Int)] = []
    var ahead: Set<UInt64> = []
    var displaced: Set<UInt64> = []
    var left: [UInt64: Int] = [:]
    var events: [Event] = []
    var (hits, byteHits) = (0, 0)
    var prefetched = PrefetchCounts()
    var bytes = PrefetchBytes()
    let requests = zip(keys, sizes?.map { Int($0) } ?? keys.map { _ in 1 })
    // The size of the latest request; before it, of the first.
    var told = Dictionary(requests.map { ($0, $1) }) { first, _ in first }
    func enter(
      _ key: UInt64, _ size: Int, isFetched: Bool
    ) -> [(key: UInt64, size: Int, isUnused: Bool)] {
      var leaving: [(key: UInt64, size: Int, isUnused: Bool)] = []
      while queue.reduce(size, { $0 + $1.size }) > capacity {
        let victim = queue.removeFirst()
        if isFetched { displaced.insert(victim.key) }
        leaving.append((victim.key, victim.size, ahead.remove(victim.key) != nil))
      }
      if isFetched {
        ahead.insert(key)
        displaced.remove(key)
      }
      queue.append((key, size))
      return leaving
    }
    func insert(_ key: UInt64, _ size: Int, isFetched: Bool) {
      if size > capacity { return }
      var leaving = enter(key, size, isFetched: isFetched)
      while !leaving.isEmpty {
        let victim = leaving.removeFirst()
        left[victim.key, default: 0] += 1
        if victim.isUnused && left[victim.key]! < cycles {
          leaving += enter(victim.key, victim.size, isFetched: true)
        } else {
          left[victim.key] = nil
          events.append(Event(key: victim.key, isEviction: true, isHit: false))
        }
      }
    }
    for (key, size) in requests {
      told[key] = size
      bytes.requested += size
      let place = queue.firstIndex { $0.key == key }
      events.append(Event(key: key, isEviction: false, isHit: place != nil))
      left[key] = nil
      let wasAhead = ahead.remove(key) != nil
      let wasDisplaced = displaced.remove(key) != nil
      if let place {
        hits += 1
        byteHits += size
        if wasAhead {
          prefetched.hits += 1
          bytes.useful += queue[place].size
        }
        if reorders { queue.append(queue.remove(at: place)) }
      } else {
        prefetched.fetches += 1
        bytes.fetched += size
        if wasDisplaced {
          prefetched.pollution += 1
          bytes.pollution += size
        }
        insert(key, size, isFetched: false)
      }
      for proposal in proposals(events) where !queue.contains(where: { $0.key == proposal }) {
        let fetched = told[proposal] ?? size
        if fetched > capacity { continue }
        prefetched.prefetches += 1
        prefetched.fetches += 1
        bytes.prefetched += fetched
        bytes.fetched += fetched
        insert(proposal, fetched, isFetched: true)
      }
    }
    prefetched.bytes = sizes == nil ? nil : bytes
    return (hits, byteHits, prefetched)
  }

  /// Sizes of requests: of most, several fit the capacity; of some, none does.
  private func sizes(
    of keys: [UInt64], capacity: Int, _ generator: inout SplitMix64
  ) -> [UInt64] {
    keys.map { _ in
      let most = generator.index(below: 9) == 0 ? capacity + capacity / 4 : capacity / 4
      return UInt64(generator.index(below: most + 2))
    }
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
      func rule(_ events: [Event]) -> [UInt64] {
        let last = events.filter { !$0.isEviction }.map(\.key).suffix(length + 1)
        let isRun =
          last.count == length + 1 && zip(last, last.dropFirst()).allSatisfy { $0 + 1 == $1 }
        return isRun ? [last.last! + 1] : []
      }
      let form = "obl:prefetch.run=\(length)"
      try expect(form, keys, capacity: generator.index(below: 12) + 1, rule)
      let bytes = generator.index(below: 2_000) + 1
      let sizes = sizes(of: keys, capacity: bytes, &generator)
      try expect(form, keys, sizes: sizes, capacity: bytes, rule)
    }
  }

  @Test func theGraphIsItsModel() throws {
    var generator = SplitMix64(seed: 5)
    for run in 0..<100 {
      let keys = keys(&generator)
      let range = run % 5 + 1
      let capacity = generator.index(below: 12) + 1
      let arcs = generator.index(below: 60) + 1
      let form = "pg:prefetch.range=\(range):prefetch.threshold=0.25:prefetch.memory=1"
      try expect(form + ":prefetch.block=\(32 * arcs)B", keys, capacity: capacity) { events in
        graph(
          events.filter { !$0.isEviction }.map(\.key), range: range, arcs: arcs * capacity)
      }
      if generator.index(below: 2) == 0 { continue }
      let bytes = 32 * arcs * capacity
      let sizes = sizes(of: keys, capacity: bytes, &generator)
      try expect(form, keys, sizes: sizes, capacity: bytes) { events in
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
      let bytes = 50 * width * (rule.rows + 1)
      let block = ":prefetch.block=\((bytes + capacity - 1) / capacity)B"
      try expect(form + block, keys, capacity: capacity, cycles: cycles) { mithril($0, rule) }
      if generator.index(below: 2) == 0 { continue }
      let sizes = sizes(of: keys, capacity: bytes, &generator)
      try expect(form, keys, sizes: sizes, capacity: bytes, cycles: cycles) { mithril($0, rule) }
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
}
