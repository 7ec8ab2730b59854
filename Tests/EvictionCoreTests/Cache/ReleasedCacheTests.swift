import AllocationCounter
import Eviction
import Parameters
import Synchronization
import TestConditions
import Testing

/// The number of objects that live.
private final class Living: Sendable {
  private let number = Atomic(0)
  var count: Int { number.load(ordering: .relaxed) }
  func add(_ difference: Int) { number.add(difference, ordering: .relaxed) }
}

/// A key or a value that is counted while it lives.
private final class Counted: Hashable, Sendable {
  let number: Int
  private let living: Living

  init(_ number: Int, _ living: Living) {
    self.number = number
    self.living = living
    living.add(1)
  }

  deinit { living.add(-1) }

  static func == (one: Counted, other: Counted) -> Bool { one.number == other.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The ways to make a cache in memory.
private enum Making: CaseIterable {
  case whole, wholeOpened, sharded, shardedOpened

  func callAsFunction(
    countLimit: Int?, costLimit: Int?, _ policy: CachePolicy, _ admission: CacheAdmission?,
    _ options: MemoryCacheOptions,
    onRemoval: MemoryCache<Counted, Counted>.RemovalCallback?
  ) throws -> any InMemoryCache<Counted, Counted> {
    switch self {
    case .whole:
      return MemoryCache(
        countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission,
        seed: 1, options: options, onRemoval: onRemoval)
    case .wholeOpened:
      return try MemoryCache<Counted, Counted>.open(
        countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission,
        seed: 1, options: options, onRemoval: onRemoval)
    case .sharded:
      return ShardedCache(
        shards: 3, countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission, seed: 1, options: options, onRemoval: onRemoval)
    case .shardedOpened:
      return try ShardedCache<Counted, Counted>.open(
        shards: 3, countLimit: countLimit, costLimit: costLimit, costs: .given, policy: policy,
        admission: admission, seed: 1, options: options, onRemoval: onRemoval)
    }
  }
}

@Suite("A released cache")
struct ReleasedCacheTests {
  static let policies = PolicyCatalog.policies.filter {
    !$0.information.isBound && $0.needs.isSubset(of: .knownToCaches)
  }
  static let filters =
    [nil]
    + AdmissionCatalog.all.map {
      CacheAdmission(Specification(name: $0.information.name))
    }

  /// Fills a cache, and leaves it to the end of the call.
  @inline(never)
  private func use(
    _ making: Making, countLimit: Int? = nil, costLimit: Int? = nil, _ policy: CachePolicy,
    _ admission: CacheAdmission? = nil, isHeard: Bool = false, requests: Int, _ living: Living
  ) throws {
    var options = MemoryCacheOptions()
    if isHeard { options.expiration = .after(.seconds(3_600), orIdle: .seconds(600)) }
    var onRemoval: MemoryCache<Counted, Counted>.RemovalCallback?
    if isHeard { onRemoval = { _, _, _ in } }
    let cache = try making(
      countLimit: countLimit, costLimit: costLimit, policy, admission, options,
      onRemoval: onRemoval)
    for number in 0..<requests {
      let key = Counted((number &* number &+ number / 7) % (requests / 3), living)
      if cache.value(forKey: key) == nil {
        cache.set(
          Counted(number, living), forKey: key, cost: 1 + number % 3, missCost: 1, expiration: nil)
      }
      if number % 19 == 0 { cache.remove(key) }
    }
  }

  @Test("F1, F13: releases its keys and values, and gives back its memory", arguments: policies)
  func releases(policy: CachePolicy) throws {
    let living = Living()
    // Once for what is made at the first use.
    for isFirst in [true, false] {
      for making in Making.allCases {
        for isHeard in [false, true] {
          let before = bytes_held_by_this_thread()
          try use(
            making, countLimit: 48, policy, isHeard: isHeard, requests: isOptimized ? 300 : 150,
            living)
          for filter in Self.filters.prefix(isOptimized ? .max : 1) {
            try use(
              making, costLimit: 96, policy, filter, isHeard: isHeard,
              requests: isOptimized ? 300 : 150, living)
          }
          let left = living.count
          #expect(left == 0, "\(left) objects live on: \(making), \(isHeard)")
          let bytes = bytes_held_by_this_thread() - before
          #expect(isFirst || bytes == 0, "\(bytes) bytes are lost: \(making), \(isHeard)")
        }
      }
    }
  }

  @Test("takes no room though there were thousands", .enabled(if: allocations_are_counted()))
  func thousands() throws {
    let living = Living()
    func use(_ number: Int) throws {
      let policy = Self.policies[number % Self.policies.count]
      let making = Making.allCases[number % 4]
      try self.use(
        making, countLimit: 12, policy, isHeard: number % 8 > 3, requests: 40, living)
    }
    for number in 0..<200 { try use(number) }
    let before = bytes_held_by_this_thread()
    for number in 0..<(isOptimized ? 10_000 : 500) { try use(number) }
    #expect(living.count == 0)
    #expect(bytes_held_by_this_thread() - before < 1 << 20)
  }

  @Test("has released what was loaded, and errors that it remembered")
  func loads() throws {
    struct Failure: Error { let object: Counted }
    let living = Living()
    func use() throws {
      let cache = MemoryCache<Counted, Counted>(countLimit: 4)
      for number in 0..<10 {
        _ = try cache.value(forKey: Counted(number, living)) { Counted(number, living) }
        #expect(throws: Failure.self) {
          try cache.value(
            forKey: Counted(-1 - number, living), rememberingFailuresFor: .seconds(60)
          ) { throw Failure(object: Counted(number, living)) }
        }
      }
      #expect(living.count > 0)
    }
    try use()
    #expect(living.count == 0)
  }
}

// MARK: - The compiler

/// A fault of Swift 6.3, for which `MemoryCache.deinit` moves its core out instead of deinitializing it.
private struct Store<Value>: ~Copyable {
  let memory: UnsafeMutablePointer<Value>
  /// Makes the layout depend on the parameter.
  var last: Value?

  init(_ value: Value) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: value)
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

private struct Core<Value>: ~Copyable { var store: Store<Value> }

private final class Owner<Value> {
  private let core: UnsafeMutablePointer<Core<Value>>
  private let moves: Bool

  @inline(never)
  init(_ value: Value, moves: Bool) {
    core = .allocate(capacity: 1)
    core.initialize(to: Core(store: Store(value)))
    self.moves = moves
  }

  deinit {
    if moves { _ = core.move() } else { core.deinitialize(count: 1) }
    core.deallocate()
  }
}

@Suite("The compiler")
struct CompilerTests {
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func own<Value>(_ value: Value, moves: Bool) {
    withExtendedLifetime(Owner(value, moves: moves)) {}
  }

  @Test("runs every deinit when a generic struct is moved out")
  func moved() {
    let living = Living()
    own(Counted(1, living), moves: true)
    #expect(living.count == 0)
  }

  @Test(
    "still forgets a deinit when it is deinitialized in place",
    .enabled(if: isOptimized, "only optimised code is wrong"))
  func deinitialized() {
    let living = Living()
    own(Counted(1, living), moves: false)
    if living.count > 0 {
      withKnownIssue("Swift 6.3 never runs Store.deinit") { #expect(living.count == 0) }
    } else {
      // No failure: a package's user may have a later compiler than it was written with.
      let news: Comment = """
        This compiler is mended. Once Package.swift demands it, `deinitialize(count: 1)` will do in MemoryCache, and \
        these tests are superfluous.
        """
      #if compiler(>=6.3)
        Issue.record(news, severity: .warning)
      #else
        print(news)
      #endif
    }
  }
}
