import CEvictionLab
import EvictionCore
import Parameters
import Requests
import Runner
import Synchronization

/// A cache of bytes: an `evl_cache`.
final class CacheObject: Sendable {
  typealias Cache = MemoryCache<ShortBytes, ShortBytes>

  let cache: Cache
  /// The values that left; nil where none are kept.
  let removed: RemovedValues?

  /// Makes an empty cache.
  init(_ choice: PolicyChoice?, _ options: evl_cache_options) throws(CallFailure) {
    let countLimit = try CacheObject.limit(options.count_limit, "count_limit")
    let costLimit = try CacheObject.limit(options.cost_limit, "cost_limit")
    let keepsRemoved = try Argument.flag(options.keeps_removed, "keeps_removed")
    let removed = keepsRemoved ? RemovedValues() : nil
    do throws(PlanError) { try choice?.refusePrefetcher() } catch { throw CallFailure(error) }
    do throws(PolicyError) {
      cache = try Cache.open(
        countLimit: countLimit, costLimit: costLimit, costs: .weighed { $0.count },
        policy: choice?.cachePolicy ?? .standard,
        admission: choice?.arguments.nested("admission").map { CacheAdmission($0) },
        seed: options.seed == 0 ? nil : options.seed, onRemoval: removed?.callback)
    } catch { throw CallFailure(error) }
    self.removed = removed
  }

  /// Stores a value; `cost` and `ttl` are those of `evl_cache_set`.
  ///
  /// - Returns: True if the value is in the cache.
  func set(
    _ value: ShortBytes, forKey key: ShortBytes, cost: UInt64, ttl: UInt64
  ) throws(CallFailure) -> Bool {
    let cost = cost == .max ? nil : try Argument.number(cost, "cost")
    return cache.set(
      value, forKey: key, cost: cost, expiration: ttl == 0 ? nil : .after(.nanoseconds(ttl)))
  }

  private static func limit(_ limit: UInt64, _ name: String) throws(CallFailure) -> Int? {
    limit == .max ? nil : try Argument.number(limit, name)
  }
}

extension PolicyChoice {
  /// The policies that texts name; plug-ins among them are opened.
  static func opening(_ texts: [String]) throws(PolicyError) -> [PolicyChoice] {
    try PluginLibrary.open(among: texts)
    return try parse(texts)
  }

  /// The one policy that a text names.
  init(named text: String) throws(CallFailure) {
    let choices = try wrapping(CallFailure.init) { () throws(PolicyError) in
      try PolicyChoice.opening([text])
    }
    guard choices.count == 1, choices[0].isNamed else {
      throw .usage("“\(text)” names \(choices.count) policies; give one")
    }
    self = choices[0]
  }

  /// The policy as a cache takes it.
  fileprivate var cachePolicy: CachePolicy {
    entry.policy.with(PolicyDescription.ownParameters(of: specification))
  }
}

/// Values that left a cache, the first of them first.
final class RemovedValues: Sendable {
  private let values = Mutex<(waiting: [ShortBytes], next: Int)>(([], 0))

  /// Keeps what leaves a cache.
  var callback: CacheObject.Cache.RemovalCallback {
    { [self] _, value, _ in values.withLock { $0.waiting.append(value) } }
  }

  /// Takes the first, if there is one; else nil.
  func takeFirst() -> ShortBytes? {
    values.withLock { values in
      guard values.next < values.waiting.count else { return nil }
      let value = values.waiting[values.next]
      values.next += 1
      giveBack(&values)
      return value
    }
  }

  /// Takes the first as long as they are numbers, and returns how many.
  func takeNumbers(to places: UnsafeMutablePointer<UInt64>, _ capacity: UInt64) -> UInt64 {
    values.withLock { values in
      var count: UInt64 = 0
      while count < capacity, values.next < values.waiting.count,
        let number = values.waiting[values.next].number
      {
        places[Int(count)] = number
        count += 1
        values.next += 1
      }
      if count > 0 { giveBack(&values) }
      return count
    }
  }

  /// Gives back what was taken when it is half of all.
  private func giveBack(_ values: inout (waiting: [ShortBytes], next: Int)) {
    guard 2 * values.next >= values.waiting.count else { return }
    values.waiting.removeFirst(values.next)
    values.next = 0
  }
}
