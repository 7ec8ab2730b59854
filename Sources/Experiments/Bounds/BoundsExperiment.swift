/// Bounds the optimum at every capacity on every trace.
public struct BoundsExperiment: ExperimentKind {
  /// Nothing beside the request is needed.
  public init() {}

  /// The policy whose rows become bounds.
  public static let policies = [Baselines.bypassingOptimum]

  /// Turns rows into bounds.
  public func rows(of base: ExperimentPlan) -> ExperimentPlan {
    let engine = BoundsEngine()
    return base.with(
      base.cells.enumerated().map { index, cell in
        cell.cell(
          of: .bounds, policy: BoundsEngine.policy, role: .row(position: index), engine: engine)
      })
  }
}
