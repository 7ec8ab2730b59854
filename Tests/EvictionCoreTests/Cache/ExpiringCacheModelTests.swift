import Dispatch
import Eviction
import EvictionTesting
import Parameters
import Synchronization
import TestConditions
import Testing

/// A naive cache of entries that expire, which is told what its limits push out.
private struct ExpiringModel {
  struct Entry {
    var value: Int
    var cost: Int
    var end: UInt64
    var idle: UInt64
    var idleFrom: UInt64
    var lastSet: UInt64
    var lastUse: UInt64
  }

  var entries: [Int: Entry] = [:]
  var ageLimit: UInt64?
  var ageReference = AgeReference.lastUse

  func isOver(_ entry: Entry, at now: UInt64) -> Bool {
    let aged = ageReference == .lastUse ? entry.lastUse : entry.lastSet
    return now >= entry.end || now - entry.idleFrom >= entry.idle
      || ageLimit.map { now - aged >= $0 } ?? false
  }

  mutating func set(
    _ value: Int, forKey key: Int, cost: Int, _ expiration: Expiration, at now: UInt64
  ) {
    entries[key] = Entry(
      value: value, cost: cost, end: .max, idle: .max, idleFrom: now, lastSet: now, lastUse: now)
    renew(key, expiration, at: now)
  }

  mutating func renew(_ key: Int, _ expiration: Expiration, at now: UInt64) {
    func nanoseconds(_ duration: Duration?) -> UInt64? {
      duration.map { UInt64($0.components.seconds) * 1_000_000_000 }
    }
    entries[key]?.end = nanoseconds(expiration.timeToLive).map { now + $0 } ?? .max
    entries[key]?.idle = nanoseconds(expiration.timeToIdle) ?? .max
    entries[key]?.idleFrom = now
  }

  mutating func use(_ key: Int, at now: UInt64) {
    entries[key]?.lastUse = now
    entries[key]?.idleFrom = now
  }

  /// Accounts for what the cache says has left; returns what cannot be true.
  mutating func leave(_ removal: Removals<Int>.Removal, at now: UInt64) -> String? {
    guard let entry = entries.removeValue(forKey: removal.key), entry.value == removal.value else {
      return "\(removal.key) left, which was not there"
    }
    switch removal.cause {
    case .expired: return isOver(entry, at: now) ? nil : "\(removal.key) expired too early"
    case .size: return isOver(entry, at: now) ? "\(removal.key) was evicted, and had expired" : nil
    case .discarded: return "\(removal.key) was discarded"
    case .replaced, .removed: return nil
    }
  }

  func living(at now: UInt64) -> [Int: Entry] { entries.filter { !isOver($0.value, at: now) } }
}

/// Random operations on a cache of each policy and on the model.
private struct ExpiringCacheChecker: PolicyVisitor {
  let seed: UInt64

