import Results
import Runner
import Traces

/// The prices of cache memory and misses.
///
///     let price = CachePrice(perGiB: 3, perMiss: 1e-6, bytesPerObject: 4_096)
///     let cheapest = price.cheapest(of: curve)
package struct CachePrice: Sendable {
  /// A GiB of cache for as long as the requests that count last.
  package let perGiB: Double
  /// A miss.
  package let perMiss: Double
  /// The memory that an object takes, for capacities of objects.
  package let bytesPerObject: Double
  /// The seconds that the requests that count last; nil where they have no times.
  package var seconds: Double?
  /// The capacity of the cache that there is, in the curves' unit; nil where it is not given.
  package var present: Int?

  /// Prices.
  package init(perGiB: Double, perMiss: Double, bytesPerObject: Double) {
    self.perGiB = perGiB
    self.perMiss = perMiss
    self.bytesPerObject = bytesPerObject
  }

  /// The capacity of a curve's points at which memory and misses cost least together, the smallest among
  /// equals; nil without points. Between two points both grow in straight lines, so that none between
  /// them is cheaper.
  package func cheapest(of curve: MissRatioCurve) -> CheapestCapacity? {
    let candidates = curve.points.map { point in
      CheapestCapacity {
        $0.pricePerGiB = perGiB
        $0.costPerMiss = perMiss
        $0.bytesPerObject = curve.unit == .bytes ? nil : bytesPerObject
        $0.capacity = point.capacity
        $0.memory = $0.memory(at: point.capacity)
        $0.misses = $0.misses(at: point, requests: curve.requests)
        $0.seconds = seconds ?? 0
        $0.present = present ?? 0
      }
    }
    return candidates.min { $0.total < $1.total }
  }
}
