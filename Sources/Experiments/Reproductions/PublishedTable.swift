import Parameters

/// A published table, cell by cell, to be computed again on its trace.
///
/// A new table is one file and one line in ``PublishedTables``.
package struct PublishedTable: Sendable {
  /// The measure that a cell holds.
  package enum Measure: String, Sendable {
    /// Hits in per cent of the requests, with two decimals.
    case hitPercent = "hit ratio %"
    /// Requests that missed.
    case misses
    /// Bytes that missed.
    case missBytes = "bytes missed"
    /// Requests that hit.
    case hits
  }

  /// The knowledge about a printed cell.
  package enum Standing: Sendable, Equatable {
    /// It must come out.
    case comesOut
    /// Its authors chose parameters per trace or size that they did not print.
    case tunedOffline
    /// It does not come out, for this reason.
    case differs(String)
  }

  /// One printed cell.
  package struct Cell: Sendable {
    /// The trace's file name.
    package let trace: String
    /// The format of the trace, where name and content don't tell.
    package let traceFormat: String?
    /// The policy with its parameters, as on a command line.
    package let policy: String
    /// The capacity, as on a command line.
    package let capacity: String
    /// The measure of the cell.
    package let measure: Measure
    /// The value as it was printed.
    package let printed: String
    /// The knowledge about it.
    package let standing: Standing
  }

  /// The name on the command line.
  package let id: String
  /// The title of the table.
  package let title: String
  /// The publication.
  package let source: String
  /// Remarks on its traces and policies.
  package let remarks: String
  /// The cells.
  package let cells: [Cell]
}

/// The cells of one policy on one trace: a printed value for each capacity.
struct PublishedRow {
  let policy: String
  let printed: [String]
  let standing: PublishedTable.Standing
  let exceptions: [Int: PublishedTable.Standing]

  /// A row; `exceptions` stand for cells that are not as the rest, by their place.
  init(
    _ policy: String, _ printed: [String], _ standing: PublishedTable.Standing = .comesOut,
    exceptions: [Int: PublishedTable.Standing] = [:]
  ) {
    self.policy = policy
    self.printed = printed
    self.standing = standing
    self.exceptions = exceptions
  }

  /// The row's cells.
  func cells(
    trace: String, traceFormat: String? = nil, capacities: [String],
    measure: PublishedTable.Measure
  ) -> [PublishedTable.Cell] {
    precondition(printed.count == capacities.count, "a row has one value for each capacity")
    return capacities.indices.map { index in
      PublishedTable.Cell(
        trace: trace, traceFormat: traceFormat, policy: policy, capacity: capacities[index],
        measure: measure, printed: printed[index], standing: exceptions[index] ?? standing)
    }
  }
}

/// The published tables, in the order in which they are reproduced.
package enum PublishedTables {
  /// Every table; a new one is one file and one line here.
  package static let all: [PublishedTable] = [
    .arcOLTP, .arc32768, .scarab, .libCacheSim, .lirsAuthors,
  ]
}
