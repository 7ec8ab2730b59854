import Requests
import Results

/// The latencies of one run whose misses take time.
///
/// Memory: 8 bytes per delayed hit.
@usableFromInline
package final class LatencyLog: @unchecked Sendable {
  private let delay: MissDelay
  private var hits = 0
  private var misses = 0
  /// The latencies of delayed hits, each at most the delay.
  private var waits: [Int64] = []

  /// An empty log of a run with that delay.
  package init(_ delay: MissDelay) { self.delay = delay }

  func appendHit() { hits += 1 }

  func appendMiss() { misses += 1 }

  func append(wait: Int64) { waits.append(wait) }

  /// Forgets what was logged.
  func removeAll() {
    hits = 0
    misses = 0
    waits.removeAll()
  }

  /// The measures of what was logged.
  ///
  /// - Complexity: O(n log n) for n delayed hits.
  package var measures: LatencyMeasures {
    let sorted = waits.sorted()
    let requests = hits + sorted.count + misses
    let miss = Int(delay.length)
    /// The latency of the given rank, from 1: hits, delayed hits, misses.
    func latency(rank: Int) -> Int {
      if rank <= hits { return 0 }
      return rank - hits <= sorted.count ? Int(sorted[rank - hits - 1]) : miss
    }
    var measures = LatencyMeasures()
    measures.unit = delay.unit
    measures.miss = miss
    measures.delayedHits = sorted.count
    measures.misses = misses
    if requests == 0 { return measures }
    measures.total = sorted.reduce(misses * miss) { $0 + Int($1) }
    measures.mean = Double(measures.total) / Double(requests)
    measures.p50 = latency(rank: (requests + 1) / 2)
    measures.p99 = latency(rank: requests - requests / 100)
    return measures
  }
}
