import Conformance
import Eviction
import Foundation
import Synchronization

/// A cache made for a test.
protocol FakeCache: InMemoryCache<UInt64, StampedValue> {}

extension FakeCache {
  /// Refuses the value.
  func insert(
    _ value: StampedValue, forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> (isInserted: Bool, value: StampedValue?) {
    (false, self.value(forKey: key))
  }

  /// Gets and sets, in two steps: what is set does not depend on what was there.
  func update<Result, Problem: Error>(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    _ body: (inout StampedValue?) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    var value: StampedValue? = resident(key)
    let result = try body(&value)
    if let value {
      set(value, forKey: key, cost: cost, missCost: missCost, expiration: expiration)
    } else {
      remove(key)
    }
    return result
  }

  /// Stores nothing that is loaded.
  func value(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?, orLoad load: () throws -> StampedValue
  ) throws -> StampedValue {
    try value(forKey: key) ?? load()
  }

  func value(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?,
    orLoad load: @escaping @Sendable () async throws -> StampedValue
  ) async throws -> StampedValue {
    let present: StampedValue? = resident(key)
    if let present { return present }
    return try await load()
  }

  func values(
    forKeys keys: some Sequence<UInt64> & Sendable, expiration: Expiration?,
    orLoad load: @escaping @Sendable ([UInt64]) async throws -> [UInt64: StampedValue]
  ) async throws -> [UInt64: StampedValue] {
    [:]
  }

  func value(
    forKey key: UInt64, rememberingFailuresFor duration: Duration?,
    orLoadEntry load: @escaping @Sendable () async throws -> LoadedEntry<StampedValue>
  ) async throws -> StampedValue {
    try await load().value
  }

  func values(
    forKeys keys: some Sequence<UInt64> & Sendable,
    orLoadEntries load:
      @escaping @Sendable ([UInt64]) async throws -> [UInt64: LoadedEntry<
        StampedValue
      >]
  ) async throws -> [UInt64: StampedValue] {
    [:]
  }

  func refreshValue(
    forKey key: UInt64,
    byLoadingEntry load: @escaping @Sendable () async throws -> LoadedEntry<StampedValue>
  ) async throws -> StampedValue {
    try await load().value
  }

  func refreshValue(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    byLoading load: () throws -> StampedValue
  ) throws -> StampedValue {
    try load()
  }

  func refreshValue(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    byLoading load: @escaping @Sendable () async throws -> StampedValue
  ) async throws -> StampedValue {
    try await load()
  }

  private func resident(_ key: UInt64) -> StampedValue? { value(forKey: key) }

  func removeValue(forKey key: UInt64) -> StampedValue? {
    let value = value(forKey: key)
    return remove(key) ? value : nil
  }

  func setExpiration(_ expiration: Expiration, forKey key: UInt64) {}

  func set(
    _ value: StampedValue, forKey key: UInt64, tags: Set<String>, cost: Int?, missCost: Double,
    expiration: Expiration?
  ) -> Bool {
    set(value, forKey: key, cost: cost, missCost: missCost, expiration: expiration)
  }

  func value(forKey key: UInt64, extendingTo expiration: Expiration) -> StampedValue? {
    value(forKey: key)
  }

  func removeAll(where shouldRemove: (UInt64) -> Bool) -> Int { 0 }

  func removeAll(tagged tag: String) -> Int { 0 }

  func tags(forKey key: UInt64) -> Set<String> { [] }

  func timeRemaining(forKey key: UInt64) -> Duration? { nil }

  func contains(_ key: UInt64) -> Bool { value(forKey: key) != nil }

  var count: Int { 0 }

  var totalCost: Int { 0 }

  func snapshot() -> [CacheEntry<UInt64, StampedValue>] { [] }

  func peek(_ key: UInt64) -> StampedValue? { value(forKey: key) }

  var isEmpty: Bool { true }

  var policy: CachePolicy { .lru }

  var policyInternals: [String: Double] { [:] }

  func coldest(_ count: Int) -> [UInt64]? { nil }

  func hottest(_ count: Int) -> [UInt64]? { nil }

  var entries: CacheEntries<UInt64, StampedValue> {
    MemoryCache<UInt64, StampedValue>(countLimit: 0).entries
  }

  func cost(forKey key: UInt64) -> Int? { nil }

  func setCost(_ cost: Int, forKey key: UInt64) {}

  var statistics: CacheStatistics { CacheStatistics() }

  func trim() -> Int { 0 }

  func trim(toCount count: Int) -> Int { 0 }

  func trim(toCost cost: Int) -> Int { 0 }

  /// There is none, and there will be none.
  var countLimit: Int? {
    get { nil }
    set {}
  }

  /// Likewise.
  var costLimit: Int? {
    get { nil }
    set {}
  }
}

/// A dictionary behind a mutex that does one thing wrong now and then.
final class FaultyCache: FakeCache {
  enum Fault: CaseIterable {
    case tornValue, otherKeysValue, inventedValue, forgottenUpdate, forgottenRemoval,
      ignoredExpiration, forgottenInsertion, refusedValue, outdatedLoad
  }

  private struct State {
    var values: [UInt64: StampedValue] = [:]
    var ends: [UInt64: ContinuousClock.Instant] = [:]
    var operations = 0
    /// The number of writes of each key, and of removals of all.
    private var changes: [UInt64: Int] = [:]
    private var removals = 0

