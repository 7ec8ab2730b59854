// Uses every kind of cache with every policy, filter and lock, and releases it: what LeakSanitizer finds when the
// program ends is lost.
//
//     caches FOLDER          prints the number of caches
//     caches FOLDER plant    loses caches, which the sanitizer must find
import DiskTier
import Eviction
import Foundation
import Parameters
import Synchronization

/// A key or a value that lies on the heap.
final class Page: Hashable, Sendable, CustomStringConvertible {
  private static let living = Atomic(0)
  static var count: Int { living.load(ordering: .relaxed) }

  let text: String

  init(_ number: Int) {
    text = "page \(number), too long to be stored in place"
    Page.living.add(1, ordering: .relaxed)
  }

  deinit { Page.living.add(-1, ordering: .relaxed) }

  var description: String { text }

  static func == (one: Page, other: Page) -> Bool { one.text == other.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

struct Failure: Error { let page = Page(0) }

@main
struct LeakCheck {
  /// The time of caches with a clock of their own.
  static let time = Atomic<UInt64>(1_000_000_000)
  static let coder = ValueCoder<Page>(
    name: "page", encode: { Array($0.text.utf8) }, decode: { _ in Page(1) })

  let folder: String
  var caches = 0

  static func main() async throws {
    let arguments = CommandLine.arguments
    var check = LeakCheck(folder: arguments[1])
    if arguments.count > 2 {
      // Several, as a register may still hold the address of the last.
      for _ in 0..<100 { lose(MemoryCache(countLimit: 10)) }
      return
    }
    for policy in PolicyCatalog.policies
    where !policy.information.isBound && policy.needs.isSubset(of: .knownToCaches) {
      try check.useMemory(policy)
      try await check.useDisk(policy)
    }
    try check.useLocks()
    check.openInVain()
    try await check.load()
    print("\(check.caches) caches")
    // A thread at its upkeep, or a task that is ending, holds a released cache for some microseconds more.
    let end = ContinuousClock.now + .seconds(30)
    while Page.count > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    if Page.count > 0 { print("\(Page.count) keys and values live on") }
    exit(Page.count == 0 ? 0 : 1)
  }

  @inline(never)
  static func lose(_ cache: MemoryCache<Page, Page>) {
    for number in 0..<10 { cache.set(Page(number), forKey: Page(number)) }
    _ = Unmanaged.passRetained(cache)
  }

  // MARK: - In memory

  /// Caches of a policy, in one part and in shards, by count and by cost, with each filter; half of them with
  /// entries that expire, buffered reads and a callback.
  mutating func useMemory(_ policy: CachePolicy) throws {
    let filters = AdmissionCatalog.all.map(\.information)
    for isBusy in [false, true] {
      var options = MemoryCacheOptions()
      if isBusy {
        options.clock = CacheClock { LeakCheck.time.load(ordering: .relaxed) }
        options.expiration = .after(.seconds(10), orIdle: .seconds(5))
        options.ageLimit = .seconds(9)
        options.reads = .buffered
        options.trimInterval = .seconds(60)
      }
      var onRemoval: MemoryCache<Page, Page>.RemovalCallback?
      if isBusy { onRemoval = { _, _, _ in } }
      fill(
        MemoryCache(countLimit: 40, policy: policy, options: options, onRemoval: onRemoval))
      fill(
        try ShardedCache.open(
          shards: 2, countLimit: 40, policy: policy, options: options, onRemoval: onRemoval))
      fill(try MemoryCache.open(policy: policy, options: options, onRemoval: onRemoval))
      for filter in filters {
        let admission = CacheAdmission(Specification(name: filter.name))
        fill(
          try MemoryCache.open(
            costLimit: 60, costs: .weighed { _ in 1 }, policy: policy, admission: admission,
            options: options,
            onRemoval: onRemoval))
      }
    }
  }

  mutating func fill(_ cache: some InMemoryCache<Page, Page>) {
    caches += 1
    for number in 0..<200 {
      let key = Page(number &* number % 70)
      if cache.value(forKey: key) == nil {
        cache.set(
          Page(number), forKey: key, cost: number % 4, missCost: 1,
          expiration: number % 5 == 0 ? .after(.seconds(1)) : nil)
      }
      if number % 11 == 0 { cache.remove(key) }
      if number % 9 == 0 { cache.update(forKey: key) { $0 = $0 == nil ? Page(number) : nil } }
      if number % 13 == 0 { cache.setCost(3, forKey: key) }
      if number % 50 == 0 { LeakCheck.time.add(2_000_000_000, ordering: .relaxed) }
    }
    cache.set(contentsOf: (0..<3).map { (Page($0), Page($0)) })
    _ = (cache.coldest(3), cache.hottest(3), cache.peek(Page(0)), cache.policyInternals)
    cache.removeEntries { $0.cost == 2 }
    if caches % 3 == 0 { cache.trim(toCount: 5) }
    if caches % 7 == 0 {
      cache.removeAll()
      cache.set(Page(1), forKey: Page(1), cost: 1, missCost: 1, expiration: nil)
    }
  }

  mutating func useLocks() throws {
    for lock in LockCatalog.all where lock != NoLock.self {
      let curve = LiveMissRatioCurve()
      fill(MemoryCache(countLimit: 40, lock: lock.init(), observer: curve))
      fill(ShardedCache(shards: 4, countLimit: 40, lock: lock.init()))
    }
  }

  /// Caches that cannot be made.
  mutating func openInVain() {
    for policy in PolicyCatalog.policies {
      caches += 2
      let unknown = CacheAdmission(Specification(name: "unknown"))
      _ = try? MemoryCache<Page, Page>.open(countLimit: 4, policy: policy, admission: unknown)
      _ = try? ShardedCache<Page, Page>.open(shards: 9, countLimit: 4, policy: policy)
    }
  }

  mutating func load() async throws {
    caches += 1
    let cache = MemoryCache<Page, Page>(countLimit: 4)
    for number in 0..<20 {
      _ = try await cache.value(forKey: Page(number)) { Page(number) }
      _ = try? await cache.value(
        forKey: Page(-1 - number), rememberingFailuresFor: .seconds(60)
      ) { throw Failure() }
    }
    let keys = (0..<9).map { Page($0) }
    _ = try await cache.values(forKeys: keys) { missing in
      Dictionary(uniqueKeysWithValues: missing.dropFirst().map { ($0, Page(1)) })
    }
    _ = try? await cache.values(forKeys: keys + [Page(1_000)]) { _ in throw Failure() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { _ = try await cache.value(forKey: Page(100 + number % 3)) { Page(1) } }
      }
      try await group.waitForAll()
    }
  }

  // MARK: - On disk

  /// A cache on disk that is closed, opened again and left open, with memory above it.
  mutating func useDisk(_ policy: CachePolicy) async throws {
    let path = folder + "/" + policy.information.name
    for writing in [TieredCacheOptions.Writing.through, .back(limit: 8)] {
      caches += 2
      var options = DiskCacheOptions()
      options.expiration = .after(.seconds(3_600))
      let disk = try await DiskCache<String, Page>.open(
        path: path, countLimit: 12, policy: policy, options: options, coder: LeakCheck.coder)
      var tiers = TieredCacheOptions()
      tiers.writing = writing
      tiers.memory.expiration = .after(.seconds(60))
      tiers.negativeTimeToLive = .seconds(60)
      let cache = try TieredCache.open(
        disk: disk, countLimit: 6, policy: policy, options: tiers)
      for number in 0..<30 {
        let key = "key \(number % 20)"
        if try await cache.value(forKey: key) == nil {
          try await cache.set(Page(number), forKey: key)
        }
      }
      _ = try await cache.value(forKey: "loaded") { Page(7) }
      try await cache.remove("key 1")
      try await cache.update(forKey: "key 2") { $0 = Page(8) }
      try await cache.disk.update(forKey: "key 3") { $0 = $0 ?? Page(9) }
      if writing == .through { try await cache.close() } else { try await cache.flush() }
    }
  }
}
