import EvictionCore
import Parameters
import Requests
import Results

extension CachePolicy {
  /// Sends `stream` through a real cache of this policy on the calling thread, without an instrument.
  ///
  /// - Parameters:
  ///   - stream: The requests.
  ///   - run: Capacity, parameters, seed and warm-up.
  ///   - specification: The policy's name and parameters.
  ///   - observer: Called every million requests with the number done; returning false stops the run.
  /// - Returns: The counts, which are those of the policy alone; nil if the observer stopped the run.
  /// - Throws: `PolicyError` if the policy cannot run with these options.
  /// - Complexity: O(requests) times the cost of a get and a set.
  package func count(
    _ stream: RequestStream, _ run: RunOptions, policy specification: Specification,
    observer: (Int) -> Bool = { _ in true }
  ) throws(PolicyError) -> RequestCounts? {
    let options = ReplayOptions(run: run)
    let cache = try ReplayedCache(
      of: with(PolicyDescription.ownParameters(of: specification)), options: run,
      isSized: stream.isSized, arrangement: CacheArrangement(options), times: stream.times,
      lock: { options.lock.init() })
    var counts = RequestCounts()
    let warmup = min(run.warmup, stream.requests)
    var before = cache.statistics()
    for (range, isCounted) in [(0..<warmup, false), (warmup..<stream.requests, true)] {
      if isCounted { before = cache.statistics() }
      for first in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
        let part = ReplayPart(
          dealer: RequestDealer(
            first..<min(first + 1 << 20, range.upperBound), batch: ReplayClient.batch))
        // One that yields is not bound to a processor.
        let client = ReplayClient(
          cache: cache, stream: stream, options: options, part: part, times: nil, meters: nil,
          schedule: nil, yields: true, resizes: run.arguments.flag("resize"))
        let record = client.run(thread: 0, start: { Clock.now() })
        if isCounted { counts.add(record.counts) }
        if !observer(first + part.dealer.dealt) { return nil }
      }
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
