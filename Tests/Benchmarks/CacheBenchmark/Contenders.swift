import Eviction
import Foundation
import Synchronization

/// The keys and values of a run, made before the clock starts: numbers or texts for the generic caches,
/// and objects for `NSCache`, which takes nothing else (boxed once: its best case). They lie in the order of
/// the requests, as a key comes with its request: looking one up would cost as much as some of the caches.
struct Workload {
  let numbers: [UInt64]
  let boxedNumbers: [BoxedNumber]
  let texts: [String]
  let boxedTexts: [NSString]
  let capacity: Int
}

/// The kind of a run's keys.
protocol KeyKind {
  associatedtype Key: Hashable & Sendable
  associatedtype Object: NSObject
  static var name: String { get }
  static func key(_ place: Int, of workload: borrowing Workload) -> Key
  static func object(_ place: Int, of workload: borrowing Workload) -> Object
}

enum Numbers: KeyKind {
  static let name = "UInt64"

  @inline(__always)
  static func key(_ place: Int, of workload: borrowing Workload) -> UInt64 {
    workload.numbers[place]
  }

  @inline(__always)
  static func object(_ place: Int, of workload: borrowing Workload) -> BoxedNumber {
    workload.boxedNumbers[place]
  }
}

enum Texts: KeyKind {
  static let name = "String"

  @inline(__always)
  static func key(_ place: Int, of workload: borrowing Workload) -> String { workload.texts[place] }

  @inline(__always)
  static func object(_ place: Int, of workload: borrowing Workload) -> NSString {
    workload.boxedTexts[place]
  }
}

/// Keys that are only `Hashable`: the numbers in a struct.
enum Structs: KeyKind {
  struct Key: Hashable {
    let number: UInt64
  }

  static let name = "struct"

  @inline(__always)
  static func key(_ place: Int, of workload: borrowing Workload) -> Key {
    Key(number: workload.numbers[place])
  }

  @inline(__always)
  static func object(_ place: Int, of workload: borrowing Workload) -> BoxedNumber {
    workload.boxedNumbers[place]
  }
}

/// A number as an object, for `NSCache`'s keys and values.
final class BoxedNumber: NSObject, @unchecked Sendable {
  let number: UInt64

  init(_ number: UInt64) { self.number = number }

  override var hash: Int { Int(truncatingIfNeeded: number) }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? BoxedNumber)?.number == number
  }
}

/// A cache to be timed: a get, and a set on a miss, under a lock of its own.
protocol Contender {
  static var name: String { get }
  init(capacity: Int)
  /// Returns true if the key of the request at `place` has a value.
  func get(_ place: Int, of workload: borrowing Workload) -> Bool
  func set(_ place: Int, of workload: borrowing Workload)
}

/// This project's cache.
struct SlotCache<Keys: KeyKind>: Contender {
  static var name: String { "MemoryCache<\(Keys.name), UInt64>" }
  private let cache: MemoryCache<Keys.Key, UInt64>

  init(capacity: Int) {
    cache = MemoryCache(countLimit: capacity, policy: .lru)
  }

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    cache.value(forKey: Keys.key(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    cache.set(UInt64(place), forKey: Keys.key(place, of: workload))
  }
}

/// The same without a lock, for one thread: the rest is what the lock and its call cost.
struct UnlockedCache<Keys: KeyKind>: Contender {
  static var name: String { "the same, without a lock" }
  private let cache: MemoryCache<Keys.Key, UInt64>

  init(capacity: Int) {
    cache = MemoryCache(countLimit: capacity, policy: .lru, lock: NoLock())
  }

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    cache.value(forKey: Keys.key(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    cache.set(UInt64(place), forKey: Keys.key(place, of: workload))
  }
}

/// The same with entries that expire after an hour, or a minute without use.
struct ExpiringCache<Keys: KeyKind>: Contender {
  static var name: String { "the same, its entries expire" }
  private let cache: MemoryCache<Keys.Key, UInt64>

