import DiskTier
import EvictionCore
import Traces

extension Claim {
  /// Access times in whole seconds, written at every read.
  static let wholeSecondsAreEnough = Claim(
    "C30", "Whole-second access times, updated at every read, are good enough.",
    hypothesis: "LRU by whole seconds hits no less often than by exact order, and an update at "
      + "every read takes no more time than updates written together.",
    effect: "hit ratio by seconds less exact, or time per read each / together",
    note: "1000 requests a second; among entries of one second the first inserted leaves",
    conditions: Trace.bundled.map { name in
      ClaimCondition(["metric": "hit ratio", "trace": name], .hitsNoLess) { context in
        let trace = try context.trace(name)
        return Trial(
          claimed: hitRatio(trace, requestsPerTick: 1_000),
          other: hitRatio(trace, requestsPerTick: 1))
      }
    } + [
      ClaimCondition(["metric": "time per read"], .notSlower) { context in
        let folder = context.folder
        let keys = context.indices(500, below: 100)
        func time(touchesPerFlush: Int) throws -> Double {
          var options = StoreOptions()
          options.touchesPerFlush = touchesPerFlush
          let store = try HybridStore(path: "\(folder)/\(touchesPerFlush)", options: options)
          defer { try? store.close() }
          for key in 0..<100 { try store.put([1, 2, 3], forKey: "\(key)") }
          return try nanoseconds {
            for key in keys { keep(try store.get("\(key)", touching: true)) }
          }
        }
        return try context.compare {
          try time(touchesPerFlush: 1)
        } with: {
          try time(touchesPerFlush: 4_096)
        }
      }
    ])

  /// The hit ratio of LRU by ticks of requests, at a tenth of the distinct keys.
  private static func hitRatio(_ trace: Trace, requestsPerTick: Int) -> Double {
    let capacity = trace.capacity(0.1)
    // By tick, and then by the request that inserted.
    var residents = SlotHeap<Int>(slots: trace.distinct)
    var hits = 0
    for (number, id) in trace.ids.enumerated() {
      let tick = number / requestsPerTick << 32
      if residents.contains(id) {
        hits += 1
        residents.update(id, priority: tick | residents.priority(of: id) & 0xFFFF_FFFF)
      } else {
        if residents.count == capacity, let victim = residents.first { residents.remove(victim) }
        residents.insert(id, priority: tick | number)
      }
    }
    return Double(hits) / Double(trace.requests)
  }
}
