import Eviction
import EvictionCore
import EvictionTesting
import Foundation
import RecordedTraces
import Requests
import Runner
import SimulatedCounts
import TestConditions
import Testing
import Traces

/// The simulator against the plain models on what was recorded from real programs: every policy of the
/// catalog, and variants that the random workloads are too short to tell apart.
@Suite("Simulations count what the plain models do", .inReleaseBuilds)
struct TraceModelTests {
  /// The requests of each trace; a request costs some models the number of residents.
  static let requests = isThorough ? 20_000 : 5_000

  static let capacities = [10, 40, 100, 250]

  static let variants = [
    "lfu:ties=fifo", "lfu:history=perfect", "lfu:history=perfect:ghosts=0.5",
    "arc:arithmetic=integer", "arc:ghosts=0.5", "slru:probation=fixed", "slru:segments=4",
    "slru:segments=4:fill=protected", "gdsf:objective=hits",
    "gdsf:objective=bytes", "gdsf:objective=hits:order=insert-first",
    "lirs:repeats=count:ghosts=2", "lru-k:k=3", "clock-pro:adapt=utility", "frd:ghosts=0.5",
    "opt:bypass=true", "belady-size:sample=8",
  ]

  /// Every policy that can be run on any trace.
  static let policies =
    RunnablePolicyEntry.catalog.filter { $0.needs.isSubset(of: [.keyHash, .nextUse]) }
    .map(\.information.name).filter { $0 != "infinite" }

  @Test("on the bundled traces", arguments: WholeTraces.bundled)
  func bundled(name: String) throws {
    let trace = try WholeTraces.load(name, limit: Self.requests)
    try compare(trace, Self.policies, capacities: Self.capacities)
    try compare(trace, Self.variants, capacities: [60])
  }

  /// Each policy meets all capacities among the traces; with `EVICTIONLAB_THOROUGH` on each of them.
  private func capacities(_ all: [Int], policy: Int, trace: String) -> [Int] {
    if isThorough { return all }
    let traces = WholeTraces.bundled + WholeTraces.published
    return [all[(policy + (traces.firstIndex(of: trace) ?? 0)) % all.count]]
  }

  @Test("on the public traces", .withPublicTraces, arguments: WholeTraces.published)
  func published(name: String) throws {
    let trace = try WholeTraces.load(name, limit: Self.requests)
    try compare(trace, Self.policies, capacities: Self.capacities)
  }

  @Test("counting the bytes of a build's files")
  func bundledBytes() throws {
    let trace = try WholeTraces.load("build.csv.zst", columns: .sizes, limit: Self.requests)
    try compare(trace, Self.policies + Self.variants, capacities: [1_000_000], isSized: true)
  }

  @Test(
    "counting the bytes of disk requests, one size per object or one per request",
    .withPublicTraces, arguments: ["cloudPhysicsIO.oracleGeneral.bin", "cloudPhysicsIO.csv"])
  func publishedBytes(name: String) throws {
    let trace = try WholeTraces.load(name, columns: .sizes, limit: Self.requests)
    let policies = Self.policies + Self.variants
    try compare(trace, policies, capacities: [1_000_000], isSized: true)
    try compare(trace, policies, capacities: [1_000_000], isSized: true, resizes: true)
  }

  private func compare(
    _ trace: Trace, _ policies: [String], capacities: [Int], isSized: Bool = false,
    resizes: Bool = false
  ) throws {
    let needs: RequestNeeds = [.keyHash, .nextUse]
    let stream = RequestStream(trace, isSized: isSized, needs: needs)
    let run = TraceRun(trace, isSized: isSized)
    for (index, policy) in policies.enumerated() {
      for capacity in self.capacities(capacities, policy: index, trace: trace.name) {
        let model = try run.model(policy, capacity: capacity, resizes: resizes)
        let text = policy + (resizes ? ":resize=true" : "")
        let counts = try simulate(text, stream, capacity: capacity)
        #expect(
          [counts.hits, counts.insertions, counts.evictions, counts.rejections] == model.counts,
          "hits, insertions, evictions and rejections of \(text) at \(capacity)")
      }
    }
  }
}
