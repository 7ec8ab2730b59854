/// Bounds the optimum at every capacity on every trace.
package struct BoundsExperiment: ExperimentKind {
  package init() {}

  /// The policy whose rows become bounds.
  package static let policies = [Baselines.bypassingOptimum]

  /// Turns rows into bounds.
  package func rows(of base: ExperimentPlan) -> ExperimentPlan {
    let engine = BoundsEngine()
    return base.with(
      base.cells.enumerated().map { index, cell in
        cell.cell(
          of: .bounds, policy: BoundsEngine.policy, role: .row(position: index), engine: engine)
      })
  }
}
