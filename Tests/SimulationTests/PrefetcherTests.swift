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

  private func expect(
    _ text: String, _ keys: [UInt64], capacity: Int, _ proposals: ([UInt64]) -> [UInt64]
  ) throws {
    for policy in ["lru", "fifo"] {
      let model = model(keys, capacity: capacity, reorders: policy == "lru", proposals)
      let run = try counts("\(policy):prefetch=\(text)", capacity: capacity, keys)
      #expect(run.hits == model.hits, "\(policy) \(text) \(capacity) \(keys)")
      #expect(run.prefetch == model.prefetched, "\(policy) \(text) \(capacity) \(keys)")
      #expect(run.insertions - run.evictions <= capacity)
      #expect(run.requests == keys.count)
    }
  }

  /// A list of keys, the next victim first; `proposals` are made of all requests so far.
  private func model(
    _ keys: [UInt64], capacity: Int, reorders: Bool, _ proposals: ([UInt64]) -> [UInt64]
  ) -> (hits: Int, prefetched: PrefetchCounts) {
    var queue: [UInt64] = []
    var ahead: Set<UInt64> = []
    var displaced: Set<UInt64> = []
    var hits = 0
    var prefetched = PrefetchCounts()
    for (index, key) in keys.enumerated() {
      if let place = queue.firstIndex(of: key) {
        hits += 1
        if ahead.contains(key) { prefetched.hits += 1 }
        if reorders { queue.append(queue.remove(at: place)) }
      } else {
        prefetched.fetches += 1
        if displaced.contains(key) { prefetched.pollution += 1 }
        if queue.count == capacity { ahead.remove(queue.removeFirst()) }
        queue.append(key)
      }
      ahead.remove(key)
      displaced.remove(key)
      for proposal in proposals(Array(keys[...index])) where !queue.contains(proposal) {
        prefetched.prefetches += 1
        prefetched.fetches += 1
        if queue.count == capacity {
          let victim = queue.removeFirst()
          ahead.remove(victim)
          displaced.insert(victim)
        }
        queue.append(proposal)
        ahead.insert(proposal)
        displaced.remove(proposal)
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
        let last = $0.suffix(length + 1)
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
      try expect(form, keys, capacity: capacity) { requests in
        graph(requests, range: range, arcs: arcs * capacity)
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