    func writes(of key: UInt64) -> Int { changes[key, default: 0] + removals }

    /// The key's value, unless it has expired.
    func resident(_ key: UInt64) -> StampedValue? {
      if let end = ends[key], end <= .now { return nil }
      return values[key]
    }

    mutating func store(_ value: StampedValue, _ key: UInt64, _ expiration: Expiration) {
      values[key] = value
      ends[key] = expiration.timeToLive.map { .now + $0 }
      changes[key, default: 0] += 1
    }

    mutating func remove(_ key: UInt64) -> Bool {
      changes[key, default: 0] += 1
      return values.removeValue(forKey: key) != nil
    }

    mutating func removeAll() {
      removals += 1
      values = [:]
    }
  }

  private let state = Mutex(State())
  private let fault: Fault?
  /// The set that sleeps before it stores its value, and the microseconds for which it does.
  private let stall: (set: Int, microseconds: UInt32)?
  private let sets = Atomic(0)

  init(_ fault: Fault?, stall: (set: Int, microseconds: UInt32)? = nil) {
    self.fault = fault
    self.stall = stall
  }

  /// Runs `body`, telling it whether it is time for the fault.
  private func use<Result: Sendable>(_ kind: Fault, _ body: (inout State, Bool) -> Result) -> Result
  {
    state.withLock { state in
      state.operations += 1
      return body(&state, fault == kind && state.operations % 10 == 0)
    }
  }

  func value(forKey key: UInt64) -> StampedValue? {
    switch fault {
    case .tornValue:
      use(.tornValue) { state, isWrong in
        state.values[key].map {
          isWrong ? StampedValue($0, key: $0.key, version: $0.version + 1) : $0
        }
      }
    case .otherKeysValue:
      use(.otherKeysValue) { state, isWrong in state.values[isWrong ? key ^ 1 : key] }
    case .inventedValue:
      use(.inventedValue) { state, isWrong in
        isWrong ? StampedValue(key: key, version: 1 << 40) : state.values[key]
      }
    default:
      use(.ignoredExpiration) { state, isWrong in
        isWrong ? state.values[key] : state.resident(key)
      }
    }
  }

  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> Bool {
    let number = sets.add(1, ordering: .relaxed).oldValue
    if let stall, stall.set == number { usleep(stall.microseconds) }
    return use(.forgottenUpdate) { state, isWrong in
      if isWrong && state.values[key] != nil { return true }
      state.store(value, key, expiration ?? .never)
      return true
    }
  }

  func insert(
    _ value: StampedValue, forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> (isInserted: Bool, value: StampedValue?) {
    use(fault == .refusedValue ? .refusedValue : .forgottenInsertion) { state, isWrong in
      if let present = state.resident(key) {
        if isWrong && fault == .refusedValue { state.store(value, key, .never) }
        return (isWrong && fault == .forgottenInsertion, present)
      }
      state.store(value, key, expiration ?? .never)
      return (true, value)
    }
  }

  func value(
    forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?,
    rememberingFailuresFor duration: Duration?, orLoad load: () throws -> StampedValue
  ) throws -> StampedValue {
    let (present, before) = state.withLock { ($0.resident(key), $0.writes(of: key)) }
    if let present { return present }
    let value = try load()
    use(.outdatedLoad) { state, isWrong in
      if isWrong || state.writes(of: key) == before { state.store(value, key, .never) }
    }
    return value
  }

  func remove(_ key: UInt64) -> Bool {
    use(.forgottenRemoval) { state, isWrong in isWrong || state.remove(key) }
  }

  func removeAll() { state.withLock { $0.removeAll() } }
}

/// A lock that excludes nobody; unlike `NoLock`, it does not look for a second thread.
final class LeftOutLock: CacheLock {
  static let information = LockInformation(
    name: "left-out", summary: "excludes nobody", isThreadSafe: false)

  func withLock(_ body: () -> Void) { body() }
}

/// A direct-mapped cache whose places are a key and a value each, that a lock must keep together.
///
/// Each part is safe by itself, so that without the lock nothing worse happens than a wrong answer.
final class PairedCache: FakeCache {
  private final class Place: Sendable {
    let key = Atomic<UInt64>(.max)
    let value = Mutex<StampedValue?>(nil)
  }

  private let lock: any CacheLock
  private let places = (0..<8).map { _ in Place() }

  init(lock: any CacheLock) { self.lock = lock }

  private func place(of key: UInt64) -> Place { places[Int(key) % places.count] }

  func value(forKey key: UInt64) -> StampedValue? {
    let place = place(of: key)
    var value: StampedValue?
    lock.withLock {
      if place.key.load(ordering: .relaxed) == key { value = place.value.withLock { $0 } }
    }
    return value
  }

  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int?, missCost: Double, expiration: Expiration?
  ) -> Bool {
    let place = place(of: key)
    lock.withLock {
      place.key.store(key, ordering: .relaxed)
      // Lets another thread in, where there is one core for both.
      sched_yield()
      place.value.withLock { $0 = value }
    }
    return true
  }

  func remove(_ key: UInt64) -> Bool {
    let place = place(of: key)
    var removed: StampedValue?
    lock.withLock {
      if place.key.load(ordering: .relaxed) == key { removed = place.value.withLock { $0.take() } }
    }
    return removed != nil
  }

  func removeAll() {
    lock.withLock { for place in places { place.value.withLock { $0 = nil } } }
  }
}
