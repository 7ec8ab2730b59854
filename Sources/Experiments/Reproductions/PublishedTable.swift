import Parameters

/// A published table, cell by cell, to be computed again on its trace.
///
/// A new table is one file and one line in ``PublishedTables``.
package struct PublishedTable: Sendable {
  /// The measure that a cell holds.
  package enum Measure: String, Sendable {
    /// Hits in per cent of the requests, with as many decimals as printed.
    case hitPercent = "hit ratio %"
    /// Misses as a fraction of the requests, with as many decimals as printed.
    case missRatio = "miss ratio"
    /// Requests that missed.
    case misses
    /// Bytes that missed.
    case missBytes = "bytes missed"
    /// Requests that hit.
    case hits
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
    /// The count that must come out here, of hits, misses or bytes; of a policy that draws, one for each
    /// seed from 42 on.
    package let expected: [Int]
    /// The reason why that is not the printed value; nil where it is.
    package let reason: String?

    /// A cell of a table.
    package init(
      trace: String, traceFormat: String?, policy: String, capacity: String, measure: Measure,
      printed: String, expected: [Int], reason: String?
    ) {
      self.trace = trace
      self.traceFormat = traceFormat
      self.policy = policy
      self.capacity = capacity
      self.measure = measure
      self.printed = printed
      self.expected = expected
      self.reason = reason
    }
  }

  /// The name on the command line.
  package let id: String
  /// The title of the table.
  package let title: String
  /// The publication.
  package let source: String
  /// The commit or the date of the publication that was read.
  package let edition: String
  /// Remarks on its traces and policies.
  package let remarks: String
  /// The cells.
  package let cells: [Cell]
}

/// The cells of one policy on one trace: a printed value and the counts here for each capacity.
struct PublishedRow {
  let policy: String
  let printed: [String]
  let expected: [[Int]]
  let reason: String?

  /// A row.
  ///
  /// - Parameters:
  ///   - policy: The policy with its parameters.
  ///   - printed: The printed values.
  ///   - here: The counts that must come out here; empty where they are the printed values.
  ///   - bySeed: The counts here of a policy that draws, by capacity and then by seed.
  ///   - reason: The reason why some are not the printed values.
  init(
    _ policy: String, _ printed: [String], here: [Int] = [], bySeed: [[Int]] = [],
    because reason: String? = nil
  ) {
    self.policy = policy
    self.printed = printed
    expected =
      bySeed.isEmpty ? (here.isEmpty ? printed.compactMap { Int($0) } : here).map { [$0] } : bySeed
    self.reason = reason
  }

  /// The row's cells.
  func cells(
    trace: String, traceFormat: String? = nil, capacities: [String],
    measure: PublishedTable.Measure
  ) -> [PublishedTable.Cell] {
    precondition(
      printed.count == capacities.count && expected.count == capacities.count,
      "a row has one value for each capacity")
    return capacities.indices.map { index in
      PublishedTable.Cell(
        trace: trace, traceFormat: traceFormat, policy: policy, capacity: capacities[index],
        measure: measure, printed: printed[index], expected: expected[index], reason: reason)
    }
  }
}

/// The published tables, in the order in which they are reproduced.
package enum PublishedTables {
  /// Every table; a new one is one file and one line here.
  package static let all: [PublishedTable] = [
    .arcOLTP, .arc32768, .scarab, .caffeineOLTP, .bitFasterOLTP, .dwCache, .libCacheSim,
    .libCacheSimCAR, .lirsAuthors, .clockProAuthors,
  ]
}