  init(capacity: Int) {
    var options = MemoryCacheOptions()
    options.expiration = .after(.seconds(3_600), orIdle: .seconds(60))
    cache = MemoryCache(countLimit: capacity, policy: .lru, options: options)
  }

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    cache.value(forKey: Keys.key(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    cache.set(UInt64(place), forKey: Keys.key(place, of: workload))
  }
}

/// Foundation's class as it is.
struct FoundationCache<Keys: KeyKind>: Contender {
  static var name: String { "NSCache" }
  private let cache = NSCache<Keys.Object, BoxedNumber>()

  init(capacity: Int) { cache.countLimit = capacity }

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    cache.object(forKey: Keys.object(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    cache.setObject(workload.boxedNumbers[place], forKey: Keys.object(place, of: workload))
  }
}

/// The usual Swift LRU cache, as published packages build it: the dictionary owns class nodes that are
/// linked in order of use; a set writes under the lock, then takes it again to make room.
final class NodeCache<Keys: KeyKind>: Contender {
  static var name: String { "dictionary of class nodes" }

  private final class Node {
    let key: Keys.Key
    var value: UInt64
    var cost: Int
    unowned(unsafe) var older: Node?
    unowned(unsafe) var newer: Node?

    init(key: Keys.Key, value: UInt64, cost: Int) {
      self.key = key
      self.value = value
      self.cost = cost
    }
  }

  private let countLimit: Int
  private let costLimit = Int.max
  private let lock = NSLock()
  private var nodes: [Keys.Key: Node] = [:]
  private var totalCost = 0
  private unowned(unsafe) var newest: Node?
  private unowned(unsafe) var oldest: Node?

  init(capacity: Int) { countLimit = capacity }

  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    value(forKey: Keys.key(place, of: workload)) != nil
  }

  func set(_ place: Int, of workload: borrowing Workload) {
    set(UInt64(place), forKey: Keys.key(place, of: workload), cost: 1)
  }

  private func value(forKey key: Keys.Key) -> UInt64? {
    lock.lock()
    defer { lock.unlock() }
    guard let node = nodes[key] else { return nil }
    unlink(node)
    linkAsNewest(node)
    return node.value
  }

  private func set(_ value: UInt64, forKey key: Keys.Key, cost: Int) {
    lock.lock()
    if let node = nodes[key] {
      totalCost -= node.cost
      node.value = value
      node.cost = cost
      unlink(node)
      linkAsNewest(node)
    } else {
      let node = Node(key: key, value: value, cost: cost)
      nodes[key] = node
      linkAsNewest(node)
    }
    totalCost += cost
    lock.unlock()
    makeRoom()
  }

  private func makeRoom() {
    lock.lock()
    defer { lock.unlock() }
    while nodes.count > countLimit || totalCost > costLimit, let victim = oldest {
      unlink(victim)
      totalCost -= victim.cost
      nodes[victim.key] = nil
    }
  }

  private func unlink(_ node: Node) {
    if newest === node { newest = node.older }
    if oldest === node { oldest = node.newer }
    node.newer?.older = node.older
    node.older?.newer = node.newer
  }

  private func linkAsNewest(_ node: Node) {
    node.older = newest
    node.newer = nil
    newest?.newer = node
    newest = node
    if oldest == nil { oldest = node }
  }
}

/// The floor: the standard dictionary behind a mutex, which evicts nothing.
final class LockedDictionary<Keys: KeyKind>: Contender {
  static var name: String { "dictionary with a lock (no eviction)" }
  private let mutex = NSLock()
  private var values: [Keys.Key: UInt64] = [:]

  init(capacity: Int) {}

  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    return values[Keys.key(place, of: workload)] != nil
  }

  func set(_ place: Int, of workload: borrowing Workload) {
    mutex.lock()
    defer { mutex.unlock() }
    values[Keys.key(place, of: workload)] = UInt64(place)
  }
}

/// The standard dictionary by itself: what the mutex costs where no call comes between.
final class PlainDictionary<Keys: KeyKind>: Contender {
  static var name: String { "dictionary without a lock" }
  private var values: [Keys.Key: UInt64] = [:]

  init(capacity: Int) {}

  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    values[Keys.key(place, of: workload)] != nil
  }

  func set(_ place: Int, of workload: borrowing Workload) {
    values[Keys.key(place, of: workload)] = UInt64(place)
  }
}
