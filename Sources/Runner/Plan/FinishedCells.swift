import Results

/// The outcomes of a plan's cells, as far as they are finished.
package struct FinishedCells: Sendable {
  /// The failures of cells, in the order of time.
  package let failures: [ExperimentError]
  /// The first failure; nil for none.
  package var failure: ExperimentError? { failures.first }

  private let plan: ExperimentPlan
  private let outcomes: [Outcome?]
  private let indices: [CellKey: Int]

  package init(_ plan: ExperimentPlan, _ outcomes: [Outcome?], failures: [ExperimentError]) {
    self.plan = plan
    self.outcomes = outcomes
    self.failures = failures
    indices = Dictionary(
      plan.cells.indices.map { (plan.cells[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// True where every row is finished, and every cell that it is measured against.
  package var areAll: Bool {
    outcomesOfRows.allSatisfy { cell, outcome in
      outcome != nil && cell.baselines.values.allSatisfy { self[$0] != nil }
    }
  }

  /// Adds the measurements, and what follows from them.
  package func add(to results: inout ResultSet) {
    results.measurements += measurements
    plan.conclude(self, &results)
  }

  /// The outcome of the cell of that name; nil where it is not finished.
  package subscript(key: CellKey) -> Outcome? { indices[key].flatMap { outcomes[$0] } }

  /// The rows that are finished, each measured against its baselines, in the order of the results.
  package var measurements: [Measurement] {
    rows.map { row in
      var measurement = row.measurement
      compare(&measurement, of: row.cell)
      return measurement
    }
  }

  /// The outcomes of rows that draw points of curves, or whole ones, in the order of the results.
  package var outcomesOfRows: [(cell: Cell, outcome: Outcome?)] {
    zip(plan.cells, outcomes).filter { $0.0.position != nil }
      .sorted { ($0.0.position ?? 0) < ($1.0.position ?? 0) }.map { ($0.0, $0.1) }
  }

  /// The curves that stand beside the rows.
  package var references: [MissRatioCurve] {
    zip(plan.cells, outcomes).compactMap { cell, outcome in
      guard cell.role == .baseline, case .curve(let curve) = outcome else { return nil }
      return curve
    }
  }

  private var rows: [(cell: Cell, measurement: Measurement)] {
    outcomesOfRows.compactMap { cell, outcome in
      guard case .measurement(let measurement) = outcome,
        cell.baselines.values.allSatisfy({ self[$0] != nil })
      else { return nil }
      return (cell, measurement)
    }
  }

  private func compare(_ measurement: inout Measurement, of cell: Cell) {
    guard let hitRatio = measurement.comparedHitRatio else { return }
    // Several threads hit other requests than one, and are compared with as many.
    let isThreaded = (measurement.replay?.threads ?? 1) > 1
    if let fifo = isThreaded ? hitRatioOfFIFO(beside: cell) : ratio(.fifo, of: cell), fifo < 1 {
      measurement.missRatioReduction = (hitRatio - fifo) / (1 - fifo)
    }
    if case .measurement(let fifo)? = cell.baselines[.fifo].flatMap({ self[$0] }),
      let reference = fifo.latency?.mean, reference > 0, let mean = measurement.latency?.mean
    {
      measurement.latencyReduction = (reference - mean) / reference
    }
    let orders = Baselines.orders.indices.compactMap { ratio(.order($0), of: cell) }
    if let least = orders.min(), let most = orders.max() {
      measurement.replay?.hitRatiosOfOrders = least...most
    }
    // The optimum fetches nothing ahead.
    if !isThreaded, !cell.policy.information.ignoresCapacity, measurement.prefetch == nil,
      let optimum = ratio(.optimum, of: cell)
    {
      measurement.distanceToOptimum = optimum - hitRatio
    }
  }

  /// The hit ratio of the row that differs from a row in its policy only, which is FIFO; nil where it is not
  /// among the finished ones.
  private func hitRatioOfFIFO(beside cell: Cell) -> Double? {
    let (key, fifo) = (cell.key, PolicyChoice(.fifo).name)
    let row = CellKey(
      kind: key.kind, place: key.place, policy: fifo, seed: key.seed, variant: key.variant,
      variation: key.variation)
    return self[row]?.hitRatio?.lowerBound
  }

  private func range(_ baseline: BaselineRole, of cell: Cell) -> ClosedRange<Double>? {
    cell.baselines[baseline].flatMap { self[$0]?.hitRatio }
  }

  private func ratio(_ baseline: BaselineRole, of cell: Cell) -> Double? {
    range(baseline, of: cell)?.lowerBound
  }

  /// Says why requests miss, for each place at which every baseline is finished.
  ///
  /// - Parameter measurements: The rows, those included that were held already.
  package func explanations(of measurements: [Measurement]) -> [Explanation] {
    let bounds = plan.policies.map(\.information).filter(\.isBound)
    let rows = plan.rows.filter { $0.variation == nil }
    return rows.grouped(by: \.key.place).compactMap { rows in
      let place = rows[0].key.place
      let best = measurements.filter { measurement in
        measurement.variation == nil && CellKey.Place(measurement) == place
          && !bounds.contains { $0.name == measurement.policy }
      }.max { ($0.hitRatio ?? 0) < ($1.hitRatio ?? 0) }
      guard let best, let bestHitRatio = best.hitRatio,
        let unlimited = ratio(.infinite, of: rows[0]), let lasting = ratio(.lasting, of: rows[0]),
        let first = ratio(.firstRequests, of: rows[0]), let optimum = range(.bound, of: rows[0])
      else { return nil }
      return Explanation {
        $0.trace = place.trace
        $0.capacity = best.capacity
        $0.unit = place.unit
        $0.compulsoryMissRatio = 1 - first
        $0.unknownSizeMissRatio = max(0, first - lasting)
        $0.expiredMissRatio = plan.settings.expires ? max(0, lasting - unlimited) : nil
        $0.optimumHitRatio = optimum
        $0.bestPolicy = best.policyLabel
        $0.bestHitRatio = bestHitRatio
      }
    }
  }
}
