import Synchronization

/// Estimates, while a cache runs, how often an LRU cache of any other size would miss.
///
///     let curve = LiveMissRatioCurve()
///     let images = MemoryCache<Int, [UInt8]>(countLimit: 10_000, policy: .lru, observer: curve)
///     // … the service runs …
///     let gets = images.statistics.hits + images.statistics.misses
///     curve.missRatio(atCapacity: 20_000, gets: gets)
///
/// A sample of the keys, those whose hash is small, is kept in the order of their last requests. What was
/// requested since a key's last request, divided by the ratio of the keys in the sample, is the size that
/// an LRU cache needs for the next request to hit. When more keys are in the sample than are to be followed,
/// every other one is given up, and what was counted until then counts half: the memory stays bounded
/// whatever the number of keys. The popular keys may be over- or underrepresented in the sample; the number
/// of all gets, which the cache counts anyway, corrects for that.
///
/// Gets are what is counted. Every miss is taken to be filled, as in a trace; a set of a key makes it the
/// most recent, a removal forgets it. The policy of the cache itself does not matter.
///
/// **Error.** With all keys in the sample and sizes in objects, the curve is that of LRU, exactly, at its
/// points. Else it is an estimate: on a recorded workload of a disk (CloudPhysics, 49 000 blocks) miss ratios
/// are off by 0.004 to 0.010 on average over sizes and samples with 8192 followed keys, by 0.012 to 0.020
/// with 2048. Steps, as loops make them, are placed less well, and sizes that hold fewer than some ten
/// followed keys are hardly known.
///
/// **Cost.** Keys outside the sample cost a multiplication; a request of one in it takes O(log followed
/// keys), about a tenth of a microsecond. Memory: about 70 bytes a followed key and 26 KB.
///
/// - Paper: C. A. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, “Efficient MRC construction with
///   SHARDS”, FAST 2015: fixed-size sampling, with the adjusted counts of its section 3.
public final class LiveMissRatioCurve: CacheObserver {
  /// A place on the curve.
  public struct Point: Sendable, Equatable {
    /// The size of the cache, in objects or in costs.
    public let capacity: Int
    /// The ratio of the gets that miss in an LRU cache of this size.
    public let missRatio: Double
  }

  /// The keys that are in the sample at the beginning.
  public let observedKeys: SpatialSample

  private struct State: ~Copyable {
    var sample: SpatialSample
    var keys: RecencySample
    /// Gets by the size that they need to hit; halved when the sample is.
    var hits = SizeCounts()
    /// Gets of keys in the sample, in the same unit.
    var gets = 0.0
  }

  private let followedKeys: Int
  private let countsCosts: Bool
  private let state: Mutex<State>

  /// A curve of nothing yet.
  ///
  /// - Parameters:
  ///   - ratio: The ratio of the keys that are in the sample at first; above 0, at most 1. With a thousand
  ///     keys in it the cache's own size is known well.
  ///   - followedKeys: The most keys in the sample, at least 2; above it every other one is given up.
  ///   - countsCosts: True if sizes are sums of costs, as for a cache with a cost limit.
  ///   - salt: Which keys are in the sample.
  public init(
    ratio: Double = 0.01, followedKeys: Int = 8192, countsCosts: Bool = false, salt: UInt64 = 42
  ) {
    precondition(followedKeys > 1, "a sample has keys")
    let sample = SpatialSample(ratio: ratio, salt: SplitMix64.mix(salt))
    observedKeys = sample
    self.followedKeys = followedKeys
    self.countsCosts = countsCosts
    state = Mutex(State(sample: sample, keys: RecencySample(most: followedKeys + 1)))
  }

  /// The ratio of the keys that are in the sample now.
  public var ratio: Double { state.withLock { $0.sample.ratio } }

  /// The keys that are followed now.
  public var followed: Int { state.withLock { $0.keys.count } }

  /// Takes an operation of the cache. O(log followed keys), amortised; allocates nothing.
  public func cacheDid(_ event: CacheAccess, keyHash: UInt64, cost: Int) {
    state.withLock { state in
      let rank = state.sample.rank(keyHash)
      guard state.sample.contains(rank: rank) else { return }
      if event == .removal { return state.keys.remove(rank) }
      // The cost of what a get has missed is known at the set that fills it.
      let size = !countsCosts ? 1 : event == .miss ? nil : cost
      let found = state.keys.touch(rank, size: size)
      if event == .hit || event == .miss {
        state.gets += 1
        if let found {
          let others = (Double(found.later) / state.sample.ratio).rounded()
          state.hits.add(at: Int(min(others, 0x1p54)) + found.size)
        }
      }
      while state.keys.count > followedKeys { thin(&state) }
    }
  }

  private func thin(_ state: inout State) {
    state.sample.halve()
    let sample = state.sample
    state.keys.removeAll { !sample.contains(rank: $0) }
    state.hits.halve()
    state.gets /= 2
  }

  /// The curve so far, at the sizes where it is known without interpolation: up to 128 all that
  /// matter, above within 1.6 % of each other.
  ///
  /// - Parameter gets: All gets of the cache, for the correction; without it there is none.
  /// - Returns: Ascending sizes and falling ratios; empty before the first get.
  public func points(gets: Int? = nil) -> [Point] {
    let (hits, all) = state.withLock { state in
      let expected = gets.map { Double($0) * state.sample.ratio } ?? state.gets
      // What the sample has too few or too many are requests of popular keys, which hit nearly always.
      return (state.hits.sums(from: expected - state.gets), expected)
    }
    if all <= 0 { return [] }
    return hits.map { size, sum in
      Point(capacity: size, missRatio: min(max((all - sum) / all, 0), 1))
    }
  }

  /// The miss ratio of an LRU cache of some size; 1 if it is smaller than all that was seen, nil before
  /// the first get.
  ///
  /// - Parameters:
  ///   - capacity: The size, in what the curve counts.
  ///   - gets: All gets of the cache, for the correction; without it there is none.
  public func missRatio(atCapacity capacity: Int, gets: Int? = nil) -> Double? {
    let points = points(gets: gets)
    if points.isEmpty { return state.withLock { $0.gets > 0 } ? 1 : nil }
    return points.last { $0.capacity <= capacity }?.missRatio ?? 1
  }
}
