import EvictionTesting
import Laboratory
import PolicyModels
import Testing
import Traces

/// The simulator against the plain models on what was recorded from real programs.
@Suite("Simulations count what the plain models do", .inReleaseBuilds)
struct TraceModelTests {
  /// How much of each trace; a request costs some models the number of residents.
  static let requests = 20_000

  static let policies = [
    "lru", "fifo", "mru", "random", "lfu", "lfu:ties=fifo", "lfu:history=perfect",
    "lfu:history=perfect:ghosts=0.5", "arc", "arc:arithmetic=integer", "arc:ghosts=0.5", "slru",
    "slru:probation=fixed", "slru:segments=4", "slru:segments=4:fill=protected",
    "lirs:repeats=count:ghosts=2", "lru-k", "car", "cart", "mq", "clock-pro", "fbr",
  ]

  @Test("on the bundled traces", arguments: WholeTraces.bundled, [10, 60])
  func bundled(name: String, capacity: Int) throws {
    try compare(WholeTraces.load(name, limit: Self.requests), capacity: capacity)
  }

  @Test("on the public traces", .withPublicTraces, arguments: WholeTraces.published)
  func published(name: String) throws {
    try compare(WholeTraces.load(name, limit: Self.requests), capacity: 40)
  }

  @Test("counting the bytes of a build's files")
  func bundledBytes() throws {
    let trace = try WholeTraces.load("build.csv.zst", columns: .sizes, limit: Self.requests)
    try compare(trace, capacity: 1_000_000, isSized: true)
  }

  @Test(
    "counting the bytes of disk requests, one size per object or one per request",
    .withPublicTraces, arguments: ["cloudPhysicsIO.oracleGeneral.bin", "cloudPhysicsIO.csv"])
  func publishedBytes(name: String) throws {
    let trace = try WholeTraces.load(name, columns: .sizes, limit: Self.requests)
    try compare(trace, capacity: 1_000_000, isSized: true)
    try compare(trace, capacity: 1_000_000, isSized: true, resizes: true)
  }

  private func compare(
    _ trace: Trace, capacity: Int, isSized: Bool = false, resizes: Bool = false
  ) throws {
    let stream = RequestStream(trace, isSized: isSized)
    let operations = trace.ids.enumerated().map { index, id in
      let size = isSized ? trace.sizes.map { Int($0[index]) } ?? 1 : 1
      return CacheOperation.request(key: Int(id), size: size)
    }
    for policy in Self.policies {
      let parts = policy.split(separator: ":", maxSplits: 1)
      let options = ModelOptions(
        capacity: capacity, isSized: isSized, updatesSizes: resizes,
        parameters: parts.count == 2 ? String(parts[1]) : "")
      let model = try #require(PolicyModels.all[String(parts[0])]?(options))
      for operation in operations { model.perform(operation) }
      let text = policy + (resizes ? ":resize=true" : "")
      let counts = try simulate(text, stream, capacity: capacity)
      #expect(
        [counts.hits, counts.insertions, counts.evictions, counts.rejections] == model.counts,
        "hits, insertions, evictions and rejections of \(text) at \(capacity)")
    }
  }
}

extension PolicyModel {
  /// Hits, insertions, evictions and rejections.
  fileprivate var counts: [Int] {
    var counts = [0, 0, 0, 0]
    for event in events {
      switch event {
      case .hit: counts[0] += 1
      case .admitted: counts[1] += 1
      case .evicted: counts[2] += 1
      case .rejected: counts[3] += 1
      }
    }
    return counts
  }
}
