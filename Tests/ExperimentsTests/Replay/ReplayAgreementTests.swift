import CacheReplay
import Eviction
import EvictionCore
import Experiments
import Parameters
import RecordedTraces
import Requests
import Runner
import Simulation
import Testing
import Traces

/// The same policy, capacity and trace give the same counts in the simulator and in the real cache.
@Suite struct ReplayAgreementTests {
  /// Every policy that a cache can run, and the variants with ghosts or segments of their own.
  static let policies =
    RunnablePolicyEntry.catalog.filter {
      !$0.information.isBound && $0.needs.isDisjoint(with: [.nextUse, .expiry, .requestClass])
    }
    .map(\.information.name) + [
      "lfu:ties=fifo", "lfu:history=perfect", "arc:arithmetic=integer", "arc:ghosts=2",
      "slru:segments=4", "slru:probation=fixed", "slru:segments=4:fill=protected",
    ]

  /// Filters of every kind, in front of a list, a policy with ghosts, and one with a hand.
  static let filtered = ["lru", "arc", "sieve", "random"].flatMap { policy in
    ["probability", "bloom", "tinylfu", "tinylfu:admission.doorkeeper=true"]
      .map { "\(policy):admission=\($0)" }
  }

  /// Filters that decide by size.
  static let filteredBySize = ["lru", "arc", "sieve"].flatMap { policy in
    [
      "size:admission.limit=30", "size-probability:admission.c=1000", "adaptsize",
      "adaptsize:admission.interval=500:admission.c=100",
    ].map { "\(policy):admission=\($0)" }
  }

  @Test(.inReleaseBuilds, arguments: WholeTraces.bundled)
  func realCacheCountsAsTheSimulationOnBundledTraces(name: String) throws {
    try expectAgreement(on: WholeTraces.load(name, columns: .all, limit: 10_000), isSized: false)
  }

  @Test(.inReleaseBuilds, .withPublicTraces, arguments: WholeTraces.published)
  func realCacheCountsAsTheSimulationOnPublicTraces(name: String) throws {
    try expectAgreement(on: WholeTraces.load(name, limit: 10_000), isSized: false)
  }

  @Test(.inReleaseBuilds) func realCacheCountsAsTheSimulationInBytes() throws {
    let trace = try WholeTraces.load("build.csv.zst", columns: .sizes, limit: 10_000)
    try expectAgreement(on: trace, isSized: true)
    let bySize = ["lru", "arc"].flatMap { policy in
      ["size:admission.limit=64KiB", "size-probability", "adaptsize:admission.interval=20000"]
        .map { "\(policy):admission=\($0)" }
    }
    try expectAgreement(on: trace, isSized: true, policies: Self.filtered + bySize)
  }

  @Test(.inReleaseBuilds, arguments: WholeTraces.bundled)
  func realCacheCountsAsTheSimulationBehindFilters(name: String) throws {
    let trace = try WholeTraces.load(name, columns: .all, limit: 10_000)
    try expectAgreement(on: trace, isSized: false, policies: Self.filtered)
  }

  @Test(arguments: [false, true])
  func realCacheCountsAsTheSimulationWithWritesAndRemovals(countsSets: Bool) throws {
    let trace = try operations()
    try expectAgreement(on: trace, isSized: false, countsSets: countsSets)
    try expectAgreement(on: trace, isSized: true, countsSets: countsSets)
    let resizing = ["lru:resize=true", "arc:resize=true", "slru:resize=true", "fifo:resize=true"]
    try expectAgreement(on: trace, isSized: true, countsSets: countsSets, policies: resizing)
  }

  @Test(arguments: [false, true])
  func realCacheCountsAsTheSimulationWhereSizesAreUnknownOrOutgrowTheCache(
    countsSets: Bool
  ) throws {
    var generator = SplitMix64(seed: 11)
    var text = "key,op,size\n"
    for _ in 0..<2_000 {
      let key = generator.index(below: 40) * generator.index(below: 40)
      let operation = ["get", "get", "get", "set", "write", "delete"][generator.index(below: 6)]
      // A get of nothing tells no size; one in fifty is larger than the cache.
      let size = generator.index(below: 3) == 0 ? 0 : generator.index(below: 50)
      text += "\(key),\(operation),\(generator.index(below: 50) == 0 ? 5_000 : size)\n"
    }
    let trace = try TraceLoader.load(
      bytes: Array(text.utf8), name: "sizes.csv", columns: [.operations, .sizes])
    let resizing = ["lru:resize=true", "arc:resize=true", "slru:resize=true", "fifo:resize=true"]
    for policies in [Self.policies, resizing, Self.filtered, Self.filteredBySize] {
      try expectAgreement(on: trace, isSized: true, countsSets: countsSets, policies: policies)
    }
  }

