import EvictionCore
import Requests
import Results
import Runner
import Simulation
import Traces

/// Draws LRU's curve on objects in one pass by stack distances, over a sample of the keys or all of them.
///
/// - Paper: C. A. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, “Efficient MRC construction with
///   SHARDS”, FAST 2015.
struct StackEngine: Engine {
  /// Capacities of the whole trace.
  let capacities: [Int]
  /// Disjoint parts of the sample; none of a whole trace.
  let parts: [Trace]
  let estimate: KeySampleEstimate

  func work(of cell: Cell, on stream: RequestStream) -> Int { stream.requests(with: parts) }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let start = ContinuousClock.now
    let warmup = cell.run.warmup
    // Of another beginning fewer keys are left.
    let estimate =
      cell.variation == nil ? self.estimate : KeySampleEstimate(all: stream.trace, from: warmup)
    let keys = estimate.keys
    let misses = self.misses(of: stream.trace, from: warmup, amongKeys: keys, observer: observer)
    guard let misses else { return nil }
    var done = stream.requests
    var missesOfParts: [[Int]] = []
    for part in parts {
      let before = done
      let misses = self.misses(of: part, from: warmup, amongKeys: keys) { observer(before + $0) }
      guard let misses else { return nil }
      missesOfParts.append(misses.map { $0.reduce(0) { $0 + Int($1) } })
      done += part.requests
    }
    let values = capacities.indices.map { place in
      estimate.value(
        capacity: capacities[place], misses: misses[place],
        parts: zip(parts, missesOfParts).map {
          estimate.missRatio(misses: $1[place], ofKeys: $0.distinct)
        })
    }
    return .points(
      values, .stackDistances, seconds: (ContinuousClock.now - start).seconds)
  }

  /// By capacity, the misses of each key; nil if it was stopped.
  private func misses(
    of sample: Trace, from warmup: Int, amongKeys keys: Int, observer: (Int) -> Bool
  ) -> [[UInt32]]? {
    var requests: [(id: UInt32, distance: UInt32)] = []
    let isDone = StackDistances.forEach(in: sample, from: warmup, goesOn: observer) {
      id, distance in
      requests.append((id, distance.map { UInt32($0) } ?? .max))
    }
    if !isDone { return nil }
    let rate = Double(sample.distinct) / Double(keys)
    return capacities.map { capacity in
      // A distance among the sampled keys stands for one among all, by their fraction.
      let limit = Double(capacity) * rate
      var misses = [UInt32](repeating: 0, count: sample.distinct)
      for request in requests where request.distance == .max || Double(request.distance) >= limit {
        misses[Int(request.id)] += 1
      }
      return misses
    }
  }
}

/// Simulates the points of a curve that one capacity of the sample stands for: with the sample, and with
/// each of its parts in a cache that is as much smaller.
///
/// - Paper: C. Waldspurger, T. Saemundsson, I. Ahmad and N. Park, “Cache modeling and optimization using
///   miniature simulations”, USENIX ATC 2017.
struct CurvePointEngine: Engine {
  /// By capacity of the sample, those of the whole trace.
  let capacities: [Int: [Int]]
  /// Disjoint parts of the sample; none of a whole trace.
  let parts: [Trace]
  /// All requests of the whole trace.
  let requests: Int
  let estimate: KeySampleEstimate
  let runsInChild = true

  func work(of cell: Cell, on stream: RequestStream) -> Int { stream.requests(with: parts) }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    stream.prepare(for: cell.policy.entry.needs)
    let start = ContinuousClock.now
    let hits = estimate.rate < 1 ? HitLog(requests: stream.requests) : nil
    guard let counts = try simulate(cell, on: stream, hits: hits, observer: observer) else {
      return nil
    }
    var done = stream.requests
    var ofParts: [Double] = []
    for part in parts {
      let before = done
      let small = RequestStream(
        part, isSized: stream.isSized, needs: cell.policy.needs, seed: cell.run.seed)
      let counts = try simulate(cell, on: small, hits: nil) { observer(before + $0) }
      guard let counts else { return nil }
      ofParts.append(
        estimate.missRatio(misses: counts.requests - counts.hits, ofKeys: part.distinct))
      done += part.requests
    }
    let sampled = hits.map { CurvePointEngine.misses(of: stream.trace, $0) }
    let values = capacities[cell.capacity, default: []].map { capacity in
      sampled.map { estimate.value(capacity: capacity, misses: $0, parts: ofParts) }
        ?? SampledMissRatio(
          capacity: capacity,
          missRatio: Double(counts.requests - counts.hits) / Double(max(1, counts.requests)),
          error: 0, largest: 0, parts: [])
    }
    var time = ContinuousClock.now - start
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    return .points(values, .simulations, seconds: time.seconds)
  }

  /// Runs a cell's policy on the sample or a part of it, with a capacity and times that fit what it sees.
  private func simulate(
    _ cell: Cell, on stream: RequestStream, hits: HitLog?, observer: (Int) -> Bool
  ) throws(ExperimentError) -> RequestCounts? {
    var run = cell.run
    if estimate.rate < 1 {
      let share = Double(stream.trace.distinct) / Double(estimate.sampled)
      run.capacity = max(
        cell.policy.information.minimumCapacity, Int((Double(run.capacity) * share).rounded()))
      run.arguments = run.arguments.miniature(
        ofRequests: Double(stream.requests) / Double(requests))
    }
    var options = SimulationOptions(run)
    options.hits = hits
    return try ExperimentError.running { () throws(PolicyError) in
      try cell.policy.entry.simulator.run(stream, options: options, observer: observer)
    }
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

extension RequestStream {
  /// The requests of a sample and its parts.
  fileprivate func requests(with parts: [Trace]) -> Int {
    parts.reduce(requests) { $0 + $1.requests }
  }
}
