import EvictionCore
import Requests
import Results
import Simulation
import Traces

/// Draws LRU's curve on objects in one pass by stack distances, over a sample of the keys or all of them.
///
/// - Paper: C. A. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, “Efficient MRC construction with
///   SHARDS”, FAST 2015.
struct StackEngine: Engine {
  /// Capacities of the whole trace.
  let capacities: [Int]
  let estimate: KeySampleEstimate

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let sample = stream.trace
    let start = ContinuousClock.now
    var requests: [(id: UInt32, distance: UInt32)] = []
    let isDone = StackDistances.forEach(in: sample, goesOn: observer) { id, distance in
      requests.append((id, distance.map { UInt32($0) } ?? .max))
    }
    if !isDone { return nil }
    let values = capacities.map { capacity in
      // A distance among the sampled keys stands for one among all, by their fraction.
      let limit = Double(capacity) * estimate.rate
      var misses = [UInt32](repeating: 0, count: sample.distinct)
      for request in requests where request.distance == .max || Double(request.distance) >= limit {
        misses[Int(request.id)] += 1
      }
      return estimate.value(capacity: capacity, misses: misses)
    }
    return .points(
      values, .stackDistances, seconds: (ContinuousClock.now - start).seconds)
  }
}

/// Simulates the points of a curve that one capacity of the sample stands for.
///
/// - Paper: C. Waldspurger, T. Saemundsson, I. Ahmad and N. Park, “Cache modeling and optimization using
///   miniature simulations”, USENIX ATC 2017.
struct CurvePointEngine: Engine {
  /// By capacity of the sample, those of the whole trace.
  let capacities: [Int: [Int]]
  let isSampled: Bool
  let estimate: KeySampleEstimate

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let start = ContinuousClock.now
    var options = SimulationOptions(cell.run)
    options.hits = isSampled ? HitLog(requests: stream.requests) : nil
    let counts = try ExperimentError.running { () throws(PolicyError) in
      try cell.policy.entry.simulator.run(stream, options: options, observer: observer)
    }
    guard let counts else { return nil }
    let sampled = options.hits.map { CurvePointEngine.misses(of: stream.trace, $0) }
    let values = capacities[cell.capacity, default: []].map { capacity in
      sampled.map { estimate.value(capacity: capacity, misses: $0) }
        ?? KeySampleEstimate.Value(
          capacity: capacity,
          missRatio: Double(counts.requests - counts.hits) / Double(max(1, counts.requests)),
          error: 0)
    }
    var time = ContinuousClock.now - start
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    return .points(values, .simulations, seconds: time.seconds)
  }

  /// The misses of each key.
  private static func misses(of sample: Trace, _ log: HitLog) -> [UInt32] {
    var misses = [UInt32](repeating: 0, count: sample.distinct)
    for index in 0..<sample.requests where !log[index] {
      let role = sample.operations.map { $0[index].role } ?? .reference
      if role == .reference { misses[Int(sample.ids[index])] += 1 }
    }
    return misses
  }
}