  @Test func realCacheKnowsCostsAndKeyLengths() throws {
    var generator = SplitMix64(seed: 6)
    var text = "key,op,size,cost\n"
    for _ in 0..<2_000 {
      let key = generator.index(below: 40) * generator.index(below: 40)
      let operation = ["get", "get", "get", "set", "delete"][generator.index(below: 5)]
      text += "\(String(repeating: "k", count: key % 7))\(key),\(operation),"
      text += "\(1 + generator.index(below: 50)),\(1 + generator.index(below: 300))\n"
    }
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "costs.csv", columns: .all)
    let policies = ["gdsf", "gd-wheel:queues=8", "camp", "key-length", "key-length:order=shortest"]
    for isSized in [false, true] {
      try expectAgreement(on: trace, isSized: isSized, policies: policies)
    }
  }

  @Test(arguments: [false, true])
  func realCacheCountsAsTheSimulationBehindFiltersWithWritesAndRemovals(countsSets: Bool) throws {
    let trace = try operations()
    let filtered = Self.filtered.map { $0 + ":resize=true" }
    try expectAgreement(on: trace, isSized: false, countsSets: countsSets, policies: filtered)
    for policies in [filtered, Self.filtered, Self.filteredBySize] {
      try expectAgreement(on: trace, isSized: true, countsSets: countsSets, policies: policies)
    }
  }

  /// Gets, sets and deletes of objects whose sizes change.
  private func operations() throws -> Trace {
    var generator = SplitMix64(seed: 5)
    var text = "key,op,size\n"
    for _ in 0..<1_000 {
      let key = generator.index(below: 40) * generator.index(below: 40)
      let operation = ["get", "get", "get", "get", "set", "delete"][generator.index(below: 6)]
      text += "\(key),\(operation),\(1 + generator.index(below: 50))\n"
    }
    return try TraceLoader.load(
      bytes: Array(text.utf8), name: "operations.csv", columns: [.operations, .sizes])
  }

  /// Also those that look at times to live, and those that know the future.
  private static let expiring =
    policies + ["tlru", "segcache", "expire-soonest", "expire-latest"] + filtered

  /// Times come in steps, of which some end the times to live of many objects at once.
  @Test(arguments: [false, true], [40, 900])
  func realCacheCountsAsTheSimulationWhereObjectsExpire(countsSets: Bool, longestStep: Int) throws {
    let operations = ["get", "get", "get", "get", "set", "write", "delete"]
    try expectAgreement(on: operations, countsSets, longestStep, policies: Self.expiring)
  }

  @Test func realCacheCountsAsTheSimulationWhereTimesToLiveChange() throws {
    let operations = ["get", "get", "get", "set", "write", "touch", "delete"]
    try expectAgreement(
      on: operations, false, 40, policies: Self.expiring.filter { $0 != "segcache" })
  }

  private func expectAgreement(
    on operations: [String], _ countsSets: Bool, _ longestStep: Int, policies: [String]
  ) throws {
    var generator = SplitMix64(seed: 12)
    var text = "time,key,op,size,ttl\n"
    var time = 0
    for number in 0..<4_000 {
      if number % 400 == 0 { time += generator.index(below: longestStep) }
      time += generator.index(below: 2)
      let key = generator.index(below: 40) * generator.index(below: 40)
      let operation = operations[generator.index(below: 7)]
      let ttl = [0, 5, 30, 200, 200, 200][generator.index(below: 6)]
      text += "\(time),\(key),\(operation),\(1 + generator.index(below: 50)),\(ttl)\n"
    }
    let trace = try TraceLoader.load(bytes: Array(text.utf8), name: "ttl.csv", columns: .all)
    for isSized in [false, true] {
      try expectAgreement(
        on: trace, isSized: isSized, countsSets: countsSets, policies: policies,
        capacity: "60%", expires: true)
    }
  }

  @Test func warmupIsRunAndNotCounted() throws {
    let trace = try WholeTraces.load("orders.txt.zst", limit: 10_000)
    let stream = RequestStream(trace, needs: .keyHash)
    let options = try options("lru", capacity: 50, warmup: 4_000)
    let lru = try entry("lru")
    let simulated = try #require(
      try lru.simulator.run(stream, options: SimulationOptions(options)))
    #expect(simulated.requests == 6_000)
    let replayed = try #require(
      try lru.policy.replay(
        stream, options: ReplayOptions(run: options), policy: Specification(name: "lru")))
    #expect(replayed.counts.requests == 6_000)
    #expect(replayed.counts.hits == simulated.hits)
    #expect(replayed.latency.get?.count == 6_000)
    #expect(replayed.contention.acquisitions == 6_000 + replayed.counts.requests - simulated.hits)
  }

  private func expectAgreement(
    on trace: Trace, isSized: Bool, countsSets: Bool = false, policies: [String] = policies,
    capacity: String = "5%", expires: Bool = false
  ) throws {
    let stream = RequestStream(trace, isSized: isSized, needs: .keyHash)
    let capacity = try Capacity(parsing: capacity).resolved(
      total: isSized ? #require(trace.distinctBytes) : trace.distinct)
    for text in policies {
      let specification = try Specification(parsing: text)
      let entry = try entry(specification.name)
      var options = try options(text, capacity: capacity, countsSets: countsSets)
      options.expires = expires
      let simulated = try #require(
        try entry.simulator.run(stream, options: SimulationOptions(options)))
      let replayed = try #require(
        try entry.policy.replay(
          stream, options: ReplayOptions(run: options, lock: NoLock.self), policy: specification))
      #expect(replayed.counts == simulated, "\(text) on \(trace.name) at \(capacity)")
      #expect(simulated.expirations > 0 || !expires)
    }
  }

  private func options(
    _ text: String, capacity: Int, warmup: Int = 0, countsSets: Bool = false
  ) throws -> RunOptions {
    let specification = try Specification(parsing: text)
    return RunOptions(
      capacity: capacity,
      arguments: try entry(specification.name).description.arguments(of: specification),
      warmup: warmup, countsSets: countsSets)
  }

  private func entry(_ name: String) throws -> RunnablePolicyEntry {
    try PolicyChoice.entry(named: name, among: RunnablePolicyEntry.catalog)
  }
}
