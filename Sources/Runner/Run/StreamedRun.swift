import CInline
import EvictionCore
import Parameters
import Requests
import Results
import Simulation
import Traces

/// Runs the cells of one trace that is read block by block: all cells of a pass take a block before the next
/// one is looked at.
///
/// Memory grows with the distinct keys and the cells of a pass, and not with the requests. The next block is
/// read meanwhile.
package final class StreamedRun {
  /// The cells of each pass over the trace: as many as there is memory for.
  package let passes: [[Int]]
  /// The bytes that the policies of the largest pass take; nil where the number of keys is not known.
  package let policyBytes: Int?
  /// The requests of the pass that was run last.
  package private(set) var requests = 0
  /// Their distinct keys.
  package private(set) var distinct = 0

  private let plan: ExperimentPlan
  private let facts: StreamFacts
  private var outcomes: [Outcome?]

  /// One run of a pass; used by one thread at a time.
  private final class Lane: @unchecked Sendable {
    let simulation: BlockSimulation
    let keys: Int
    let windows: WindowLog?
    var nanoseconds: UInt64 = 0

    init(_ simulation: BlockSimulation, keys: Int, windows: WindowLog?) {
      self.simulation = simulation
      self.keys = keys
      self.windows = windows
    }
  }

  /// Divides the cells of a plan into passes, except for those that an earlier run finished.
  ///
  /// - Parameters:
  ///   - plan: The cells, of one trace and with its facts.
  ///   - available: The memory that the process may still take; nil where it is not known.
  ///   - canReadAgain: False for standard input: there is one pass.
  ///   - journal: The cells of an earlier run.
  ///   - trace: The trace's summary, by which the journal knows it.
  /// - Throws: `tooLarge` where a cell alone needs more memory than there is.
  package init(
    _ plan: ExperimentPlan, available: Int?, canReadAgain: Bool, journal: Journal? = nil,
    trace: TraceSummary? = nil
  ) throws(TraceError) {
    precondition(plan.traces.count == 1, "one trace is read at a time")
    guard let facts = plan.settings.stream else {
      preconditionFailure("the plan is of a trace in memory")
    }
    self.plan = plan
    self.facts = facts
    let outcomes = plan.cells.map { cell in trace.flatMap { journal?.outcome(of: cell, trace: $0) }
    }
    self.outcomes = outcomes
    let left = plan.cells.indices.filter { outcomes[$0] == nil }
    guard let keys = facts.distinct, canReadAgain else {
      passes = left.isEmpty ? [] : [left]
      policyBytes = nil
      return
    }
    let isPlain = StreamedRun.isPlain(plan)
    let hashBytes = StreamedRun.needsHashes(plan.policies) ? 12 : 0
    let tableBytes = facts.isNumbered ? 0 : StreamedRun.keyBytes
    let shared = keys * (tableBytes + hashBytes) + StreamedRun.blockBytes(plan)
    let room = available.map { $0 / 10 * 9 - shared } ?? .max
    var passes: [[Int]] = []
    var (pass, held, most) = ([Int](), 0, 0)
    for index in left {
      let cell = plan.cells[index]
      let bytes = cell.policy.entry.simulator.bytes(keys: keys, cell.run, isPlain: isPlain)
      if bytes > room {
        throw .tooLarge(
          trace: plan.traces[0].name, needed: shared + bytes, available: available ?? 0)
      }
      if held > room - bytes {
        passes.append(pass)
        (pass, held) = ([], 0)
      }
      pass.append(index)
      held += bytes
      most = max(most, held)
    }
    self.passes = pass.isEmpty ? passes : passes + [pass]
    policyBytes = most
  }

  /// The most bytes of a distinct key in the table of keys.
  private static let keyBytes = 48

  /// About the bytes of the blocks in memory: three that go round, and twice one that is filled.
  private static func blockBytes(_ plan: ExperimentPlan) -> Int {
    let columns = plan.traces[0].columns
    let words = [TraceColumns.sizes, .times, .ttls, .costs].count { columns.contains($0) }
    return 5 * TraceBlocks.usualRequests * (4 + 8 * words + (columns.contains(.operations) ? 1 : 0))
  }

  private static func isPlain(_ plan: ExperimentPlan) -> Bool {
    let trace = plan.traces[0]
    return !plan.settings.isSized && trace.operations == nil && trace.costs == nil
  }

  /// True where a cell needs the hashes of keys.
  package static func needsHashes(_ policies: [PolicyChoice]) -> Bool {
    policies.contains { $0.needs.contains(.keyHash) }
  }

  /// Runs the cells of a pass over the trace; after a stop, over what they have all run of it by then.
  ///
  /// - Parameters:
  ///   - pass: The cells.
  ///   - blocks: The trace.
  ///   - first: Its first block, where it was taken already.
  ///   - jobs: Threads that run cells.
  ///   - cancellation: Stops the pass.
  ///   - keepsPart: False where a pass that is stopped is dropped.
  ///   - progress: Called after each block with the requests done.
  package func run(
    _ pass: [Int], over blocks: TraceBlocks, from first: TraceBlock? = nil, jobs: Int,
    cancellation: Cancellation = Cancellation(), keepsPart: Bool = true,
    progress: (Int) -> Void = { _ in }
  ) throws {
    var length = StreamedRun.firstLength
    var last: ContinuousClock.Instant?
    var slots = facts.distinct ?? 0
    let seeds = Array(Set(pass.map { plan.cells[$0].run.seed }))
    let keys = seeds.map { StreamedKeys(seed: $0) }
    let lanes = try lanes(
      of: pass, seeds: seeds, slots: slots, cancellation: keepsPart ? nil : cancellation)
    (requests, distinct) = (0, 0)
    var next = try first ?? blocks.next()
    while let block = next {
      for keys in keys { keys.add(block) }
      // Room is made seldom, as all that is known of the keys is copied.
      if block.distinct > slots { slots = max(block.distinct, slots + slots / 2, 1 << 10) }
      let columns = keys.map {
        RequestColumns(
          block, isSized: plan.settings.isSized, slots: slots, keyLengths: $0.lengths,
          keyHashes: $0.hashes)
      }
      if requests == 0, let first = columns.first {
        for cell in pass.map({ plan.cells[$0] }) {
          try cell.policy.entry.simulator.check(
            cell.run, isPlain: StreamedRun.isPlain(plan), over: first)
        }
      }
      var done = 0
      while done < block.count {
        if cancellation.isCancelled {
          // What was read by then counts, too, as far as it takes a moment.
          let end = last ?? ContinuousClock.now + .milliseconds(keepsPart ? 500 : 0)
          last = end
          if end <= ContinuousClock.now { break }
        }
        let range = done..<min(done + length, block.count)
        let start = ContinuousClock.now
        WorkQueue.run(count: lanes.count, jobs: jobs) { index in
          let lane = lanes[index]
          // The thread's own time: beside it others run cells and read.
          let start = evl_thread_nanoseconds()
          lane.simulation.run(RequestColumns(columns[lane.keys], range))
          lane.nanoseconds += evl_thread_nanoseconds() - start
        }
        length = StreamedRun.length(after: length, took: ContinuousClock.now - start)
        done = range.upperBound
      }
      requests += done
      distinct = done == block.count ? block.distinct : keysBegun(by: done, of: block)
      progress(requests)
      if done < block.count { break }
      next = try blocks.next()
    }
    if cancellation.isCancelled && !keepsPart { return }
    for (index, lane) in zip(pass, lanes) {
      outcomes[index] = .measurement(measurement(index, lane))
    }
  }

  /// The requests that all cells run before the stop is looked at first.
  private static let firstLength = 1 << 10

  /// The requests before the next look: some that take a moment, whatever the cells and their policies.
  private static func length(after length: Int, took time: Duration) -> Int {
    if time < .milliseconds(50) { return min(2 * length, TraceBlocks.usualRequests) }
    return time > .milliseconds(200) ? max(1, length / 4) : length
  }

  /// The distinct keys up to a request of a block, as keys are numbered when they appear first.
  private func keysBegun(by done: Int, of block: TraceBlock) -> Int {
    UnsafeBufferPointer(start: block.ids, count: done).reduce(distinct) { max($0, Int($1) + 1) }
  }

  private func lanes(
    of pass: [Int], seeds: [UInt64], slots: Int, cancellation: Cancellation?
  ) throws(PolicyError) -> [Lane] {
    let isPlain = StreamedRun.isPlain(plan)
    var lanes: [Lane] = []
    for cell in pass.map({ plan.cells[$0] }) {
      guard let keys = seeds.firstIndex(of: cell.run.seed) else { continue }
      let windows = (cell.engine as? SimulationEngine)?.windowLog()
      var run = cell.run
      run.cancellation = cancellation
      var options = SimulationOptions(run)
      options.windows = windows
      let shape = RequestShape(isSized: plan.settings.isSized, isPlain: isPlain, slots: slots)
      let simulation = try cell.policy.entry.simulator.begin(options, over: shape)
      lanes.append(Lane(simulation, keys: keys, windows: windows))
    }
    return lanes
  }

  private func measurement(_ index: Int, _ lane: Lane) -> Measurement {
    var measurement = plan.cells[index].measurement
    measurement.record(
      lane.simulation.counts, isSized: plan.settings.isSized,
      hasCosts: plan.traces[0].costs != nil)
    measurement.record(seconds: Double(lane.nanoseconds) / 1e9, requestsRun: requests)
    measurement.windows = lane.windows?.windows
    return measurement
  }

  /// Adds the cells of a pass to a journal, if the pass is over.
  package func record(_ pass: [Int], in journal: Journal, trace: TraceSummary) throws(TraceError) {
    for index in pass {
      if let outcome = outcomes[index] {
        try journal.append(outcome, of: plan.cells[index], trace: trace)
      }
    }
  }

  /// The cells of the plan that need not be run, as the journal holds them.
  package var heldRows: Int {
    let left = Set(passes.joined())
    return plan.cells.indices.count { plan.cells[$0].position != nil && !left.contains($0) }
  }

  /// The cells that are finished.
  package var finished: FinishedCells { FinishedCells(plan, outcomes, failure: nil) }
}
