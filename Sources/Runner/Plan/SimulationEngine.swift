import CInline
import Conformance
import EvictionCore
import Parameters
import Requests
import Results
import Simulation
import Synchronization

/// Simulates a policy alone over its trace.
package struct SimulationEngine: Engine {
  /// The wishes for each run.
  private var sweep = SweepExperiment()
  /// The ends of the windows that are counted one by one; nil for none.
  private var windowEnds: [Int]?
  /// The bounds of latencies, which cells of a trace share.
  private let bounds = LatencyBounds()
  /// Runs the policy itself, also where a loop counts the same without it.
  private var answer = SimulationOptions.Answer.compared

  package var runsInChild: Bool { true }

  init(_ sweep: SweepExperiment, windowEnds: [Int]?) {
    self.sweep = sweep
    self.windowEnds = windowEnds
  }

  /// An engine that looks at nothing but counts.
  package init(answer: SimulationOptions.Answer = .compared) { self.answer = answer }

  /// A log of the windows of one run; nil where they are not counted.
  func windowLog() -> WindowLog? {
    windowEnds.map { WindowLog(ends: $0, seconds: sweep.windows?.seconds) }
  }

  package func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let run =
      if let charge = cell.charge {
        try searchCharged(cell, charge, on: stream, observer: observer)
      } else {
        try simulate(cell, on: stream, observer: observer)
      }
    guard let run else { return nil }
    sweep.counted(cell.key, run.counts)
    return .measurement(run.measurement)
  }

  /// A charged cell runs several times.
  package func work(of cell: Cell, on stream: RequestStream) -> Int {
    cell.charge == nil ? stream.requests : 3 * stream.requests
  }

  private typealias Run = (measurement: Measurement, counts: RequestCounts)

  /// Runs a cell at the largest capacity that its policy's own memory leaves.
  private func searchCharged(
    _ cell: Cell, _ charge: MetadataCharge, on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Run? {
    let minimum = min(cell.capacity, cell.policy.information.minimumCapacity)
    var search = ChargedSearch(charge, of: cell.capacity, atLeast: minimum)
    var best: Run?
    var (done, last) = (0, 0)
    while let capacity = search.next {
      var reduced = cell
      reduced.run.capacity = capacity
      let run: Run?
      do throws(ExperimentError) {
        run = try simulate(reduced, on: stream) { observer(done + $0) }
      } catch {
        guard case .policy(let error) = error, capacity < cell.capacity else { throw error }
        throw .system(
          CellFailure(
            cell.key, "with its own memory charged it has to run at \(capacity): \(error)"))
      }
      guard let run, let metadata = run.measurement.metadata else { return nil }
      done += stream.requests
      last = metadata.bytes
      if search.record(last, at: capacity) { best = run }
    }
    if best != nil {
      best?.measurement.variation = cell.measurement.variation
      return best
    }
    let bytes = ByteCount.text(charge.bytes(of: cell.capacity))
    let hasGhosts = cell.policy.information.parameters.contains { $0.name == "ghosts" }
    throw .system(
      CellFailure(
        cell.key,
        "its own memory, \(ByteCount.text(last)) at capacity \(minimum), leaves no room for objects in "
          + "\(bytes); give a larger capacity"
          + (hasGhosts ? ", or bound its ghosts (\(cell.policy.name):ghosts=1)" : "")))
  }

  /// Simulates a cell once.
  private func simulate(
    _ cell: Cell, on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Run? {
    var options = SimulationOptions(cell.run)
    options.windows = windowLog()
    options.answer = answer
    options.hits = sweep.countsClasses ? HitLog(requests: stream.requests) : nil
    options.account =
      sweep.checksContract || cell.charge != nil
      ? SlotAccount(slots: stream.trace.distinct) : nil
    options.latencies = cell.run.delay.map { LatencyLog($0) }
    var internals = InternalsSeries(points: sweep.internalsPoints)
    stream.prepare(for: cell.policy.entry.needs)
    let start = ContinuousClock.now
    let counts = try ExperimentError.running { () throws(PolicyError) in
      try MeasuredRegion.run { () throws(PolicyError) in
        try cell.policy.entry.simulator.run(
          stream, options: options, internals: &internals, observer: observer)
      }
    }
    var time = ContinuousClock.now - start
    if let account = options.account, let breach = account.breach {
      throw .contract(ContractBreach(cell: cell.key, request: account.request, breach: breach))
    }
    guard let counts else { return nil }
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    var measurement = cell.measurement(on: stream, counts, seconds: time.seconds)
    if !internals.series.isEmpty { measurement.internals = internals }
    measurement.windows = options.windows?.windows
    if let delay = cell.run.delay, var latency = options.latencies?.measures {
      let bound = bounds.bound(of: stream, delay, warmup: cell.run.warmup)
      latency.least = bound.least(
        capacity: cell.policy.information.ignoresCapacity ? .max : cell.run.capacity)
      measurement.latency = latency
    }
    measurement.classes = options.hits.flatMap { stream.classCounts($0, cell.run) }
    if let charge = cell.charge, let account = options.account {
      measurement.metadata = cell.metadata(charge, account, counts.learning)
    }
    return (measurement, counts)
  }

  package func sharesPass(_ cell: Cell, on stream: RequestStream) -> Bool {
    sweep.internalsPoints == 0 && windowEnds == nil && !sweep.countsClasses
      && !sweep.checksContract && cell.charge == nil
      && cell.policy.entry.simulator.sharesPass(stream, cell.run)
  }

  /// Each cell is given an equal part of the time.
  package func run(
    sharing cells: [Cell], on stream: RequestStream, observer: (Int) -> Bool
  ) throws(ExperimentError) -> [Outcome]? {
    let start = ContinuousClock.now
    let counts = try ExperimentError.running { () throws(PolicyError) in
      try cells[0].policy.entry.simulator.runShared(
        stream, cells.map(\.run), observer: observer)
    }
    let seconds = (ContinuousClock.now - start).seconds / Double(cells.count)
    return counts.map { counts in
      zip(cells, counts).map { cell, counts in
        sweep.counted(cell.key, counts)
        return .measurement(cell.measurement(on: stream, counts, seconds: seconds))
      }
    }
  }
}

/// The bound of the latencies on each trace, computed by the first cell that needs it.
private final class LatencyBounds: Sendable {
  private let bounds = Mutex<[String: LatencyBound]>([:])

  func bound(of stream: RequestStream, _ delay: MissDelay, warmup: Int) -> LatencyBound {
    bounds.withLock { bounds in
      if let bound = bounds[stream.trace.name] { return bound }
      let bound = LatencyBound(stream, delay: delay, warmup: warmup)
      bounds[stream.trace.name] = bound
      return bound
    }
  }
}

extension Cell {
  /// The policy's own memory in a run.
  fileprivate func metadata(
    _ charge: MetadataCharge, _ account: SlotAccount, _ learning: LearningMeasures?
  ) -> MetadataMeasures {
    MetadataMeasures {
      $0.effectiveCapacity = capacity
      $0.objectSize = charge.objectSize
      $0.bytesPerSlot = policy.information.bytesPerSlot
      $0.peakSlots = account.peakSlots
      $0.peakGhosts = account.peakGhosts
      $0.learnedBytes = learning.map { $0.modelBytes + $0.featureBytes } ?? 0
      $0.bytes =
        $0.bytesPerSlot * $0.peakSlots + MetadataMeasures.bytesPerGhostKey * $0.peakGhosts
        + $0.learnedBytes
    }
  }

  /// The measurement of a run over the whole stream.
  package func measurement(
    on stream: RequestStream, _ counts: RequestCounts, seconds: Double
  ) -> Measurement {
    var measurement = measurement
    measurement.record(counts, isSized: stream.isSized, hasCosts: stream.trace.costs != nil)
    measurement.record(seconds: seconds, requestsRun: stream.requests)
    return measurement
  }
}

extension RequestStream {
  /// The counts of each class; nil where the trace has none.
  fileprivate func classCounts(_ hits: HitLog, _ run: RunOptions) -> ClassCounts? {
    guard let classes else { return nil }
    var counts = ClassCounts(names: trace.classNames)
    for request in min(run.warmup, requests)..<requests {
      let role = operations?[request].role ?? .reference
      if role == .reference || run.countsSets && role == .update {
        counts.count(Int(classes[request]), isHit: hits[request])
      }
    }
    return counts
  }
}

/// Work that a profiler can tell from what surrounds it: it runs inside one C function with a name.
package enum MeasuredRegion {
  /// The function's name, for `--toggle-collect`.
  package static let symbol = "evl_measured_region"

  /// Runs `body` inside the function.
  package static func run<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    let work = {
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    withoutActuallyEscaping(work) { work in
      var work = work
      withUnsafeMutablePointer(to: &work) { pointer in
        evl_measured_region({ $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
      }
    }
    guard let result else { preconditionFailure("the measured region did not run its body") }
    return try result.get()
  }
}
