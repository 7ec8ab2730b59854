import DiskTier
import Eviction
import Foundation
import Traces

/// Experiments on the disk tier: each cell of a plan at every inline threshold, page size and durability,
/// in several rounds, one cell after the other.
///
///     let plan = try SweepPlan(
///       traces: [trace], policies: PolicyChoice.parse(["lru"]), capacities: [.bytes(64 << 20)],
///       settings: .init(isSized: true))
///     let experiment = try DiskExperiment(plan, grid: .init(thresholds: [4_096, 65_536]))
///     var measurements: [Measurement] = []
///     try experiment.run(into: &measurements)
///
/// Rounds go through all cells, each from another one on, so that a slow minute of the machine does not
/// count against one cell.
public struct DiskExperiment: Sendable {
  /// What each cell of the plan is run with.
  public struct Grid: Sendable {
    /// Inline thresholds, in bytes.
    public var thresholds: [Int]
    /// Sizes of a database page, in bytes.
    public var pageSizes: [Int]
    /// What the store promises.
    public var durabilities: [Durability]
    /// How often everything is run.
    public var rounds: Int

    /// A grid; by default of one point, once.
    public init(
      thresholds: [Int] = [20_480], pageSizes: [Int] = [4_096],
      durabilities: [Durability] = [.processCrash], rounds: Int = 1
    ) {
      self.thresholds = thresholds
      self.pageSizes = pageSizes
      self.durabilities = durabilities
      self.rounds = rounds
    }
  }

  /// The largest value that is written, in bytes.
  public static let largestValue = 256 << 20

  private struct Cell {
    let plan: SweepPlan.Cell
    let measures: DiskMeasures
  }

  private let plan: SweepPlan
  private let cells: [Cell]
  private let rounds: Int
  private let folder: String

  /// How many cells there are, all rounds together.
  public var count: Int { cells.count }

  /// Plans every cell of `plan` at every point of the grid.
  ///
  /// - Parameters:
  ///   - plan: What is run.
  ///   - grid: The thresholds, page sizes, durabilities and rounds.
  ///   - folder: Where the caches are made, in a folder of their own that is removed at the end;
  ///     by default the system's for temporary files.
  /// - Throws: ``DiskExperimentError`` when a trace has no sizes or too large values, a policy has a
  ///   parameter that values on disk cannot follow, or the disk has too little space.
  public init(
    _ plan: SweepPlan, grid: Grid, folder: String? = nil
  ) throws(DiskExperimentError) {
    self.plan = plan
    self.folder = folder ?? FileManager.default.temporaryDirectory.path
    for trace in plan.traces {
      guard let sizes = trace.sizes else { throw .sizesMissing(trace: trace.name) }
      let largest = sizes.max().map { Int(clamping: $0) } ?? 0
      if largest > DiskExperiment.largestValue {
        throw .tooLarge(trace: trace.name, bytes: largest)
      }
    }
    for policy in plan.policies where policy.arguments.flag("resize") {
      throw .resizes(policy: policy.name)
    }
    var cells: [Cell] = []
    rounds = max(1, grid.rounds)
    for round in 1...rounds {
      let points = DiskExperiment.points(plan, grid, round: round)
      let start = points.isEmpty ? 0 : (round - 1) % points.count
      cells += points[start...] + points[..<start]
    }
    self.cells = cells
    try checkSpace()
  }

  private static func points(_ plan: SweepPlan, _ grid: Grid, round: Int) -> [Cell] {
    var points: [Cell] = []
    for cell in plan.cells {
      for pageSize in grid.pageSizes {
        for durability in grid.durabilities {
          for threshold in grid.thresholds {
            points.append(
              Cell(
                plan: cell,
                measures: DiskMeasures(
                  round: round, inlineThreshold: threshold, pageSize: pageSize,
                  durability: durability.rawValue)))
          }
        }
      }
    }
    return points
  }

