import CacheReplay
import DiskTier
import EvictionCore
import Foundation
import Requests
import Results
import Runner
import Traces

/// Experiments on the disk tier: each row at every inline threshold, page size and durability, in several
/// rounds, one cell after the other.
///
///     let request = ExperimentRequest(
///       DiskExperiment(.init(thresholds: [4_096, 65_536])), policies: try PolicyChoice.parse(["lru"]),
///       capacities: [.bytes(64 << 20)], settings: .init(isSized: true))
///     let plan = try request.kind.plan(request, on: [trace], part: nil)
///     let measurements = ExperimentRun(plan).run().measurements
///
/// Rounds go through all cells, each from another one on, so that a slow minute of the machine does not
/// count against one cell.
package struct DiskExperiment: ExperimentKind {
  /// The setups that each row is run with.
  package struct Grid: Sendable {
    /// Inline thresholds, in bytes.
    package var thresholds: [Int]
    /// Sizes of a database page, in bytes.
    package var pageSizes: [Int]
    /// The promises of the store.
    package var durabilities: [Durability]
    /// The rounds of everything.
    package var rounds: Int

    /// A grid; by default of one point, once.
    package init(
      thresholds: [Int] = [20_480], pageSizes: [Int] = [4_096],
      durabilities: [Durability] = [.processCrash], rounds: Int = 1
    ) {
      self.thresholds = thresholds
      self.pageSizes = pageSizes
      self.durabilities = durabilities
      self.rounds = rounds
    }
  }

  private let grid: Grid
  private let folder: String
  private let recommends: Bool

  /// - Parameters:
  ///   - grid: The thresholds, page sizes, durabilities and rounds.
  ///   - folder: The folder in which caches are made, each in one of its own that is removed again; by
  ///     default the system's for temporary files.
  ///   - recommends: Adds a recommended threshold for each trace to the results, from the rounds that
  ///     were run to their end.
  package init(_ grid: Grid = Grid(), folder: String? = nil, recommends: Bool = false) {
    self.grid = grid
    self.folder = folder ?? FileManager.default.temporaryDirectory.path
    self.recommends = recommends
  }

  /// - Throws: ``DiskExperimentError`` when a trace has no sizes or too large values, a policy has a
  ///   parameter that values on disk cannot follow, or the disk has too little space.
  package func plan(
    _ request: ExperimentRequest, on traces: [Trace], part: PartitionRange?
  ) throws -> ExperimentPlan {
    var plan = try ExperimentPlan(request, on: traces, part: part) { rows in
      try check(request, traces)
      ScratchFolder.removeLeft(in: folder, kind: DiskEngine.scratch)
      try checkSpace(for: rows, traces, request.settings)
      return cells(of: rows)
    }
    if recommends {
      let size = plan.cells.count / max(1, grid.rounds)
      plan.conclude = { finished, results in
        let whole = finished.measurements.grouped { $0.disk?.setup.round }.filter {
          $0.count == size
        }
        results.recommendations = DiskRecommendation.recommendations(from: whole.flatMap { $0 })
      }
    }
    return plan
  }

  private func check(
    _ request: ExperimentRequest, _ traces: [Trace]
  ) throws(DiskExperimentError) {
    for trace in traces {
      guard let sizes = trace.sizes else { throw .sizesMissing(trace: trace.name) }
      let known = sizes.lazy.filter { $0 != Trace.unknownSize }
      let largest = known.max().map { Int(clamping: $0) } ?? 0
      if largest > DiskExperimentError.largestValue {
        throw .tooLarge(trace: trace.name, bytes: largest)
      }
    }
    for policy in request.policies where policy.arguments.flag("resize") {
      throw .resizes(policy: policy.name)
    }
  }

  /// The rounds, each with every row in every setup, from another one on.
  private func cells(of rows: [Row]) -> [Cell] {
    var cells: [Cell] = []
    for round in 1...max(1, grid.rounds) {
      let points = rows.flatMap { row in setups(of: round).map { (row, $0) } }
      let start = points.isEmpty ? 0 : (round - 1) % points.count
      for (row, measures) in points[start...] + points[..<start] {
        cells.append(
          row.cell(
            of: .disk, .disk(measures.setup), engine: DiskEngine(measures, folder: folder)))
      }
    }
    return cells.numbered
  }

  private func setups(of round: Int) -> [DiskMeasures] {
    grid.pageSizes.flatMap { pageSize in
      grid.durabilities.flatMap { durability in
        grid.thresholds.map { threshold in
          DiskMeasures {
            $0.setup.round = round
            $0.setup.inlineThreshold = threshold
            $0.setup.pageSize = pageSize
            $0.setup.durability = durability.rawValue
          }
        }
      }
    }
  }

  /// The database and the files, a little more for their pages and blocks, and the database's copy.
  private func checkSpace(
    for rows: [Row], _ traces: [Trace], _ settings: ExperimentPlan.Settings
  ) throws(DiskExperimentError) {
    let needed =
      rows.map { row in
        let all = traces[row.trace].distinctBytes ?? 0
        let values = settings.isSized ? min(row.run.capacity, all) : all
        return 3 * min(values, 1 << 60) + (64 << 20)
      }.max() ?? 0
    guard let free = DiskSpace.free(at: folder) else {
      throw .folder(path: folder, problem: "it cannot be looked at")
    }
    if needed > free { throw .space(path: folder, needed: needed, free: free) }
  }
}

/// Runs a cell on disk, in a folder of its own that is removed at the end.
private struct DiskEngine: Engine {
  /// The start of the names of its folders.
  static let scratch = "evict-disk"

  private let measures: DiskMeasures
  private let folder: String

  init(_ measures: DiskMeasures, folder: String) {
    self.measures = measures
    self.folder = folder
  }

  var runsAlone: Bool { true }

  func needs(of policy: PolicyChoice) -> RequestNeeds { [] }

  func run(
    _ cell: Cell, on stream: RequestStream, round: Int, observer: (Int) -> Bool
  ) throws(ExperimentError) -> Outcome? {
    let scratch: ScratchFolder
    do throws(TraceError) {
      scratch = try ScratchFolder(in: folder, kind: DiskEngine.scratch)
    } catch {
      throw .store(DiskExperimentError.folder(path: folder, problem: "no folder can be made in it"))
    }
    defer { withExtendedLifetime(scratch) {} }
    let run = DiskCellRun(
      stream.trace, options: cell.run, isSized: stream.isSized,
      policy: cell.policy.specification, of: cell.policy.entry.policy,
      measures: measures,
      folder: scratch.path + "/cache")
    var measurement = cell.measurement
    do throws(DiskCacheError) {
      guard let measures = try run.run(into: &measurement, observer: observer) else { return nil }
      measurement.disk = measures
    } catch { throw .store(DiskExperimentError.cache(error)) }
    return .measurement(measurement)
  }
}