  @_semantics("optimize.sil.specialize.generic.never")
  mutating func visit<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) {
    if Policy.information.isBound || !policy.needs.isSubset(of: .knownToCaches) { return }
    if let problem = check(policy) {
      Issue.record("\(Policy.information.name), seed \(seed): \(problem)")
    }
  }

  private func check<Policy: ReplacementPolicy & ~Copyable>(_ policy: Policy.Type) -> String? {
    var generator = SplitMix64(seed: seed)
    let time = ManualClock()
    let removals = Removals<Int>()
    var model = ExpiringModel()
    let standard: Expiration = seed % 2 == 0 ? .never : .after(.seconds(20))
    model.ageLimit = seed % 3 == 0 ? 15_000_000_000 : nil
    model.ageReference = seed % 4 < 2 ? .lastUse : .lastSet
    let limit = 8 + generator.index(below: 20)
    let cache: MemoryCache<Int, Int>
    do throws(PolicyError) {
      cache = try .open(
        countLimit: limit, costLimit: seed % 2 == 0 ? 4 * limit : nil, costs: .given,
        policy: CachePolicy(Policy.self), seed: seed,
        options: time.options {
          $0.expiration = standard
          $0.ageLimit = model.ageLimit.map { .nanoseconds(Int64($0)) }
          $0.ageReference = model.ageReference
          $0.lowWaterMark = seed % 5 == 0 ? 0.5 : 1
        },
        onRemoval: { removals.append($0, $1, $2) })
    } catch { return "\(error)" }

    for step in 1...800 {
      let key = generator.index(below: 3 * limit)
      let cost = 1 + generator.index(below: 8)
      let duration = Duration.seconds(1 + generator.index(below: 30))
      let expiration: Expiration =
        [.after(duration), .afterIdle(duration), .never, .after(.seconds(9), orIdle: duration)][
          generator.index(below: 4)]
      // What the operation does to the model, once what left for it has left.
      var follow: () -> Void = {}
      let now = time.now
      switch generator.index(below: 24) {
      case 0: _ = cache.removeValue(forKey: key)
      case 1 where step % 9 == 0: cache.removeAll()
      case 2: _ = cache.trim(toCount: limit / 2)
      case 3: _ = cache.trim(toCost: limit)
      case 4: _ = cache.trim()
      case 5 where step % 4 == 0: cache.countLimit = 8 + generator.index(below: 20)
      case 6:
        let isThere = model.living(at: now)[key] != nil
        cache.setExpiration(expiration, forKey: key)
        if isThere { follow = { model.renew(key, expiration, at: now) } }
      case 7: time.advance(bySeconds: Double(1 + generator.index(below: 10)))
      case 8...12:
        if cache.set(step, forKey: key, cost: cost, expiration: expiration) {
          follow = { model.set(step, forKey: key, cost: cost, expiration, at: now) }
        }
      case 13...15:
        if cache.set(step, forKey: key, cost: cost) {
          follow = { model.set(step, forKey: key, cost: cost, standard, at: now) }
        }
      case 16:
        let outcome = cache.insert(step, forKey: key, cost: cost)
        if outcome.isInserted {
          follow = { model.set(step, forKey: key, cost: cost, standard, at: now) }
        } else if let value = outcome.value, value != model.living(at: now)[key]?.value {
          return "step \(step): an insertion found another value"
        }
      default:
        let value = cache.value(forKey: key)
        if value != model.living(at: now)[key]?.value {
          return "step \(step): a get found \(value as Any)"
        }
        if value != nil { follow = { model.use(key, at: now) } }
      }
      // What was just set may be what leaves for it.
      for removal in removals.take() where removal.value != step {
        if let problem = model.leave(removal, at: now) { return "step \(step): \(problem)" }
      }
      follow()
      let living = model.living(at: time.now)
      for key in 0..<3 * limit where cache.contains(key) != (living[key] != nil) {
        return "step \(step): \(key) is contained or not"
      }
      if step % 8 == 0 {
        if Set(cache.snapshot().map(\.key)) != Set(living.keys) { return "step \(step): snapshot" }
        if cache.count != living.count { return "step \(step): count" }
        if cache.totalCost != living.values.reduce(0, { $0 + $1.cost }) {
          return "step \(step): cost"
        }
        for removal in removals.take() {
          if let problem = model.leave(removal, at: time.now) { return "step \(step): \(problem)" }
        }
      }
      if living.count > cache.countLimit ?? .max { return "step \(step): over the limit" }
    }
    let statistics = cache.statistics
    let left = RemovalCause.allCases.filter { $0 != .replaced }
      .reduce(0) { $0 + statistics.removals(for: $1) }
    return statistics.insertions - left == cache.count ? nil : "departures do not add up"
  }
}

@Suite("A cache of entries that expire is a model of one")
struct ExpiringCacheModelTests {
  @Test(arguments: 1...(isOptimized ? 10 : 2))
  func everyPolicy(seed: Int) {
    var checker = ExpiringCacheChecker(seed: UInt64(seed))
    PolicyCatalog.visit(&checker)
  }

  @Test("whatever the policy reads of a request", arguments: 1...3)
  func policiesThatReadMore(seed: Int) {
    var checker = ExpiringCacheChecker(seed: UInt64(seed))
    checker.visit(TLRU.self)
    checker.visit(ExpireLatest.self)
    checker.visit(GDSF.self)
    checker.visit(KeyLength.self)
  }

  @Test("Threads never find what has expired, or another key's value")
  func threads() throws {
    let time = ManualClock()
    let cache = MemoryCache<Int, Int>(
      countLimit: 50, policy: .arc(), options: time.options { $0.trimInterval = .milliseconds(1) })
    let wrong = Atomic(0)
    for phase in 1...20 {
      // All that an earlier phase has set is over.
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var generator = SplitMix64(seed: UInt64(100 * phase + thread))
        for _ in 0..<300 {
          let key = generator.index(below: 100)
          let expected = 1_000 * phase + key
          var found: Int? = expected
          switch generator.index(below: 8) {
          case 0: found = cache.removeValue(forKey: key) ?? expected
          case 1:
            found = try? cache.value(
              forKey: key, expiration: .after(.seconds(1)), orLoad: { expected })
          case 2:
            found = cache.snapshot().allSatisfy { $0.value == 1_000 * phase + $0.key } ? found : nil
          case 3, 4: cache.set(expected, forKey: key, expiration: .after(.seconds(1)))
          default: found = cache.value(forKey: key) ?? expected
          }
          if found != expected { wrong.add(1, ordering: .relaxed) }
        }
      }
      time.advance(bySeconds: 1)
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(cache.isEmpty)
    let statistics = cache.statistics
    #expect(
      statistics.insertions == statistics.evictions + statistics.removals + statistics.expirations)
  }
}
