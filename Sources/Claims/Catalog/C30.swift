import DiskTier
import EvictionCore
import Traces

extension Claim {
  /// Access times in whole seconds, written at every read.
  static let c30 = Claim(
    "C30", "Whole-second access times, updated at every read, are good enough.",
    hypothesis: "LRU by whole seconds hits no less often than by exact order, and an update at "
      + "every read "
      + "takes no more time than updates written together.",
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
    var ticks = [Int](repeating: -1, count: trace.distinct)
    var insertions = [Int](repeating: 0, count: trace.distinct)
    var queue = VictimQueue()
    var (hits, count) = (0, 0)
    for (number, id) in trace.ids.enumerated() {
      let (key, tick) = (Int(id), number / requestsPerTick)
      if ticks[key] >= 0 {
        hits += 1
        if ticks[key] == tick { continue }
      } else {
        if count == capacity {
          while let victim = queue.pop() {
            let isCurrent =
              ticks[victim.key] == victim.tick && insertions[victim.key] == victim.insertion
            if isCurrent {
              ticks[victim.key] = -1
              count -= 1
              break
            }
          }
        }
        insertions[key] = number
        count += 1
      }
      ticks[key] = tick
      queue.push(VictimQueue.Entry(tick: tick, insertion: insertions[key], key: key))
    }
    return Double(hits) / Double(trace.requests)
  }
}

/// Entries by tick, then by insertion: a binary heap, in which entries that are out of date stay.
private struct VictimQueue {
  struct Entry {
    let tick: Int
    let insertion: Int
    let key: Int

    static func < (first: Entry, second: Entry) -> Bool {
      (first.tick, first.insertion) < (second.tick, second.insertion)
    }
  }

  private var entries: [Entry] = []

  mutating func push(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func pop() -> Entry? {
    guard let last = entries.popLast() else { return nil }
    guard let first = entries.first else { return last }
    entries[0] = last
    var place = 0
    while true {
      var least = 2 * place + 1
      if least + 1 < entries.count, entries[least + 1] < entries[least] { least += 1 }
      guard least < entries.count, entries[least] < entries[place] else { return first }
      entries.swapAt(place, least)
      place = least
    }
  }
}
