import Parameters
import Results
import Runner

/// A published table, cell by cell, to be computed again on its trace.
///
/// A new table is an entry of `published.json`: see ``PublishedTables``.
package struct PublishedTable: Sendable {
  /// The measure that a cell holds.
  package enum Measure: String, Sendable, CaseIterable, JSONValue {
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
    /// Tokens of the second half of the prompts that hit in a cache of prefixes, as kvcache-simulator counts them.
    case hitTokens = "hit tokens"
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
    package var capacity: String
    /// The measure of the cell.
    package let measure: Measure
    /// The value as it was printed.
    package var printed: String
    /// The count that must come out here, of hits, misses or bytes; of a policy that draws, one for each
    /// seed from 42 on.
    package var expected: [Int]
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

/// The published tables.
package enum PublishedTables {
  /// Every table, in the order in which they are reproduced; a new one is an entry of `published.json`.
  package static let all: [PublishedTable] = {
    do {
      return try read(PackageResources.published_json, file: "published.json")
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Reads tables: for each the rows of a policy on a trace, with the capacities, the printed values, and the counts
  /// that must come out here, by capacity and then by seed; without them the printed values are the counts.
  static func read(_ bytes: [UInt8], file: String) throws(ResultSetError) -> [PublishedTable] {
    let document = try JSONNode(reading: bytes, schema: "evictionlab.published/1", file: file)
    return try document["tables"].elements().map { table throws(ResultSetError) in
      var cells: [PublishedTable.Cell] = []
      for row in try table["rows"].elements() { cells += try PublishedTable.cells(of: row) }
      return PublishedTable(
        id: try table.value("id"), title: try table.value("title"),
        source: try table.value("source"), edition: try table.value("edition"),
        remarks: try table.value("remarks"), cells: cells)
    }
  }
}

extension PublishedTable {
  fileprivate static func cells(of row: JSONNode) throws(ResultSetError) -> [Cell] {
    let capacities: [String] = try row.value("capacities")
    let printed: [String] = try row.value("printed")
    let known: [[Int]]? = try row.value("counts")
    let counts = known ?? printed.compactMap { Int($0).map { [$0] } }
    if printed.count != capacities.count || counts.count != capacities.count {
      throw row["counts"].wrong("a value for each capacity")
    }
    let cell = Cell(
      trace: try row.value("trace"), traceFormat: try row.value("traceFormat"),
      policy: try row.value("policy"), capacity: "", measure: try row.value("measure"),
      printed: "", expected: [], reason: try row.value("reason"))
    return capacities.indices.map { index in
      var cell = cell
      (cell.capacity, cell.printed) = (capacities[index], printed[index])
      cell.expected = counts[index]
      return cell
    }
  }
}
