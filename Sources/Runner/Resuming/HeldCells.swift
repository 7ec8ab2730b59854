import Results

/// The cells of a plan that a document holds already, and that need not be run again.
///
/// A cell is held where the trace has the same content, and policy, parameters, capacity, seed and all
/// options are the same. Cells of plug-ins are run again: their library may have been compiled anew.
package struct HeldCells: Sendable {
  /// The measurements of the cells.
  package let measurements: [Measurement]
  /// The cells' positions.
  package let positions: Set<Int>
  /// Miss-ratio curves of the traces that have not changed.
  package let references: [MissRatioCurve]
  /// The causes of misses, where no cell is left to be run.
  package let explanations: [Explanation]
  /// The traces that have changed since: their cells are run again.
  package let changedTraces: [String]
  /// Notes on the document for the reader, in a line each.
  package let notes: [String]

  /// Looks for a plan's cells in a document.
  ///
  /// - Parameters:
  ///   - plan: The cells to run.
  ///   - record: The plan in the new document.
  ///   - traces: The traces in the new document.
  ///   - document: The results of an earlier run.
  ///   - file: The name of the document in messages.
  ///   - environment: The machine and the program of this run.
  ///   - acceptsOtherBuild: Keeps what another program measured.
  /// - Throws: ``PartitionError`` when the document is of no sweep, of one with other options or of
  ///   another program, or holds what the plan has not: to write in its place would lose results.
  package init(
    of plan: ExperimentPlan, _ record: PlanRecord, traces: [TraceSummary],
    in document: ResultSet, file: String, environment: Environment = .current,
    acceptsOtherBuild: Bool = false
  ) throws(PartitionError) {
    guard let earlier = document.plan else { throw .noPlan(file: file) }
    notes = try document.environment.notes(
      on: file, besides: environment, of: nil, acceptsOtherBuild: acceptsOtherBuild)
    if let difference = earlier.optionsDifference(from: record) {
      throw .plan(file: file, other: nil, difference: difference.text)
    }
    let changed = Set(
      traces.filter { trace in
        document.traces.contains {
          $0.name == trace.name && (!$0.isOf(trace) || trace.sha256 == nil)
        }
      }.map(\.name))
    let order = CellPositions(record)
    let planned = Set(plan.cells.compactMap(\.position))
    let changing = Set(
      plan.cells.filter { $0.policy.entry.plugin != nil }.compactMap(\.position))
    var held: [Int: Measurement] = [:]
    for measurement in document.measurements where !changed.contains(measurement.trace) {
      guard let position = order[measurement], planned.contains(position) else {
        throw .notAsked(file: file, cell: measurement.cellLabel)
      }
      if !changing.contains(position) { held[position] = measurement }
    }
    measurements = Array(held.values)
    positions = Set(held.keys)
    references = document.references.filter { !changed.contains($0.trace) }
    let left = Set(plan.without(positions).cells.map(\.key.place))
    explanations = document.explanations.filter {
      !changed.contains($0.trace) && !left.contains(CellKey.Place($0))
    }
    changedTraces = traces.map(\.name).filter { changed.contains($0) }
  }
}
