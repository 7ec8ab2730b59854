import Eviction
import Foundation
import Synchronization

/// The keys and values of a run, made before the clock starts: numbers for the generic caches, and
/// objects for `NSCache`, which takes nothing else (boxed once: its best case).
struct Workload {
  let ids: [UInt32]
  let keys: [UInt64]
  let objects: [BoxedNumber]
  let capacity: Int
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
  /// Whether the key of `id` has a value.
  func get(_ id: Int, of workload: borrowing Workload) -> Bool
  func set(_ id: Int, of workload: borrowing Workload)
}

/// This project's cache.
struct SlotCache: Contender {
  static let name = "MemoryCache<UInt64, UInt64, LRU>"
  private let cache: MemoryCache<UInt64, UInt64, LRU>

  init(capacity: Int) {
    do throws(PolicyError) {
      cache = try MemoryCache(countLimit: capacity)
    } catch { fatalError("\(error)") }
  }

  @inline(__always)
  func get(_ id: Int, of workload: borrowing Workload) -> Bool {
    cache.value(forKey: workload.keys[id]) != nil
  }

  @inline(__always)
  func set(_ id: Int, of workload: borrowing Workload) {
    cache.set(UInt64(id), forKey: workload.keys[id])
  }
}

/// Foundation's class as it is.
struct FoundationCache: Contender {
  static let name = "NSCache"
  private let cache = NSCache<BoxedNumber, BoxedNumber>()

  init(capacity: Int) { cache.countLimit = capacity }

  @inline(__always)
  func get(_ id: Int, of workload: borrowing Workload) -> Bool {
    cache.object(forKey: workload.objects[id]) != nil
  }

  @inline(__always)
  func set(_ id: Int, of workload: borrowing Workload) {
    cache.setObject(workload.objects[id], forKey: workload.objects[id])
  }
}

/// The usual Swift LRU: a dictionary of class nodes that are linked in order of use, behind a mutex.
final class NodeCache: Contender {
  static let name = "dictionary of class nodes"

  final class Node {
    let key: UInt64
    var value: UInt64
    var older: Node?
    unowned(unsafe) var newer: Node?

    init(key: UInt64, value: UInt64) {
      self.key = key
      self.value = value
    }
  }

  private struct State {
    var nodes: [UInt64: Node] = [:]
    var newest: Node?
    unowned(unsafe) var oldest: Node?

    mutating func unlink(_ node: Node) {
      let older = node.older
      let newer = node.newer
      if newer == nil { newest = older } else { newer?.older = older }
      if older == nil { oldest = newer } else { older?.newer = newer }
      node.newer = nil
      node.older = nil
    }

    mutating func linkAsNewest(_ node: Node) {
      node.older = newest
      newest?.newer = node
      newest = node
      if oldest == nil { oldest = node }
    }
  }

  private let capacity: Int
  private let mutex = NSLock()
  private var state = State()

  init(capacity: Int) { self.capacity = capacity }

  deinit {
    // Links are unhooked one by one: releasing a chain of a hundred thousand would recurse.
    while let node = state.newest { state.unlink(node) }
  }

  func get(_ id: Int, of workload: borrowing Workload) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    guard let node = state.nodes[workload.keys[id]] else { return false }
    state.unlink(node)
    state.linkAsNewest(node)
    return true
  }

  func set(_ id: Int, of workload: borrowing Workload) {
    let key = workload.keys[id]
    let value = UInt64(id)
    mutex.lock()
    defer { mutex.unlock() }
    if let node = state.nodes[key] {
      node.value = value
      state.unlink(node)
      state.linkAsNewest(node)
      return
    }
    if state.nodes.count >= capacity, let victim = state.oldest {
      state.unlink(victim)
      state.nodes[victim.key] = nil
    }
    let node = Node(key: key, value: value)
    state.nodes[key] = node
    state.linkAsNewest(node)
  }
}

/// The floor: the standard dictionary behind a mutex, which evicts nothing.
final class LockedDictionary: Contender {
  static let name = "dictionary with a lock (no eviction)"
  private let mutex = NSLock()
  private var values: [UInt64: UInt64] = [:]

  init(capacity: Int) {}

  func get(_ id: Int, of workload: borrowing Workload) -> Bool {
    mutex.lock()
    defer { mutex.unlock() }
    return values[workload.keys[id]] != nil
  }

  func set(_ id: Int, of workload: borrowing Workload) {
    mutex.lock()
    defer { mutex.unlock() }
    values[workload.keys[id]] = UInt64(id)
  }
}
