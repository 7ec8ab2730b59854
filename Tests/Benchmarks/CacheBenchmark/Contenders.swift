import Eviction
import Foundation
import UsualCaches

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

/// The usual cache of class nodes.
struct UsualCache<Keys: KeyKind>: Contender {
  static var name: String { "dictionary of class nodes" }
  private let cache: NodeCache<Keys.Key>

  init(capacity: Int) { cache = NodeCache(countLimit: capacity) }

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    cache.value(forKey: Keys.key(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    cache.set(UInt64(place), forKey: Keys.key(place, of: workload))
  }
}

/// The floor: the standard dictionary behind a mutex, which evicts nothing.
struct Floor<Keys: KeyKind>: Contender {
  static var name: String { "dictionary with a lock (no eviction)" }
  private let dictionary = LockedDictionary<Keys.Key>()

  init(capacity: Int) {}

  @inline(__always)
  func get(_ place: Int, of workload: borrowing Workload) -> Bool {
    dictionary.value(forKey: Keys.key(place, of: workload)) != nil
  }

  @inline(__always)
  func set(_ place: Int, of workload: borrowing Workload) {
    dictionary.set(UInt64(place), forKey: Keys.key(place, of: workload))
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
