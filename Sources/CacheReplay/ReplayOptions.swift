import EvictionCore
import Foundation
import Requests
import Results

/// How a real cache is driven.
public struct ReplayOptions: Sendable {
  /// Capacity, parameters, seed and warm-up.
  public var run: RunOptions
  /// The cache's lock.
  public var lock: any CacheLock.Type
  /// How many shards the cache has, each with a lock; nil for a cache in one part.
  public var shards: Int?
  /// When the policy learns of hits.
  public var reads = CacheReads.strict
  /// Threads that make the requests.
  public var threads: Int
  /// When requests start.
  public var pace: ReplayPace
  /// What all cells of a replay have in common.
  public var conditions: ReplayConditions

  /// Options for one replay.
  public init(
    run: RunOptions, lock: any CacheLock.Type = MutexLock.self, threads: Int = 1,
    pace: ReplayPace = .closed, conditions: ReplayConditions = ReplayConditions()
  ) {
    self.run = run
    self.lock = lock
    self.threads = threads
    self.pace = pace
    self.conditions = conditions
  }

  /// Whether there are more threads than cores to run them.
  public var isOversubscribed: Bool { threads > ProcessInfo.processInfo.activeProcessorCount }

  /// One in how many is timed of a trace of so many requests, those of the warm-up included: to time all of
  /// them takes a thread longer than to make them.
  func sample(of requests: Int) -> Int {
    conditions.sample ?? min(max((requests - run.warmup) / 10_000, 1), 16)
  }

  /// The requests that all threads make together in a pass over so many of the trace.
  package func work(_ requests: Int) -> Int {
    conditions.division == .copies ? threads * requests : requests
  }
}

extension ReplayOptions {
  /// The seconds from the first request's intended start to the last one's; 0 where the cache decides.
  package func scheduledSeconds(of stream: RequestStream) -> Double {
    let counted = stream.requests - run.warmup
    switch pace {
    case .closed, .capacityShare: return 0
    case .rate(let rate): return Double(work(counted)) / rate
    case .trace(let speed):
      guard let times = stream.times, counted > 0 else { return 0 }
      return max(0, Double(times[stream.requests - 1] &- times[run.warmup])) / 1e9 / speed
    }
  }
}

/// What all cells of a replay have in common: what a thread takes of the trace, what a miss costs, and
/// how closely one looks.
public struct ReplayConditions: Sendable {
  /// What each thread takes of the trace.
  public var division = ReplayDivision.interleaved
  /// How open-loop arrivals lie in time.
  public var arrivals = ArrivalModel.poisson
  /// What a miss waits for before its set; nil for nothing.
  public var missPenalty: MissPenalty?
  /// One request in so many is timed, at random; nil for one in 16, or more of a short trace.
  public var sample: Int?
  /// Where the run is cut into a cold part and one after the fill; nil for no cut.
  public var cut: ReplayCut?
  /// Whether processor time, allocations and memory are measured.
  public var measuresResources = false

  /// A plain replay: interleaved, without penalty.
  public init() {}
}

/// Where a run is cut into a cold part and one after the fill: at one place for all policies.
public enum ReplayCut: Sendable, Equatable {
  /// After so many requests of the trace.
  case requests(Int)
  /// Where the objects requested so far exceed the capacity for the first time, and a cache that keeps
  /// all it can has just become full.
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
  let options: MemoryCacheOptions

  init(_ options: ReplayOptions) {
    shards = options.shards
    var cacheOptions = MemoryCacheOptions()
    cacheOptions.reads = options.reads
    cacheOptions.hasExactHistory = true
    self.options = cacheOptions
  }
}
