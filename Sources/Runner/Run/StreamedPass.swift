import CInline
import EvictionCore
import Parameters
import Requests
import Results
import Simulation
import Traces

/// The requests of a pass over a trace that is read block by block, as far as they were read.
package struct ReadRequests: Sendable {
  /// Their number.
  package internal(set) var requests = 0
  /// Their distinct keys.
  package internal(set) var distinct = 0
  /// Their gets; nil without operations.
  package internal(set) var gets: FirstGets?

  /// None.
  package init() {}

  mutating func add(_ count: Int, distinct: Int, of block: TraceBlock) {
    requests += count
    self.distinct = distinct
    guard let operations = block.operations else { return }
    if gets == nil { gets = FirstGets() }
    gets?.add(
      UnsafeBufferPointer(start: block.ids, count: count),
      UnsafeBufferPointer(start: operations, count: count))
  }
}

/// Runs cells in one pass over a trace that is read block by block: all of them take a block before the next one is
/// looked at, and end together.
///
/// Memory grows with the distinct keys and the cells of a pass, and not with the requests. The next block is
/// read meanwhile.
struct StreamedPass {
  /// The requests of the pass.
  private(set) var read = ReadRequests()

  private let cells: [Cell]
  private let plan: ExperimentPlan
  private let stream: StreamedTrace

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

  init(_ cells: [Cell], of plan: ExperimentPlan, over stream: StreamedTrace) {
    self.cells = cells
    self.plan = plan
    self.stream = stream
  }

  /// Runs the cells; after a stop, over what they have all run of the trace by then.
  ///
  /// - Parameters:
  ///   - jobs: Threads that run cells.
  ///   - cancellation: Stops the pass.
  ///   - progress: Called after each block with the requests done.
  /// - Returns: The outcome of each cell; nil for a part of a file, which is no result.
  mutating func run(
    jobs: Int, cancellation: Cancellation, progress: (Int) -> Void
  ) throws -> [Outcome]? {
    // Of a stream, all that came counts.
    let keepsPart = stream.requests == nil
    var length = StreamedPass.firstLength
    var last: ContinuousClock.Instant?
    var slots = stream.distinct ?? 0
    let seeds = Array(Set(cells.map(\.run.seed)))
    let keys = seeds.map { StreamedKeys(seed: $0) }
    let lanes = try lanes(seeds: seeds, slots: slots, cancellation: keepsPart ? nil : cancellation)
    let blocks = try stream.read()
    while let block = try blocks.next() {
      for keys in keys { keys.add(block) }
      // Room is made seldom, as all that is known of the keys is copied.
      if block.distinct > slots { slots = max(block.distinct, slots + slots / 2, 1 << 10) }
      let columns = keys.map {
        RequestColumns(
          block, isSized: plan.settings.isSized, slots: slots, keyLengths: $0.lengths,
          keyHashes: $0.hashes)
      }
      if read.requests == 0, let first = columns.first {
        let shape = RequestShape(
          isSized: plan.settings.isSized, isPlain: plan.isPlain, slots: slots)
        for cell in cells {
          try cell.policy.entry.simulator.check(cell.run, of: shape, over: first)
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
        length = StreamedPass.length(after: length, took: ContinuousClock.now - start)
        done = range.upperBound
      }
      let distinct = done == block.count ? block.distinct : keysBegun(by: done, of: block)
      read.add(done, distinct: distinct, of: block)
      progress(read.requests)
      if done < block.count { break }
    }
    let requests = read.requests
    if cancellation.isCancelled {
      if !keepsPart { return nil }
    } else if let before = stream.requests, requests != before {
      throw ChangedTrace(file: stream.file, before: before, now: requests)
    } else if plan.settings.warmup >= requests {
      throw PlanError.warmup(
        trace: stream.outline.name, requests: requests, warmup: plan.settings.warmup)
    }
    return zip(cells, lanes).map { cell, lane in
      var measurement = cell.measurement
      measurement.record(
        lane.simulation.counts, isSized: plan.settings.isSized,
        hasCosts: stream.outline.costs != nil)
      measurement.record(seconds: Double(lane.nanoseconds) / 1e9, requestsRun: requests)
      measurement.windows = lane.windows?.windows
      return .measurement(measurement)
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
    UnsafeBufferPointer(start: block.ids, count: done).reduce(read.distinct) {
      max($0, Int($1) + 1)
    }
  }

  private func lanes(
    seeds: [UInt64], slots: Int, cancellation: Cancellation?
  ) throws(PolicyError) -> [Lane] {
    try cells.map { cell throws(PolicyError) in
      guard let keys = seeds.firstIndex(of: cell.run.seed) else {
        preconditionFailure("a cell has a seed")
      }
      var options = SimulationOptions(cell.run)
      options.run.cancellation = cancellation
      options.windows = (cell.engine as? SimulationEngine)?.windowLog()
      let shape = RequestShape(
        isSized: plan.settings.isSized, isPlain: plan.isPlain, slots: slots)
      let simulation = try cell.policy.entry.simulator.begin(options, over: shape)
      return Lane(simulation, keys: keys, windows: options.windows)
    }
  }
}

extension ExperimentPlan {
  /// True if every request of a stream is a plain get of an object that counts one.
  fileprivate var isPlain: Bool {
    !settings.isSized && traces[0].operations == nil && traces[0].costs == nil
  }

  /// Divides cells of a stream into passes: as many in each as there is memory for.
  ///
  /// - Parameters:
  ///   - cells: The cells that are left to be run.
  ///   - available: The memory that the process may still take; nil where it is not known.
  /// - Returns: The passes, and the bytes that the policies of the largest take: nil for standard input, of which there
  ///   is one pass.
  /// - Throws: `tooLarge` where a cell alone needs more memory than there is.
  func passes(
    of cells: [Int], within available: Int?
  ) throws(TraceError) -> (cells: [[Int]], policyBytes: Int?) {
    guard let stream, let keys = stream.distinct else { return (cells.isEmpty ? [] : [cells], nil) }
    let hashBytes = policies.contains { $0.needs.contains(.keyHash) } ? 12 : 0
    let tableBytes = stream.isNumbered ? 0 : ExperimentPlan.keyBytes
    let shared = keys * (tableBytes + hashBytes) + blockBytes
    let room = available.map { $0 / 10 * 9 - shared } ?? .max
    var passes: [[Int]] = []
    var (pass, held, most) = ([Int](), 0, 0)
    for index in cells {
      let cell = self.cells[index]
      let bytes = cell.policy.entry.simulator.bytes(keys: keys, cell.run, isPlain: isPlain)
      if bytes > room {
        throw .tooLarge(trace: traces[0].name, needed: shared + bytes, available: available ?? 0)
      }
      if held > room - bytes {
        passes.append(pass)
        (pass, held) = ([], 0)
      }
      pass.append(index)
      held += bytes
      most = max(most, held)
    }
    return (pass.isEmpty ? passes : passes + [pass], most)
  }

  /// The most bytes of a distinct key in the table of keys.
  private static let keyBytes = 48

  /// About the bytes of the blocks in memory: three that go round, and twice one that is filled.
  private var blockBytes: Int {
    let columns = traces[0].columns
    let words = [TraceColumns.sizes, .times, .ttls, .costs].count { columns.contains($0) }
    return 5 * TraceBlocks.usualRequests * (4 + 8 * words + (columns.contains(.operations) ? 1 : 0))
  }
}
