import Prefixes
import Requests
import Results
import Runner
import Simulation
import Traces

/// A published table, computed again.
package struct Reproduction: Sendable {
  /// A published cell and what came out for it.
  package struct Cell: Sendable {
    /// The cell.
    package let published: PublishedTable.Cell
    /// The counts here, one for each seed; nil where the trace is not here.
    package let counts: [Int]?
    /// The requests, of which a hit ratio is a part.
    package let requests: Int

    package init(published: PublishedTable.Cell, counts: [Int]?, requests: Int = 0) {
      self.published = published
      self.counts = counts
      self.requests = requests
    }

    /// The value, written as the printed one is: of several seeds their mean.
    package var computed: String? {
      guard let counts else { return nil }
      guard let whole = published.measure.whole else {
        return "\((2 * counts.reduce(0, +) + counts.count) / (2 * counts.count))"
      }
      // Rounded half up, exactly.
      let all = requests * counts.count
      let places = Reproduction.places(of: published.printed)
      let units = counts.reduce(0, +) * 2 * whole * Reproduction.scale(places)
      return Reproduction.decimal((units + all) / (2 * all), places: places)
    }

    /// The distance of the printed value, one more draw, from the mean of the seeds, in standard deviations
    /// of such a distance: √(1 + 1/n) of theirs; nil for a policy that does not draw.
    package var zScore: Double? {
      guard let counts, counts.count > 1, let printed = Double(published.printed) else {
        return nil
      }
      let scale = published.measure.whole.map { Double($0) / Double(requests) } ?? 1
      let mean = Double(counts.reduce(0, +)) / Double(counts.count)
      let squares = counts.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      let deviation = (squares / Double(counts.count - 1)).squareRoot()
      let distance = printed - mean * scale
      let spread = deviation * scale * (1 + 1 / Double(counts.count)).squareRoot()
      return distance == 0 ? 0 : distance / spread
    }

    /// True where the cell came out: equal, or within three standard deviations of its seeds.
    package var isEqual: Bool {
      zScore.map { abs($0) <= 3 } ?? (computed == published.printed)
    }

    /// True where the counts are not those expected here, or differ from the printed value for no stated
    /// reason.
    package var isFailure: Bool {
      guard let counts else { return false }
      return counts != published.expected || (!isEqual && published.reason == nil)
    }

    /// The verdict on the cell, in words.
    package var verdict: String {
      guard let counts, let computed else { return "skipped: the trace is not here" }
      if let changed = zip(counts, published.expected).first(where: { $0.0 != $0.1 }) {
        return "changed: \(published.measure.counted) became \(changed.0), expected \(changed.1)"
      }
      let distance =
        zScore.map { "z = \(signed($0)) over \(counts.count) seeds" }
        ?? (isEqual
          ? "equal"
          : "different by \(Reproduction.difference(computed, published.printed))")
      return isEqual ? distance : "\(distance): \(published.reason ?? "for no known reason")"
    }

    private func signed(_ score: Double) -> String {
      guard score.isFinite else { return "∞" }
      let size = Reproduction.decimal(Int((abs(score) * 100).rounded()), places: 2)
      return (score < 0 ? "−" : "") + size
    }
  }

  /// The table.
  package let table: PublishedTable
  /// Its cells, in its order.
  package let cells: [Cell]

  /// Computes a table again.
  ///
  /// - Parameters:
  ///   - table: The published table.
  ///   - policies: The policies that are known.
  ///   - path: The path of a trace of that name; nil if it is not here.
  ///   - progress: Called before each cell with the number of those that are done.
  /// - Throws: The error of reading a trace or running a policy.
  package init(
    _ table: PublishedTable, among policies: [RunnablePolicyEntry] = RunnablePolicyEntry.catalog,
    path: (_ trace: String) -> String?, progress: (Int) -> Void = { _ in }
  ) throws {
    self.table = table
    var cells: [Cell] = []
    var runs = CellRuns(policies)
    for cell in table.cells {
      progress(cells.count)
      guard let path = path(cell.trace) else {
        cells.append(Cell(published: cell, counts: nil))
        continue
      }
      let counts = try runs.counts(of: cell, path: path)
      cells.append(
        Cell(
          published: cell, counts: counts.map(cell.measure.count(in:)),
          requests: counts.first?.requests ?? 0))
    }
    self.cells = cells
  }

  /// The difference of two values, with as many decimals as they have.
  static func difference(_ value: String, _ printed: String) -> String {
    guard let left = Int(value.filter { $0 != "." }), let right = Int(printed.filter { $0 != "." })
    else { return "all" }
    return (left < right ? "−" : "+") + decimal(abs(left - right), places: places(of: printed))
  }

  /// The number of decimals of a printed value.
  static func places(of printed: String) -> Int {
    printed.firstIndex(of: ".").map { printed[$0...].count - 1 } ?? 0
  }

  /// 10 to the power of `places`.
  static func scale(_ places: Int) -> Int { (0..<places).reduce(1) { scale, _ in scale * 10 } }

  /// A whole number of units of the last of `places` decimals as a decimal.
  static func decimal(_ units: Int, places: Int) -> String {
    if places == 0 { return "\(units)" }
    let decimals = "\(units % scale(places))"
    return "\(units / scale(places))." + String(repeating: "0", count: places - decimals.count)
      + decimals
  }
}

