import EvictionCore

extension Claim {
  /// An index made for a cache against the standard dictionary.
  static let tunedDictionaryPays = Claim(
    "C10", "A tuned dictionary (Core Foundation's) pays.",
    hypothesis: "A look-up in the project's own index takes less time than in the standard "
      + "dictionary.",
    effect: "own index time / dictionary time",
    note: "there is no Core Foundation on this platform: the project's index, looked up through "
      + "MemoryCache.contains without a lock, stands for a tuned dictionary",
    conditions: [1_000, 100_000, 1_000_000].map { count in
      ClaimCondition(["entries": "\(count)"], .faster) { context in
        let cache = MemoryCache<Int, Int>(countLimit: count, policy: .lru, lock: NoLock(), seed: 1)
        for key in 0..<count { cache.set(key, forKey: key) }
        let dictionary = [Int: Int](uniqueKeysWithValues: (0..<count).map { ($0, $0) })
        let keys = context.indices(100_000, below: count)
        return context.compare {
          nanoseconds { for key in keys { keep(cache.contains(key)) } }
        } with: {
          nanoseconds { for key in keys { keep(dictionary[key] != nil) } }
        }
      }
    })
}
