import Dispatch
import EvictionCore
import Foundation
import Synchronization

/// YYCache's memory tier: least recently used first, within limits of count, cost and age.
///
/// More entries than the count limit evict one inline; more cost is trimmed later. The trim takes the lock only if it
/// is free, for one victim at a time, and waits 10 ms otherwise; victims are released together, outside the lock.
///
/// - Complexity: O(1) for a get, a set and a removal.
package final class YYMemoryCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  /// The place where victims are released.
  package enum Release: Sendable {
    /// A background queue.
    case background
    /// The main thread.
    case main
    /// The thread that evicts.
    case caller
  }

  /// The time between two trims.
  package static var trimInterval: Duration { .seconds(5) }
  /// The wait of a trim for a lock that is taken.
  package static var backOff: Duration { .milliseconds(10) }

  /// The name, for anyone who debugs.
  package let name: String
  /// Empties the cache on memory pressure.
  package let removesAllOnMemoryPressure: Bool
  /// Empties the cache when the app goes to the background.
  package let removesAllInBackground: Bool
  /// Called after memory pressure.
  package var onMemoryPressure: (@Sendable () -> Void)?
  /// Called after the app went to the background.
  package var onBackground: (@Sendable () -> Void)?

  private let lock: any TryableLock
  /// The entries in their order; the lock around it excludes others.
  private let entries: MemoryCache<Key, Value>
  private let victims = Victims<Value>()
  private let limits: Mutex<Limits>
  private let release: Release
  private let trims: DispatchQueue?
  private let evictions = Atomic(0)
  private var observation: SystemEvents.Observation?

  private struct Limits {
    var count: Int
    var cost: Int
    var age: Duration?
  }

  /// - Parameters:
  ///   - name: The name, for anyone who debugs.
  ///   - countLimit: The most entries.
  ///   - costLimit: The most that entries cost together.
  ///   - ageLimit: The time since the last use after which an entry leaves at a trim; nil for any.
  ///   - lock: The lock: a POSIX mutex, in earlier versions a spin lock.
  ///   - clock: The clock of ages and of the trims.
  ///   - events: The events on which the cache empties itself.
  ///   - removesAllOnMemoryPressure: Empties the cache on memory pressure.
  ///   - removesAllInBackground: Empties the cache when the app goes to the background.
  ///   - release: The place where victims are released.
  ///   - trimsLater: Trims costs on a background queue, as the original does: by how much they pass the limit
  ///     meanwhile depends on the machine. Otherwise within the call that passed it, so that runs repeat.
  package init(
    name: String = "", countLimit: Int = .max, costLimit: Int = .max, ageLimit: Duration? = nil,
    lock: any TryableLock = PThreadLock(), clock: SystemClock = SystemClock(),
    events: SystemEvents = .shared, removesAllOnMemoryPressure: Bool = true,
    removesAllInBackground: Bool = true, release: Release = .background, trimsLater: Bool = true
  ) {
    self.name = name
    self.lock = lock
    self.removesAllOnMemoryPressure = removesAllOnMemoryPressure
    self.removesAllInBackground = removesAllInBackground
    self.release = release
    trims =
      trimsLater
      ? DispatchQueue(label: "yycache.trim", qos: .utility, target: .global(qos: .utility)) : nil
    limits = Mutex(Limits(count: countLimit, cost: costLimit, age: ageLimit))
    var options = MemoryCacheOptions()
    options.clock = clock.cacheClock
    options.tracksAges = true
    entries = MemoryCache(
      policy: .lru, lock: NoLock(), options: options,
      onRemoval: { [victims] _, value, _ in victims.add(value) })
    clock.repeat(every: YYMemoryCache.trimInterval) { [weak self] in self?.trimLater() }
    observation = events.observe { [weak self] in self?.respond(to: $0) }
  }

  private func respond(to event: SystemEvent) {
    switch event {
    case .memoryPressure:
      if removesAllOnMemoryPressure { removeAll() }
      onMemoryPressure?()
    case .background:
      if removesAllInBackground { removeAll() }
      onBackground?()
    }
  }

  package var countLimit: Int {
    get { limits.withLock { $0.count } }
    set { limits.withLock { $0.count = newValue } }
  }

  package var costLimit: Int {
    get { limits.withLock { $0.cost } }
    set { limits.withLock { $0.cost = newValue } }
  }

  package var ageLimit: Duration? {
    get { limits.withLock { $0.age } }
    set { limits.withLock { $0.age = newValue } }
  }

  package var totalCount: Int { locked { entries.count } }
  package var totalCost: Int { locked { entries.totalCost } }
  /// Entries that limits pushed out.
  package var evicted: Int { evictions.load(ordering: .relaxed) }

  private func locked<Result>(_ body: () -> Result) -> Result {
    var result: Result?
    lock.withLock { result = body() }
    guard let result else { preconditionFailure("the lock did not run its body") }
    return result
  }

  /// Returns true if the key has a value; its place in the order stays.
  package func contains(_ key: Key) -> Bool { locked { entries.contains(key) } }

  /// Returns the value of `key`, which becomes the most recent.
  package func value(forKey key: Key) -> Value? { locked { entries.value(forKey: key) } }

  /// Stores a value; nil removes it.
  package func set(_ value: Value?, forKey key: Key, cost: Int = 0) {
    guard let value else { return remove(key) }
    let limits = limits.withLock { $0 }
    var isTooCostly = false
    let left = Parcel<Value>()
    lock.withLock {
      entries.set(value, forKey: key, cost: cost)
      isTooCostly = entries.totalCost > limits.cost
      if entries.count > limits.count { evictOne() }
      victims.move(into: left)
    }
    free(left)
    if isTooCostly { later { $0.trim(toCost: limits.cost) } }
  }

  package func remove(_ key: Key) { removing { entries.remove(key) } }

  package func removeAll() { removing { entries.removeAll() } }

  private func removing(_ body: () -> Void) {
    let left = Parcel<Value>()
    lock.withLock {
      body()
      victims.move(into: left)
    }
    free(left)
  }

  /// Evicts the least recently used entry. The lock is held.
  private func evictOne() {
    evictions.add(entries.trim(toCount: entries.count - 1), ordering: .relaxed)
  }

  /// Trims by cost, count and age, in this order.
  package func trim() {
    let limits = limits.withLock { $0 }
    trim(toCost: limits.cost)
    trim(toCount: limits.count)
    if let age = limits.age { trim(toAge: age) }
  }

  package func trim(toCount count: Int) {
    if count <= 0 { return removeAll() }
    trim { $0.count > count ? $0.trim(toCount: $0.count - 1) : 0 }
  }

  package func trim(toCost cost: Int) {
    if cost <= 0 { return removeAll() }
    trim { $0.totalCost > cost ? $0.trim(toCount: $0.count - 1) : 0 }
  }

  package func trim(toAge age: Duration) {
    if age <= .zero { return removeAll() }
    trim { $0.trim(toAge: age, atMost: 1) }
  }

  /// Takes victims, one an acquisition of the lock, until `next` finds none.
  ///
  /// - Parameter next: Removes a victim and returns 1, or returns 0.
  private func trim(_ next: (MemoryCache<Key, Value>) -> Int) {
    let left = Parcel<Value>()
    var isDone = false
    while !isDone {
      let isFree = lock.withLockIfAvailable {
        let number = next(entries)
        isDone = number == 0
        evictions.add(number, ordering: .relaxed)
        victims.move(into: left)
      }
      if !isFree { usleep(UInt32(YYMemoryCache.backOff.nanoseconds / 1_000)) }
    }
    free(left)
  }

  private func trimLater() { later { $0.trim() } }

  /// Calls `body` on the queue of the trims, or here.
  private func later(_ body: @escaping @Sendable (YYMemoryCache) -> Void) {
    guard let trims else { return body(self) }
    trims.async { [weak self] in self.map(body) }
  }

  /// Releases values where the options say.
  private func free(_ left: Parcel<Value>) {
    if left.isEmpty { return }
    switch release {
    case .caller: left.release()
    case .background: DispatchQueue.global(qos: .utility).async { left.release() }
    case .main: DispatchQueue.main.async { left.release() }
    }
  }

  /// Waits for trims that have begun.
  package func finish() { trims?.sync {} }
}

/// The values that left the entries below, until the lock is given back.
private final class Victims<Value: Sendable>: @unchecked Sendable {
  private var values: [Value] = []

  func add(_ value: Value) { values.append(value) }

  func move(into parcel: Parcel<Value>) {
    if values.isEmpty { return }
    parcel.append(values)
    values = []
  }
}

/// Values on their way to where they are released: no one else refers to them through this cache.
private final class Parcel<Value: Sendable>: @unchecked Sendable {
  private var values: [Value] = []

  var isEmpty: Bool { values.isEmpty }

  func append(_ more: [Value]) { values += more }

  func release() { values = [] }
}
