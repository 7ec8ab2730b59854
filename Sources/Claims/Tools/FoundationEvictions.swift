import EvictionCore
import Foundation

/// The evictions of Foundation's cache, as its delegate sees them, while values of random costs enter.
struct FoundationEvictions {
  /// The number of evictions.
  let count: Int
  /// Evictions of other than the newest of the cheapest values.
  let unpredicted: Int
  /// Evictions of other than a cheapest value.
  let notCheapest: Int

  /// Fills a cache of 50 values with 250.
  init(costs: Int, context: inout TrialContext) {
    let cache = FoundationCache()
    let observer = Observer()
    cache.delegate = observer
    cache.countLimit = 50
    for number in 0..<250 {
      let cost = 1 + context.random.index(below: costs)
      observer.residents[number] = cost
      cache.setObject(NumberValue(number), forKey: NumberKey(number), cost: cost)
    }
    (count, unpredicted, notCheapest) =
      (observer.count, observer.unpredicted, observer.notCheapest)
  }

  private final class Observer: NSObject, NSCacheDelegate {
    /// The cost of each value.
    var residents: [Int: Int] = [:]
    var count = 0
    var unpredicted = 0
    var notCheapest = 0

    func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any) {
      guard let victim = (object as? NumberValue)?.number, let cost = residents[victim] else {
        return
      }
      let cheapest = residents.values.min() ?? cost
      let newest = residents.filter { $0.value == cheapest }.keys.max()
      count += 1
      if victim != newest { unpredicted += 1 }
      if cost > cheapest { notCheapest += 1 }
      residents[victim] = nil
    }
  }
}
