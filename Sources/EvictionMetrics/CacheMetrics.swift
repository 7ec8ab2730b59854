#if Metrics
  import EvictionCore
  import Metrics
  import Synchronization

  /// Reports the counts of a cache to swift-metrics, and the miss ratios that it would have at other sizes.
  ///
  ///     let curve = LiveMissRatioCurve()
  ///     let pages = MemoryCache<String, Page>(countLimit: 10_000, observer: curve)
  ///     let metrics = CacheMetrics(
  ///       "pages", of: pages, curve: curve, capacities: [5_000, 10_000, 20_000])
  ///     metrics.report()  // whenever the backend reads its metrics, or every few seconds
  ///
  /// | metric | dimensions beside `cache` | kind |
  /// |---|---|---|
  /// | `cache_gets` | `result`: `hit`, `miss` | counter |
  /// | `cache_removals` | `cause`: `size`, `expired`, `replaced`, `removed`, `discarded` | counter |
  /// | `cache_rejections` | | counter: sets that were refused |
  /// | `cache_loads` | `result`: `loaded`, `failed` | counter |
  /// | `cache_entries`, `cache_cost` | | meter |
  /// | `cache_miss_ratio` | `capacity` | meter: the estimate of the curve, once there was a get |
  ///
  /// The cache's operations do not report: they cost what they cost without metrics.
  public final class CacheMetrics: Sendable {
    private struct Count: Sendable {
      let counter: Counter
      let value: @Sendable (CacheStatistics) -> Int
    }

    private let statistics: @Sendable () -> CacheStatistics
    private let counts: [Count]
    private let entries: Meter
    private let cost: Meter
    private let curve: LiveMissRatioCurve?
    private let missRatios: [(capacity: Int, meter: Meter)]
    /// The values that the counters have.
    private let reported: Mutex<[Int]>

    /// The metrics of any cache of the package.
    ///
    /// - Parameters:
    ///   - name: The dimension `cache` of each metric; no two caches have the same.
    ///   - cache: The cache; it is kept alive.
    ///   - curve: An observer of the cache.
    ///   - capacities: The sizes, in what the curve counts, at which its miss ratios are reported.
    ///   - factory: The backend; by default the one of the process.
    public convenience init(
      _ name: String, of cache: some Cache, curve: LiveMissRatioCurve? = nil,
      capacities: [Int] = [], factory: any MetricsFactory = MetricsSystem.factory
    ) {
      self.init(name, curve: curve, capacities: capacities, factory: factory) { cache.statistics }
    }

    /// The metrics of what has statistics: a tier of a cache, for example, or several caches together.
    ///
    ///     let metrics = CacheMetrics("pages-memory") { pages.tierStatistics.memory }
    ///
    /// - Parameters:
    ///   - name: The dimension `cache` of each metric; no two caches have the same.
    ///   - curve: An observer of the cache.
    ///   - capacities: The sizes, in what the curve counts, at which its miss ratios are reported.
    ///   - factory: The backend; by default the one of the process.
    ///   - statistics: Returns the counts since the cache was made.
    public init(
      _ name: String, curve: LiveMissRatioCurve? = nil, capacities: [Int] = [],
      factory: any MetricsFactory = MetricsSystem.factory,
      statistics: @escaping @Sendable () -> CacheStatistics
    ) {
      func count(
        _ label: String, _ dimensions: [(String, String)] = [],
        _ value: @escaping @Sendable (CacheStatistics) -> Int
      ) -> Count {
        let dimensions = [("cache", name)] + dimensions
        return Count(
          counter: Counter(label: label, dimensions: dimensions, factory: factory), value: value)
      }
      func meter(_ label: String, _ dimensions: [(String, String)] = []) -> Meter {
        Meter(label: label, dimensions: [("cache", name)] + dimensions, factory: factory)
      }
      counts =
        [
          count("cache_gets", [("result", "hit")]) { $0.hits },
          count("cache_gets", [("result", "miss")]) { $0.misses },
          count("cache_rejections") { $0.rejections },
          count("cache_loads", [("result", "loaded")]) { $0.loads },
          count("cache_loads", [("result", "failed")]) { $0.failedLoads },
        ]
        + RemovalCause.allCases.map { cause in
          count("cache_removals", [("cause", "\(cause)")]) { $0.removals(for: cause) }
        }
      entries = meter("cache_entries")
      cost = meter("cache_cost")
      missRatios = (curve == nil ? [] : capacities).map {
        ($0, meter("cache_miss_ratio", [("capacity", "\($0)")]))
      }
      self.curve = curve
      self.statistics = statistics
      reported = Mutex([Int](repeating: 0, count: counts.count))
    }

    /// Brings the metrics up to date: the counters by what has happened since the last report.
    public func report() {
      reported.withLock { reported in
        let statistics = statistics()
        for (index, count) in counts.enumerated() {
          // The counts of tiers are read one after the other, so that a sum may seem to fall.
          let increase = count.value(statistics) - reported[index]
          guard increase > 0 else { continue }
          count.counter.increment(by: increase)
          reported[index] += increase
        }
        entries.set(statistics.count)
        cost.set(statistics.totalCost)
        for (capacity, meter) in missRatios {
          let ratio = curve?.missRatio(atCapacity: capacity, gets: statistics.requests)
          if let ratio { meter.set(ratio) }
        }
      }
    }
  }
#endif