extension PublishedTable.Measure {
  /// The count that stands behind a value.
  func count(in counts: RequestCounts) -> Int {
    switch self {
    case .hits, .hitPercent, .hitTokens: counts.hits
    case .misses, .missRatio: counts.requests - counts.hits
    case .missBytes: counts.bytes - counts.byteHits
    }
  }

  /// The value that stands for all requests; nil for a count.
  var whole: Int? {
    switch self {
    case .hitPercent: 100
    case .missRatio: 1
    case .misses, .missBytes, .hits, .hitTokens: nil
    }
  }

  /// The name of that count.
  var counted: String {
    switch self {
    case .hitPercent: PublishedTable.Measure.hits.rawValue
    case .missRatio: PublishedTable.Measure.misses.rawValue
    case .misses, .missBytes, .hits, .hitTokens: rawValue
    }
  }
}

/// Runs cells one after the other; reads each trace once, and runs a policy once for two measures.
private struct CellRuns {
  private let policies: [RunnablePolicyEntry]
  private var loaded: (path: String, isSized: Bool, trace: Trace)?
  private var prompts: (path: String, forest: PromptForest)?
  private var counted: [String: RequestCounts] = [:]

  init(_ policies: [RunnablePolicyEntry]) { self.policies = policies }

  /// The counts of a cell's seeds: as many as it expects.
  mutating func counts(
    of cell: PublishedTable.Cell, path: String
  ) throws -> [RequestCounts] {
    try cell.expected.indices.map { try counts(of: cell, path: path, seed: 42 + UInt64($0)) }
  }

  private mutating func counts(
    of cell: PublishedTable.Cell, path: String, seed: UInt64
  ) throws -> RequestCounts {
    let key = "\(path) \(cell.policy) \(cell.capacity) \(seed)"
    if let counts = counted[key] { return counts }
    if cell.measure == .hitTokens {
      let counts = try prefixCounts(of: cell, path: path, seed: seed)
      counted[key] = counts
      return counts
    }
    guard let choice = try PolicyChoice.parse([cell.policy], among: policies).first else {
      preconditionFailure("“\(cell.policy)” names no policy")
    }
    let capacities = try Capacity.list(parsing: cell.capacity)
    let isSized = try ExperimentPlan.isSized(capacities, asked: false)
    let stream = RequestStream(
      try trace(path, format: cell.traceFormat, isSized: isSized), isSized: isSized,
      needs: choice.needs)
    let options = RunOptions(
      capacity: capacities[0].resolved(total: 0), arguments: choice.arguments, seed: seed)
    guard
      let counts = try choice.entry.simulator.run(stream, options: SimulationOptions(options))
    else {
      preconditionFailure("the observer stops no run")
    }
    counted[key] = counts
    return counts
  }

  /// The tokens and those that hit in a cache of prefixes, by kvcache-simulator's definition.
  private mutating func prefixCounts(
    of cell: PublishedTable.Cell, path: String, seed: UInt64
  ) throws -> RequestCounts {
    let forest = try forest(path, format: cell.traceFormat)
    let capacity = try Capacity.list(parsing: cell.capacity)[0].resolved(total: forest.distinct)
    let warmup = forest.prompts / 2
    let found: PrefixCounts?
    if cell.policy == PrefixEngine.optimum {
      found = PrefixOptimum.run(forest, capacity: capacity, warmup: warmup)
    } else {
      guard let choice = try PolicyChoice.parse([cell.policy], among: policies).first else {
        preconditionFailure("“\(cell.policy)” names no policy")
      }
      // Its FIFO knows no chains.
      found = try choice.entry.prefixes.run(
        forest,
        options: PrefixOptions(
          RunOptions(capacity: capacity, arguments: choice.arguments, seed: seed),
          keepsChains: choice.name != "fifo", warmup: warmup))
    }
    guard let found else { preconditionFailure("the observer stops no run") }
    var counts = RequestCounts()
    (counts.requests, counts.hits) = (found.tokens, found.hitTokens)
    return counts
  }

  private mutating func forest(_ path: String, format: String?) throws -> PromptForest {
    if let prompts, prompts.path == path { return prompts.forest }
    let trace = try TraceLoader.load(
      path: path, format: format, columns: PrefixExperiment.columns)
    guard let forest = PromptForest(trace) else {
      throw PlanError.noPrompts(trace: trace.name, format: trace.format, reason: nil)
    }
    prompts = (path, forest)
    return forest
  }

  private mutating func trace(
    _ path: String, format: String?, isSized: Bool
  ) throws(TraceError) -> Trace {
    if let loaded, loaded.path == path, loaded.isSized == isSized { return loaded.trace }
    let trace = try TraceLoader.load(
      path: path, format: format, columns: isSized ? .sizes : [])
    loaded = (path, isSized, trace)
    return trace
  }
}