  /// The database and the files, a little more for their pages and blocks, and the database's copy.
  private func checkSpace() throws(DiskExperimentError) {
    let needed =
      plan.cells.map { cell in
        let trace = plan.traces[cell.trace]
        let all = trace.distinctBytes ?? 0
        let values = plan.settings.isSized ? min(cell.capacity, all) : all
        return 3 * min(values, 1 << 60) + (64 << 20)
      }.max() ?? 0
    guard let free = DiskSpace.free(at: folder) else {
      throw .folder(path: folder, problem: "it cannot be looked at")
    }
    if needed > free { throw .space(path: folder, needed: needed, free: free) }
  }

  /// Runs every cell.
  ///
  /// - Parameters:
  ///   - measurements: Each cell is appended when it is finished, so that those before a failure are
  ///     there.
  ///   - cancellation: Stops the work; cells that are done by then are kept.
  ///   - progress: Called now and then, on the calling thread.
  /// - Throws: ``DiskExperimentError`` when the disk fails.
  public func run(
    into measurements: inout [Measurement], cancellation: Cancellation = Cancellation(),
    progress: (SweepProgress) -> Void = { _ in }
  ) throws(DiskExperimentError) {
    // A name of its own, so that nothing is left in it by a run that was killed.
    let place = "\(folder)/evict-disk-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    } catch { throw .folder(path: place, problem: "it cannot be made") }
    defer { try? FileManager.default.removeItem(atPath: place) }

    var state = SweepProgress(
      totalCells: count,
      totalRequests: cells.reduce(0) { $0 + plan.traces[$1.plan.trace].requests })
    let start = ContinuousClock.now
    for (number, cell) in cells.enumerated() {
      let before = state.requests
      let path = "\(place)/\(number)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      var measurement = plan.measurement(of: cell.plan, kind: .disk)
      let run = DiskCellRun(
        plan.traces[cell.plan.trace], options: plan.options(of: cell.plan),
        isSized: plan.settings.isSized, policy: cell.plan.policy.specification,
        caches: cell.plan.policy.entry.caches, measures: cell.measures, folder: path)
      do throws(DiskCacheError) {
        let measures = try run.run(into: &measurement) { done in
          state.requests = before + done
          state.seconds = (ContinuousClock.now - start).seconds
          progress(state)
          return !cancellation.isCancelled
        }
        guard let measures else { break }
        measurement.disk = measures
      } catch { throw .cache(error) }
      measurements.append(measurement)
      state.cells += 1
      state.requests = before + plan.traces[cell.plan.trace].requests
      if cancellation.isCancelled { break }
    }
  }

  /// Those of this experiment's measurements whose round was run to its end.
  public func wholeRounds(of measurements: [Measurement]) -> [Measurement] {
    measurements.grouped { $0.disk?.round }.filter { $0.count == count / rounds }.flatMap { $0 }
  }
}

/// Why an experiment on disk cannot be run.
public enum DiskExperimentError: Error, Equatable {
  /// The trace does not say how large its objects are.
  case sizesMissing(trace: String)
  /// The trace has an object that is larger than any experiment writes.
  case tooLarge(trace: String, bytes: Int)
  /// The policy is to follow the sizes of requests that hit, and a get does not change a value.
  case resizes(policy: String)
  /// The disk has too little space.
  case space(path: String, needed: Int, free: Int)
  /// The folder cannot be used.
  case folder(path: String, problem: String)
  /// The cache failed.
  case cache(DiskCacheError)
}

extension DiskExperimentError: CustomStringConvertible {
  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .sizesMissing(let trace):
      "\(trace) has no sizes, so there is nothing to write; give a trace with sizes"
    case .tooLarge(let trace, let bytes):
      "\(trace) has an object of \(bytes) bytes, more than \(DiskExperiment.largestValue); "
        + "filter it out"
    case .resizes(let policy):
      "\(policy): a get leaves a value on disk as it is, a set always resizes it; leave out resize"
    case .space(let path, let needed, let free):
      "\(path): the experiment may need \(needed) bytes, and \(free) are free; "
        + "choose a smaller capacity or another --folder"
    case .folder(let path, let problem):
      "\(path): \(problem); choose another --folder"
    case .cache(let error): "\(error)"
    }
  }
}
