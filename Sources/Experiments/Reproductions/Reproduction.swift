import Requests
import Results
import Simulation
import Traces

/// A published table, computed again.
package struct Reproduction: Sendable {
  /// A published cell and what came out for it.
  package struct Cell: Sendable {
    /// The cell.
    package let published: PublishedTable.Cell
    /// The value, written as the printed one is; nil where the trace is not here.
    package let computed: String?

    package init(published: PublishedTable.Cell, computed: String?) {
      self.published = published
      self.computed = computed
    }

    /// True where the cell came out.
    package var isEqual: Bool { computed == published.printed }

    /// True where the cell should have come out, and did not.
    package var isFailure: Bool {
      computed != nil && !isEqual && published.standing == .comesOut
    }

    /// The verdict on the cell, in words: equal, different (by how much), or tuned by its authors.
    package var verdict: String {
      guard let computed else { return "skipped: the trace is not here" }
      if isEqual { return "equal" }
      let difference = "different by \(Reproduction.difference(computed, published.printed))"
      return switch published.standing {
      case .comesOut: difference
      case .tunedOffline: "tuned offline by its authors; \(difference)"
      case .differs(let reason): "\(difference): \(reason)"
      }
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
      let computed = try path(cell.trace).map { try runs.value(of: cell, path: $0) }
      cells.append(Cell(published: cell, computed: computed))
    }
    self.cells = cells
  }

  /// The difference of two values, with as many decimals as they have.
  static func difference(_ value: String, _ printed: String) -> String {
    guard let left = hundredths(value), let right = hundredths(printed) else { return "all" }
    let difference = left - right
    let sign = difference < 0 ? "−" : "+"
    return sign + (printed.contains(".") ? percent(abs(difference)) : "\(abs(difference) / 100)")
  }

  private static func hundredths(_ text: String) -> Int? {
    let parts = text.split(separator: ".")
    let decimals = parts.count > 1 ? parts[1] : "00"
    return Int(parts[0] + decimals)
  }

  /// Hundredths as a decimal with two places.
  static func percent(_ hundredths: Int) -> String {
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}

/// Runs cells one after the other; reads each trace once, and runs a policy once for two measures.
private struct CellRuns {
  private let policies: [RunnablePolicyEntry]
  private var loaded: (path: String, isSized: Bool, trace: Trace)?
  private var counted: (key: String, counts: RequestCounts)?

  init(_ policies: [RunnablePolicyEntry]) { self.policies = policies }

  mutating func value(of cell: PublishedTable.Cell, path: String) throws -> String {
    let counts = try counts(of: cell, path: path)
    return switch cell.measure {
    case .hits: "\(counts.hits)"
    case .misses: "\(counts.requests - counts.hits)"
    case .missBytes: "\(counts.bytes - counts.byteHits)"
    case .hitPercent:
      // Rounded half up, exactly.
      Reproduction.percent((counts.hits * 20_000 + counts.requests) / (2 * counts.requests))
    }
  }

  private mutating func counts(
    of cell: PublishedTable.Cell, path: String
  ) throws -> RequestCounts {
    let key = "\(path) \(cell.policy) \(cell.capacity)"
    if let counted, counted.key == key { return counted.counts }
    guard let choice = try PolicyChoice.parse([cell.policy], among: policies).first else {
      preconditionFailure("“\(cell.policy)” names no policy")
    }
    let capacities = try Capacity.list(parsing: cell.capacity)
    let isSized = try ExperimentPlan.isSized(capacities, asked: false)
    let stream = RequestStream(
      try trace(path, format: cell.traceFormat, isSized: isSized), isSized: isSized,
      needs: choice.needs)
    let options = RunOptions(
      capacity: capacities[0].resolved(total: 0), arguments: choice.arguments)
    guard
      let counts = try choice.entry.simulator.run(stream, options: SimulationOptions(options))
    else {
      preconditionFailure("the observer stops no run")
    }
    counted = (key, counts)
    return counts
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
