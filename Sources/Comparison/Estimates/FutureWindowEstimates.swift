import Parameters
import Results
import Statistics

/// The hit ratio of a policy in traffic to come that is like the trace's, its gain over the baseline, and the
/// gain of the best one over the next best: the block bootstrap over the windows of both runs.
///
/// Blocks are ten eviction ages long at least, so that what happens in one hardly depends on the one before,
/// and longer where that is not enough. There is no interval where the trace holds too few of them, or where
/// it changes along its way.
enum FutureWindowEstimates {
  /// More windows than this are put together first: blocks of a 400th of a trace are fine enough.
  private static let mostWindows = 400

  static func estimates(
    of runs: [Measurement], baseline: String, trace: TraceSummary?
  ) -> [Estimate] {
    // One run of each policy: what further seeds say is not of the traffic.
    let policies = runs.filter { $0.windows != nil }.grouped(by: \.contender).map { $0[0] }
    let other = policies.first { $0.contender == baseline } ?? policies.first
    let ranked = policies.sorted { $0.hits > $1.hits }.prefix(2)
    let isSettled = ranked.count < 2 || ranked.contains { $0.contender == other?.contender }
    let pairs: [(Measurement, Measurement?)] =
      policies.map { ($0, $0.contender == other?.contender ? nil : other) }
      + (isSettled ? [] : [(ranked[0], ranked[1])])
    return pairs.map { run, other in
      estimate(of: run, against: other, traceRequests: trace?.requests)
    }
  }

  /// Returns the estimate for a run's hit ratio, or for its distance to another run's on the same trace.
  ///
  /// - Parameters:
  ///   - run: A run that was counted window by window.
  ///   - other: The run that it is compared with, counted in the same windows; nil for none.
  ///   - traceRequests: The requests of the trace, counted or not; nil where they are not known.
  static func estimate(
    of run: Measurement, against other: Measurement? = nil, traceRequests: Int?
  ) -> Estimate {
    var estimate = Estimate(run, against: other, of: .futureWindows)
    do {
      let ages = try [run, other].compactMap(\.self).map {
        try evictionAge(of: $0, traceRequests: traceRequests)
      }
      estimate.evictionAge = ages.max()
      let (bootstrap, blockRequests) = try resample(run, other, evictionAge: ages.max() ?? 0)
      estimate.samples = bootstrap.blocks
      estimate.blockRequests = Int(blockRequests.rounded())
      estimate.isStationary = bootstrap.isStationary
      if bootstrap.isStationary {
        estimate.interval = bootstrap.interval(confidence: Estimate.confidence)
      } else {
        estimate.reason = "the traffic changes along the trace"
      }
    } catch StatisticsError.tooFew(let what, _, let needed, let remedy) {
      // Without the count, which differs from run to run, alike runs share one reason.
      estimate.reason = "fewer than \(needed) \(what); \(remedy)"
    } catch {
      estimate.reason = "\(error)"
    }
    return estimate
  }

  /// The reason why there is no eviction age, or no windows to compare.
  private struct Obstacle: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the number of requests for which an object stays: by Little's law the residents over those that enter
  /// with each request. An object that is not requested again stays about as long, or less.
  private static func evictionAge(
    of run: Measurement, traceRequests: Int?
  ) throws(Obstacle) -> Double {
    if run.evictions == 0 {
      throw Obstacle(
        description: "\(run.contender) evicted nothing, and so remembers the whole trace")
    }
    // What misses may be refused.
    let entered = max(1, min(run.insertions, run.requests - run.hits))
    let residents: Int
    switch run.unit {
    case .objects, .blocks: residents = run.capacity
    case .bytes:
      // Every insertion is counted only where every request is.
      guard traceRequests == run.requests else {
        throw Obstacle(description: "how many objects fit is known only where every request counts")
      }
      residents = run.insertions - run.evictions
    }
    return Double(residents) * Double(run.requests) / Double(entered)
  }

  /// The bootstrap with blocks of ten eviction ages, or twice, four times … as long, until they are in random
  /// order: traffic may remember for longer than the cache. As it is with the longest blocks where they never
  /// are.
  private static func resample(
    _ run: Measurement, _ other: Measurement?, evictionAge: Double
  ) throws -> (BlockBootstrap, blockRequests: Double) {
    let windows = run.windows ?? RequestWindows(ends: [], requests: [], hits: [])
    if let other, other.windows?.requests != windows.requests || other.windows?.ends != windows.ends
    {
      throw Obstacle(description: "\(other.contender) was counted in other windows")
    }
    let hits = parts(of: windows.hits, in: windows)
    let others = other?.windows.map { parts(of: $0.hits, in: windows) }
    let requests = parts(of: windows.requests, in: windows)
    func bootstrap(memory: Double) throws(StatisticsError) -> BlockBootstrap {
      guard let others else {
        return try BlockBootstrap(hits: hits, requests: requests, evictionAge: memory, seed: 42)
      }
      return try BlockBootstrap(
        comparing: hits, with: others, requests: requests, evictionAge: memory, seed: 42)
    }
    var found = try bootstrap(memory: evictionAge)
    let windowRequests = Double(requests.reduce(0, +)) / Double(max(1, requests.count))
    func blockRequests() -> Double { Double(found.blockLength) * windowRequests }
    while !found.isStationary {
      guard
        let longer = try? bootstrap(
          memory: 2 * blockRequests() / BlockBootstrap.evictionAgesPerBlock)
      else { break }
      found = longer
    }
    return (found, blockRequests())
  }

  /// Returns the counts of the windows with requests, joined into at most `most` parts.
  private static func parts(of counts: [Int], in windows: RequestWindows) -> [Int] {
    let filled = windows.requests.indices.filter { windows.requests[$0] > 0 }
    let width = max(1, (filled.count + mostWindows - 1) / mostWindows)
    return stride(from: 0, to: filled.count, by: width).map { start in
      filled[start..<min(start + width, filled.count)].reduce(0) { $0 + counts[$1] }
    }
  }
}
