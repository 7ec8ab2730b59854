import Eviction
import EvictionCore
import Foundation
import Recording
import Results
import Testing
import Traces

/// A service that renders pages slowly and keeps them in a cache: what is recorded of it replays as it ran.
struct PageService<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
  private let cache: MemoryCache<UInt64, [UInt8]>

  init(countLimit: Int? = nil, costLimit: Int? = nil, recorder: TraceRecorder) throws {
    cache = try .open(
      countLimit: countLimit, costLimit: costLimit, costs: .given, policy: CachePolicy(Policy.self),
      seed: 42,
      observer: recorder)
  }

  var statistics: CacheStatistics { cache.statistics }

  /// The page, from the cache or rendered anew.
  func page(_ number: UInt64) -> [UInt8] {
    if let page = cache.value(forKey: number) { return page }
    let page = render(number)
    cache.set(page, forKey: number, cost: page.count)
    return page
  }

  /// An author has changed the page: the next reader shall not wait for it.
  func edit(_ number: UInt64) {
    let page = render(number)
    cache.set(page, forKey: number, cost: page.count)
  }

  /// The page is gone.
  func delete(_ number: UInt64) { cache.removeValue(forKey: number) }

  private func render(_ number: UInt64) -> [UInt8] {
    [UInt8](repeating: 0x2E, count: Int(number % 61) + 1)
  }
}

@Suite struct RecordedServiceTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  /// Serves readers whose taste is Zipf's, and now and then an author.
  private func serve<Policy: ReplacementPolicy & ~Copyable>(
    _ service: borrowing PageService<Policy>
  ) throws -> CacheStatistics {
    let trace = try TraceGenerators.trace("zipf:alpha=0.9:keys=500:requests=5000", seed: 1)
    for (index, id) in trace.ids.enumerated() {
      let number = trace.integerKey(of: id) ?? 0
      switch index % 97 {
      case 0: service.edit(number)
      case 1: service.delete(number)
      default: _ = service.page(number)
      }
    }
    return service.statistics
  }

  /// Runs the service, and replays what it recorded of itself.
  private func expectEqualReplay<Policy: ReplacementPolicy & ~Copyable>(
    _ type: Policy.Type, countLimit: Int? = nil, costLimit: Int? = nil, by command: String
  ) async throws {
    let file = shell.folder.appendingPathComponent("service.evtrace").path
    let recorder = try TraceRecorder(path: file)
    let live = try serve(
      PageService<Policy>(countLimit: countLimit, costLimit: costLimit, recorder: recorder))
    let recording = try recorder.finish()
    #expect(recording.files == [file])
    #expect(recording.dropped == 0 && recording.missesWithoutSet == 0)

    let policy = Policy.information.name
    let capacity = countLimit.map { "\($0)" } ?? costLimit.map { "\($0)B" } ?? ""
    let outcome = try await shell.run(
      "evict \(command) service.evtrace --policy \(policy) --capacity \(capacity) --no-yardstick "
        + "--format json")
    let results = try ResultSet(reading: outcome.output.utf8, file: policy)
    let replayed = try #require(results.measurements.first, "\(outcome)")
    #expect(live.hits > 0 && replayed.hits == live.hits, "\(policy)")
    #expect(replayed.hitRatio == live.hitRatio, "\(policy)")
  }

  @Test func replayHitsAsOftenAsTheService() async throws {
    try await expectEqualReplay(LRU.self, countLimit: 50, by: "replay")
    try await expectEqualReplay(ARC.self, countLimit: 25, by: "sweep")
    try await expectEqualReplay(SIEVE.self, costLimit: 1000, by: "sweep")
  }
}
