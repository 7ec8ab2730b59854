import EvictionCore
import Foundation

extension Claim {
  /// Reads and writes of Foundation's cache.
  static let nsCacheIsSlow = Claim(
    "C14", "NSCache reads and writes are slow.",
    hypothesis: "A get and a set of NSCache take more time than those of MemoryCache and of a "
      + "dictionary with a lock.",
    effect: "NSCache time / other time",
    note: "NSCache is the one of Foundation on this platform",
    conditions: ["get", "set"].flatMap { operation in
      ["memorycache", "dictionary-lock"].map { other in
        ClaimCondition(["operation": operation, "against": other], .slower) { context in
          let keys = (0..<5_000).map(NumberKey.init)
          let value = NumberValue(1)
          let reads = operation == "get"
          let foundation = FoundationCache()
          let cache = MemoryCache<NumberKey, NumberValue>(policy: .lru, seed: 1)
          let lock = PThreadLock()
          var dictionary: [NumberKey: NumberValue] = [:]
          if reads {
            for key in keys {
              foundation.setObject(value, forKey: key)
              cache.set(value, forKey: key)
              dictionary[key] = value
            }
          }
          return context.compare {
            nanoseconds {
              for key in keys {
                if reads {
                  keep(foundation.object(forKey: key))
                } else {
                  foundation.setObject(value, forKey: key)
                }
              }
            }
          } with: {
            nanoseconds {
              for key in keys {
                if other == "memorycache" {
                  if reads { keep(cache.value(forKey: key)) } else { cache.set(value, forKey: key) }
                } else {
                  lock.withLock {
                    if reads { keep(dictionary[key]) } else { dictionary[key] = value }
                  }
                }
              }
            }
          }
        }
      }
    })
}
