import CInline
import Conformance
import EvictionCore
import Requests
import Results
import Simulation

/// Simulates a policy alone over its trace.
package struct SimulationEngine: Engine {
  /// Looks at what the policy has learned, evenly spaced; 0 for none.
  var internalsPoints = 0
  /// The ends of the windows that are counted one by one; nil for none.
  var windowEnds: [Int]?
  /// The time of a window; nil where windows hold equally many requests.
  var windowSeconds: Double?
  /// Checks that policies keep the contract with their host.
  var checksContract = false
  /// Runs the policy itself, also where a loop counts the same without it.
  var answer = SimulationOptions.Answer.compared
  /// Takes everything that a cell counted, of which its measurement keeps a part.
  var counted: @Sendable (CellKey, RequestCounts) -> Void = { _, _ in }

  init(
    internalsPoints: Int, windowEnds: [Int]?, windowSeconds: Double?, checksContract: Bool
  ) {
    self.internalsPoints = internalsPoints
    self.windowEnds = windowEnds
    self.windowSeconds = windowSeconds
    self.checksContract = checksContract
  }

  /// An engine that looks at nothing but counts.
  package init(answer: SimulationOptions.Answer = .compared) { self.answer = answer }

  /// An engine that hands over all counts of each cell, on the thread that ran it.
  package init(counted: @escaping @Sendable (CellKey, RequestCounts) -> Void) {
    self.counted = counted
  }

  /// A log of the windows of one run; nil where they are not counted.
  package func windowLog() -> WindowLog? {
    windowEnds.map { WindowLog(ends: $0, seconds: windowSeconds) }
  }

  package func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    var options = SimulationOptions(cell.run)
    options.windows = windowLog()
    options.answer = answer
    options.account = checksContract ? SlotAccount(slots: stream.trace.distinct) : nil
    var internals = InternalsSeries(points: internalsPoints)
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
    counted(cell.key, counts)
    if cell.policy.entry.needs.contains(.nextUse) { time += stream.nextUseTime }
    var measurement = cell.measurement(on: stream, counts, seconds: time.seconds)
    if !internals.series.isEmpty { measurement.internals = internals }
    measurement.windows = options.windows?.windows
    return .measurement(measurement)
  }

  package func sharesPass(_ cell: Cell, on stream: RequestStream) -> Bool {
    internalsPoints == 0 && windowEnds == nil && !checksContract
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
        counted(cell.key, counts)
        return .measurement(cell.measurement(on: stream, counts, seconds: seconds))
      }
    }
  }
}

extension Cell {
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
