import EvictionCore
import Foundation
import Requests
import Results

/// The options of a replay through a real cache.
package struct ReplayOptions: Sendable {
  /// Capacity, parameters, seed and warm-up.
  package var run: RunOptions
  /// The cache's lock.
  package var lock: any CacheLock.Type
  /// The number of shards that the cache has, each with a lock; nil for a cache in one part.
  package var shards: Int?
  /// The moment at which the policy learns of hits.
  package var reads = CacheReads.strict
  /// True if a policy that learns trains beside the requests.
  package var trainsBesideRequests = true
  /// Threads that make the requests.
  package var threads: Int
  /// The pace at which requests start.
  package var pace: ReplayPace
  /// The conditions that all cells of a replay share.
  package var conditions: ReplayConditions

  /// Options for one replay.
  package init(
    run: RunOptions, lock: any CacheLock.Type = AdaptiveLock.self, threads: Int = 1,
    pace: ReplayPace = .closed, conditions: ReplayConditions = ReplayConditions()
  ) {
    self.run = run
    self.lock = lock
    self.threads = threads
    self.pace = pace
    self.conditions = conditions
  }

  /// True if there are more threads than cores to run them.
  package var isOversubscribed: Bool { threads > ProcessInfo.processInfo.activeProcessorCount }

  /// The number of requests of which one is timed, for a trace of that length with its warm-up: to time all of
  /// them takes a thread longer than to make them.
  func sample(of requests: Int) -> Int {
    conditions.sample ?? min(max((requests - run.warmup) / 10_000, 1), 16)
  }

  /// The requests that all threads make together in a pass over that number of the trace's.
  package func work(_ requests: Int) -> Int {
    conditions.division == .copies ? threads * requests : requests
  }
}

extension ReplayOptions {
  /// The seconds that no machine could shorten: from the first request's intended start to the last one's where it
  /// follows a schedule; else those that all threads wait for misses, as each key misses once at least.
  package func scheduledSeconds(of stream: RequestStream) -> Double {
    let counted = stream.requests - run.warmup
    switch pace {
    case .closed, .capacityShare:
      guard let penalty = conditions.missPenalty, stream.operations == nil else { return 0 }
      return Double(stream.trace.distinct) * Double(penalty.nanoseconds) / 1e9 / Double(threads)
    case .rate(let rate): return Double(work(counted)) / rate
    case .trace(let speed):
      guard let times = stream.times, counted > 0 else { return 0 }
      return max(0, Double(times[stream.requests - 1] &- times[run.warmup])) / 1e9 / speed
    }
  }
}

/// The conditions that all cells of a replay share: the requests of each thread, the cost of a miss, and the
/// precision of the look.
package struct ReplayConditions: Sendable {
  /// The division of the trace among threads.
  package var division = ReplayDivision.interleaved
  /// The distribution of open-loop arrivals in time.
  package var arrivals = ArrivalModel.poisson
  /// The wait of a miss before its set; nil for none.
  package var missPenalty: MissPenalty?
  /// The number of requests of which one is timed, at random; nil for 16, or fewer in a short trace.
  package var sample: Int?
  /// The cut of the run into a cold part and one after the fill; nil for no cut.
  package var cut: ReplayCut?
  /// True if processor time, allocations and memory are measured.
  package var measuresResources = false

  /// A plain replay: interleaved, without penalty.
  package init() {}
}

/// The place where a run is cut into a cold part and one after the fill, the same for all policies.
package enum ReplayCut: Sendable, Equatable {
  /// After that number of requests of the trace.
  case requests(Int)
  /// The request at which the objects requested so far exceed the capacity for the first time, and a cache that
  /// keeps all it can has just become full.
  case fill
}

extension ReplayPace {
  /// Passes over the trace in one replay: one for each instrument, and in an open loop one of a cache that
  /// does nothing.
  package var passes: Int { self == .closed ? 3 : 4 }
}

/// The setup of a real cache beyond its policy and its locks.
struct CacheArrangement {
  /// The number of shards; nil for a cache in one part.
  let shards: Int?
  var options: MemoryCacheOptions

  init(_ options: ReplayOptions) {
    shards = options.shards
    var cacheOptions = MemoryCacheOptions()
    cacheOptions.reads = options.reads
    cacheOptions.hasExactHistory = true
    cacheOptions.trainsBesideRequests = options.trainsBesideRequests
    self.options = cacheOptions
  }
}
