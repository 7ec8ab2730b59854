import AllocationCounter
import CacheReplay
import Eviction
import EvictionCore
import Foundation
import Results
import Testing
import Traces

/// The memory of an instrument does not grow with the shards and threads that it looks at.
@Suite struct ReplayMemoryTests {
  @Test(.enabled(if: allocations_are_counted()))
  func metersOfManyLocksShareTheirHistograms() {
    let before = bytes_held_by_this_thread()
    let meters = LockMeters(threads: 1_024, locks: LockChoice.shardLimit)
    let locks = (0..<LockChoice.shardLimit).map { _ in meters.meter(MutexLock()) }
    meters.watching(thread: 0) {
      for lock in locks { for _ in 0..<LockMeters.usualSample { lock.withLock {} } }
    }
    #expect(bytes_held_by_this_thread() - before < 32 << 20)
    let summary = meters.record.summary
    #expect(summary.shards.last == LockMeters.usualSample)
    #expect(summary.acquisitions == LockMeters.usualSample * locks.count)
  }

  @Test(.enabled(if: allocations_are_counted()))
  func histogramTakesWhatItsDurationsNeed() {
    let before = bytes_held_by_this_thread()
    var histogram = DurationHistogram()
    histogram.record(2_000)
    let small = bytes_held_by_this_thread() - before
    histogram.record(1 << 50)
    let large = bytes_held_by_this_thread() - before
    #expect(small < 20 << 10 && large < 600 << 10, "\(small) \(large)")
    #expect(histogram.count == 2)
  }

  @Test(.enabled(if: allocations_are_counted()))
  func readyHistogramAllocatesNothingMore() {
    var histogram = DurationHistogram.ready
    let before = bytes_held_by_this_thread()
    for exponent in 0..<34 { histogram.record(1 << exponent) }
    #expect(bytes_held_by_this_thread() - before < 1_024)
    histogram.record(1 << 40)
    #expect(histogram.count == 35 && histogram.percentile(100) == 1 << 40)
  }

  @Test func threadsBeyondTheProcessorsShareHistograms() {
    let most = 2 * ProcessInfo.processInfo.activeProcessorCount
    for threads in [1, 2, 1_024] {
      let parts = ThreadParts(threads: threads) { 0 }
      #expect(parts.values.count == min(threads, most))
      for thread in 0..<threads { parts.update(thread) { $0 += 1 } }
      #expect(parts.values.reduce(0, +) == threads)
    }
  }

  @Test func threadsThatShareHistogramsLoseNothing() throws {
    for (pace, hits) in [(ReplayPace.closed, true), (.rate(1e6), false)] {
      let outcome = try FakeCache(hits: hits).replay(
        .of((0..<3_000).map { $0 % 101 }), threads: 50, pace: pace)
      #expect(outcome.latency.get?.count == 3_000)
      #expect(outcome.latency.hit?.count ?? 0 == (hits ? 3_000 : 0))
      #expect(outcome.latency.set?.count ?? 0 == (hits ? 0 : 3_000))
      #expect(outcome.latency.fill?.count ?? 0 == (hits ? 0 : 3_000))
      #expect(outcome.response?.whole.count ?? 0 == (pace == .closed ? 0 : 3_000))
      #expect(outcome.service?.whole.count ?? 0 == (pace == .closed ? 0 : 3_000))
    }
  }
}
