import AllocationCounter
import CInline
import Eviction
import Foundation
import Traces

/// The counts and times of one contender in one round.
struct Round {
  /// Of this thread's processor time, so that what else the machine does counts less.
  var nanosecondsPerRequest: Double
  var hitRatio: Double
  /// Allocations per request in the second half, when the cache is long full.
  var allocationsPerRequest: Double
  /// Allocations per set of a key that has a value.
  var allocationsPerReplacement: Double
  /// The time that one request in a hundred exceeds, in a pass of its own, the clock's reading included.
  var nanosecondsOfSlowest: Double
}

extension Workload {
  init(_ trace: Trace, capacity: Int) {
    func inOrder<Element>(_ ofKeys: [Element]) -> [Element] { trace.ids.map { ofKeys[Int($0)] } }
    let numbers = (0..<UInt64(trace.distinct)).map(SplitMix64.mix)
    let texts = numbers.map { "https://example.org/\($0 >> 24)" }
    self.numbers = inOrder(numbers)
    boxedNumbers = inOrder(numbers.map(BoxedNumber.init))
    self.texts = inOrder(texts)
    boxedTexts = inOrder(texts.map { NSString(string: $0) })
    self.capacity = capacity
  }

  /// Requests.
  var count: Int { numbers.count }

  @inline(__always)
  func request<Cache: Contender>(_ place: Int, from cache: Cache) -> Bool {
    if cache.get(place, of: self) { return true }
    cache.set(place, of: self)
    return false
  }

  func run<Cache: Contender>(_ type: Cache.Type) -> Round {
    let cache = Cache(capacity: capacity)
    var hits = 0
    var allocations: UInt64 = 0
    let start = evl_thread_nanoseconds()
    for place in 0..<count {
      if place == count / 2 { allocations = allocations_of_this_thread() }
      if request(place, from: cache) { hits += 1 }
    }
    let elapsed = evl_thread_nanoseconds() - start
    allocations = allocations_of_this_thread() - allocations
    return Round(
      nanosecondsPerRequest: Double(elapsed) / Double(count),
      hitRatio: Double(hits) / Double(count),
      allocationsPerRequest: Double(allocations) / Double(count - count / 2),
      allocationsPerReplacement: replacementAllocations(of: cache),
      nanosecondsOfSlowest: slowest(of: cache))
  }

  private func replacementAllocations<Cache: Contender>(of cache: Cache) -> Double {
    let resident = (0..<count).suffix(10_000).filter { cache.get($0, of: self) }
    for place in resident { cache.set(place, of: self) }
    let before = allocations_of_this_thread()
    for place in resident { cache.set(place, of: self) }
    return Double(allocations_of_this_thread() - before) / Double(max(resident.count, 1))
  }

  private func slowest<Cache: Contender>(of cache: Cache) -> Double {
    var times: [UInt64] = []
    times.reserveCapacity(count)
    for place in (0..<count).prefix(500_000) {
      let start = DispatchTime.now().uptimeNanoseconds
      _ = request(place, from: cache)
      times.append(DispatchTime.now().uptimeNanoseconds - start)
    }
    times.sort()
    return Double(times[times.count * 99 / 100])
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// The contenders over one kind of keys.
struct Field {
  let keys: String
  let contenders: [(name: String, run: () -> Round)]

  init<Keys: KeyKind>(_ keys: Keys.Type, _ workload: Workload) {
    self.keys = Keys.name
    contenders = [
      (SlotCache<Keys>.name, { workload.run(SlotCache<Keys>.self) }),
      (UnlockedCache<Keys>.name, { workload.run(UnlockedCache<Keys>.self) }),
      (ExpiringCache<Keys>.name, { workload.run(ExpiringCache<Keys>.self) }),
      (FoundationCache<Keys>.name, { workload.run(FoundationCache<Keys>.self) }),
      (UsualCache<Keys>.name, { workload.run(UsualCache<Keys>.self) }),
      (Floor<Keys>.name, { workload.run(Floor<Keys>.self) }),
      (PlainDictionary<Keys>.name, { workload.run(PlainDictionary<Keys>.self) }),
    ]
  }

  /// Runs the rounds, prints a line for each contender, and returns them for the results file.
  func run(rounds: Int) -> [[String: Any]] {
    var results = [[Round]](repeating: [], count: contenders.count)
    for _ in 0..<rounds {
      for (number, contender) in contenders.enumerated() { results[number].append(contender.run()) }
    }
    return contenders.indices.map { number in
      let times = results[number].map(\.nanosecondsPerRequest)
      let ratios = zip(times, results[0]).map { $0 / $1.nanosecondsPerRequest }
      let slowest = median(results[number].map(\.nanosecondsOfSlowest))
      let last = results[number][rounds - 1]
      let isCounted = allocations_are_counted()
      print(
        "\(contenders[number].name): \(text(median(times), 1)) ns a request, "
          + "\(text(median(ratios), 2))× [\(text(ratios.min()!, 2)), \(text(ratios.max()!, 2))], "
          + "p99 \(text(slowest, 0)) ns, hit ratio \(text(last.hitRatio, 4)), "
          + (isCounted
            ? "\(text(last.allocationsPerRequest, 3)) allocations a request, "
              + "\(text(last.allocationsPerReplacement, 3)) a replacing set" : ""))
      return [
        "name": contenders[number].name, "keys": keys, "nanosecondsPerRequest": median(times),
        "timesOfFirst": median(ratios), "spread": [ratios.min()!, ratios.max()!],
        "p99Nanoseconds": slowest, "hitRatio": last.hitRatio,
        "allocationsPerRequest": isCounted ? last.allocationsPerRequest : NSNull(),
        "allocationsPerReplacement": isCounted ? last.allocationsPerReplacement : NSNull(),
      ]
    }
  }
}
