import EvictionCore
import Parameters
import Requests
import Results

/// A real cache of a policy, and the requests to send through it on the calling thread, without an instrument.
package struct CacheRun {
  private let cache: ReplayedCache
  private let client: ReplayClient
  private let warmup: Int

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - policy: The policy.
  ///   - stream: The requests.
  ///   - run: Capacity, parameters, seed and warm-up.
  ///   - specification: The policy's name and parameters.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  package init(
    of policy: CachePolicy, _ stream: RequestStream, _ run: RunOptions,
    policy specification: Specification
  ) throws(PolicyError) {
    var options = ReplayOptions(run: run)
    options.trainsBesideRequests = false
    cache = try ReplayedCache(
      of: policy.with(PolicyDescription.ownParameters(of: specification)), options: run,
      isSized: stream.isSized, arrangement: CacheArrangement(options), times: stream.times,
      lock: { [options] in options.lock.init() })
    let all = RequestDealer(0..<stream.requests, batch: ReplayClient.batch)
    client = ReplayClient(
      cache: cache, stream: stream, options: options, part: ReplayPart(dealer: all), times: nil,
      meters: nil, schedule: nil, yields: true, resizes: run.arguments.flag("resize"))
    warmup = min(run.warmup, stream.requests)
  }

  /// Sends all requests, once.
  ///
  /// - Parameter observer: Called every million requests with the number done; returning false stops the run.
  /// - Returns: The counts, which are those of the policy alone; nil if the observer stopped the run.
  /// - Complexity: O(requests) times the cost of a get and a set.
  package func run(observer: (Int) -> Bool = { _ in true }) -> RequestCounts? {
    var counts = RequestCounts()
    var before = cache.statistics()
    var done = 0
    while done < client.stream.requests {
      let end = min(done + 1 << 20, done < warmup ? warmup : client.stream.requests)
      let part = client.count(done..<end)
      if done >= warmup { counts.add(part) }
      if end == warmup { before = cache.statistics() }
      done = end
      if !observer(done) { return nil }
    }
    counts.add(cache.statistics(), since: before)
    cache.ends()
    return counts
  }
}

extension RequestCounts {
  /// Adds the entries that came into a cache and left it between two looks at its statistics.
  mutating func add(_ after: CacheStatistics, since before: CacheStatistics) {
    insertions += after.insertions - before.insertions
    evictions += after.evictions + after.outgrown - before.evictions - before.outgrown
    expirations += after.expirations - before.expirations
    rejections += after.rejections - before.rejections
  }
}
